/* sampler - finds the GPUs, loads the library, starts a collector per GPU, and looks for what came and went.
 *
 * It is meant to be replaceable at any moment: whatever it knows that must last is on the board. When cards come or
 * change their numbers it asks to be started anew, which is the one sure way to make the library look again. */
#include "daemon/sampler.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "collectors/board.h"
#include "collectors/collector.h"
#include "collectors/source.h"
#include "config/config.h"

#define LIBRARY_PATIENCE_S 3 /* rsmi_init takes milliseconds; one that takes longer waits for a hung GPU */

static struct board *board;
static struct device_place known[GPUS_MAX]; /* as the collectors were started with */
static int known_count;

static void say(int priority, const char *text)
{
	char line[512];
	int n = snprintf(line, sizeof(line), "%d%s\n", priority, text);

	/* One write of less than PIPE_BUF bytes is whole, from any thread. The pipe never blocks: words may be lost. */
	if (n > 0 && write(SAMPLER_CONTROL_FD, line, strnlen(line, sizeof(line))) < 0)
		return;
}

/* ---- the process ---- */

/* A /dev/shm of our own keeps the library's locks out of reach of other processes: as root, or in a user namespace. */
static void private_shared_memory(void)
{
	if (unshare(CLONE_NEWNS) < 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return;
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return;
	if (mount("rocwatch", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=0700,size=1m") < 0)
		return;
}

static void process_settings(void)
{
	struct rlimit no_core = { 0, 0 }, files;
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "rocwatch-sample");
	setrlimit(RLIMIT_CORE, &no_core);
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max < 8192 ? files.rlim_max : 8192;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, SIG_IGN); /* Ctrl-C is for the keeper to answer */
	signal(SIGHUP, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	private_shared_memory();
}

/* ---- the library ---- */

struct loading {
	pthread_mutex_t lock;
	pthread_cond_t done;
	bool finished;                /* lock */
	bool given_up;                /* lock */
	int result;                   /* lock */
	struct board_library library; /* lock */
};

static void *load_library(void *argument)
{
	struct loading *loading = argument;
	struct board_library library;
	int r = source_rocm_smi_load(&board->settings, &library);

	pthread_mutex_lock(&loading->lock);
	if (!loading->given_up) {
		loading->result = r;
		loading->library = library;
		loading->finished = true;
	}
	pthread_cond_signal(&loading->done);
	pthread_mutex_unlock(&loading->lock);
	return NULL;
}

static bool wait_for_library(struct loading *loading)
{
	struct timespec until;
	int r = 0;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += LIBRARY_PATIENCE_S;
	pthread_mutex_lock(&loading->lock);
	while (!loading->finished && r == 0)
		r = pthread_cond_timedwait(&loading->done, &loading->lock, &until);
	loading->given_up = !loading->finished;
	if (loading->given_up)
		snprintf(loading->library.why, sizeof(loading->library.why),
			 "rsmi_init has not returned for %d s: a GPU does not answer", LIBRARY_PATIENCE_S);
	r = loading->finished && loading->result == 0;
	pthread_mutex_unlock(&loading->lock);
	return r;
}

/* Loads the library on a thread of its own, which may never return. What it leaves is read by nobody then. */
static void library_start(void)
{
	static struct loading loading = { .lock = PTHREAD_MUTEX_INITIALIZER };
	static const struct board_library nothing;
	pthread_condattr_t attributes;
	pthread_t thread;

	if (board->settings.source == SOURCE_SYSFS || known_count == 0) {
		board_set_library(board, LIBRARY_UNUSED, &nothing);
		return;
	}
	if (board->settings.library_forbidden) {
		snprintf(loading.library.why, sizeof(loading.library.why), "it ended the sampler twice");
		board_set_library(board, LIBRARY_UNAVAILABLE, &loading.library);
		return;
	}
	board_set_library(board, LIBRARY_LOADING, &nothing);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&loading.done, &attributes);
	if (pthread_create(&thread, NULL, load_library, &loading) != 0)
		return;
	board_set_library(board, wait_for_library(&loading) ? LIBRARY_READY : LIBRARY_UNAVAILABLE, &loading.library);
}

/* ---- GPUs that come and go ---- */

static const struct device_place *find_place(const struct device_place *places, int count, const char *pci)
{
	int i;

	for (i = 0; i < count; i++)
		if (strcmp(places[i].pci, pci) == 0)
			return &places[i];
	return NULL;
}

static void start_gpu(const struct device_place *place)
{
	int gpu = board_claim(board, place->pci);
	struct board_gpu *slot;
	struct timespec now;

	if (gpu < 0) {
		say(3, "more GPUs than this build can watch");
		return;
	}
	slot = &board->gpu[gpu];
	clock_gettime(CLOCK_MONOTONIC, &now);
	atomic_store(&slot->attached_ns, (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
	atomic_store(&slot->pass_began_ns, 0);
	atomic_store(&slot->pass_ended_ns, 0);
	atomic_store(&slot->present, 1);
	if (collector_start(board, (unsigned int)gpu, place, say) < 0)
		say(3, "cannot start a collector thread");
}

/* GPUs of earlier samplers that the bus does not show now are lost. */
static void mark_lost(const struct device_place *found, int count)
{
	unsigned int gpus = atomic_load(&board->gpus), i;
	struct board_identity who;

	for (i = 0; i < gpus; i++)
		if (board_identity(board, i, &who) == 0 && find_place(found, count, who.place.pci) == NULL)
			atomic_store(&board->gpu[i].present, 0);
}

/* Whether a card came, or one that we know has other numbers now. */
static bool places_changed(const struct device_place *found, int count)
{
	int i;

	for (i = 0; i < count; i++) {
		const struct device_place *before = find_place(known, known_count, found[i].pci);

		if (before == NULL || before->card != found[i].card || before->render != found[i].render)
			return true;
	}
	return false;
}

static void forget_lost(const struct device_place *found, int count)
{
	int i = 0;

	while (i < known_count)
		if (find_place(found, count, known[i].pci) == NULL)
			known[i] = known[--known_count];
		else
			i++;
}

static bool same_places(const struct device_place *a, int a_count, const struct device_place *b, int b_count)
{
	return a_count == b_count && memcmp(a, b, (size_t)a_count * sizeof(*a)) == 0;
}

/* Looks every rescan interval, for ever. A change counts when two looks agree on it: a driver that loads or unloads
 * shows its cards one by one. */
static void watch_devices(void)
{
	static struct device_place found[2][GPUS_MAX];
	int count[2] = { -1, -1 }, turn = 0;
	uint64_t rescan = board->settings.rescan_ns;
	struct timespec pause = { .tv_sec = (time_t)(rescan / 1000000000u), .tv_nsec = (long)(rescan % 1000000000u) };

	for (;;) {
		nanosleep(&pause, NULL);
		turn ^= 1;
		count[turn] = devices_scan(board->settings.sysfs, found[turn], GPUS_MAX);
		mark_lost(found[turn], count[turn]);
		forget_lost(found[turn], count[turn]);
		if (same_places(found[0], count[0], found[1], count[1]) && places_changed(found[turn], count[turn])) {
			static const char again[] = "R\n";

			if (write(SAMPLER_CONTROL_FD, again, sizeof(again) - 1) > 0)
				_exit(0);
		}
	}
}

int sampler_main(void)
{
	int i;

	process_settings();
	if (board_open(SAMPLER_BOARD_FD, &board) < 0) {
		fprintf(stderr, "rocwatchd: %s is for rocwatchd itself\n", SAMPLER_ARGUMENT);
		return 2;
	}
	known_count = devices_scan(board->settings.sysfs, known, GPUS_MAX);
	mark_lost(known, known_count);
	library_start();
	for (i = 0; i < known_count; i++)
		start_gpu(&known[i]);
	atomic_store(&board->first_scan, 1);
	watch_devices();
	return 0;
}
