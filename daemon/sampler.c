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

#define LIBRARY_PATIENCE_NS 3000000000ull /* rsmi_init takes milliseconds; longer, and it waits for a hung GPU */
#define STEP_NS 200000000                 /* between two signs of life */

static struct board board;
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

static bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return done;
}

/* A mount namespace of our own: as root, or in a user namespace in which we are who we were. */
static bool own_mounts(void)
{
	unsigned int user = geteuid(), group = getegid();
	char map[64];

	if (unshare(CLONE_NEWNS) == 0)
		return true;
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return false;
	/* Unmapped, nobody could make a file on the new /dev/shm. */
	snprintf(map, sizeof(map), "%u %u 1", user, user);
	write_file("/proc/self/setgroups", "deny");
	if (!write_file("/proc/self/uid_map", map))
		return false;
	snprintf(map, sizeof(map), "%u %u 1", group, group);
	return write_file("/proc/self/gid_map", map);
}

/* A /dev/shm of our own keeps the library's locks out of reach of other processes. Where that may not be, the unit file
 * has one for us. */
static void private_shared_memory(void)
{
	if (!own_mounts() || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return;
	/* A failure leaves the shared one, on which the library works as well. */
	(void)mount("rocwatch", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=1777,size=1m");
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
	/* Even for a core of no size the kernel gathers all threads, and would wait for a hung one: no dump at all.
	 * Last, as /proc/self is not ours any more after it. */
	prctl(PR_SET_DUMPABLE, 0);
}

static uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The keeper replaces a sampler that it has not seen for some seconds. */
static void show_life(void)
{
	atomic_store(&board.memory->alive_ns, clock_ns());
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
	int r = source_rocm_smi_load(&board.memory->settings, &library);

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

/* Waits in short steps, so that the keeper sees that we live. Whether the library's thread has ended. */
static bool wait_for_library(struct loading *loading)
{
	uint64_t began = clock_ns();
	bool finished;

	pthread_mutex_lock(&loading->lock);
	while (!loading->finished && clock_ns() - began < LIBRARY_PATIENCE_NS) {
		struct timespec until;

		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_nsec += STEP_NS;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&loading->done, &loading->lock, &until);
		show_life();
	}
	finished = loading->finished;
	loading->given_up = !finished;
	pthread_mutex_unlock(&loading->lock);
	return finished;
}

static void library_is(enum library_state state, const char *why)
{
	struct board_library library = { 0 };

	snprintf(library.why, sizeof(library.why), "%s", why);
	board_set_library(&board, state, &library);
}

/* On a thread of its own, which may never return; what it finds then is read by nobody. */
static void library_load(void)
{
	static struct loading loading = { .lock = PTHREAD_MUTEX_INITIALIZER };
	pthread_condattr_t attributes;
	pthread_t thread;

	library_is(LIBRARY_LOADING, "");
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&loading.done, &attributes);
	if (pthread_create(&thread, NULL, load_library, &loading) != 0)
		library_is(LIBRARY_UNAVAILABLE, "there is no thread to load it");
	else if (!wait_for_library(&loading))
		library_is(LIBRARY_POSTPONED, "rsmi_init does not return: a GPU does not answer");
	else
		board_set_library(&board, loading.result == 0 ? LIBRARY_READY : LIBRARY_UNAVAILABLE, &loading.library);
}

static void library_start(void)
{
	const struct board_settings *settings = &board.memory->settings;

	if (settings->source == SOURCE_SYSFS || known_count == 0)
		library_is(LIBRARY_UNUSED, "");
	else if (settings->library_forbidden)
		library_is(LIBRARY_UNAVAILABLE, "it ended the sampler twice");
	else if (settings->library_postponed)
		library_is(LIBRARY_POSTPONED, "a GPU does not answer, and the library would wait for it");
	else
		library_load();
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
	int gpu = board_claim(&board, place->pci);
	struct board_gpu *slot;

	if (gpu < 0) {
		say(3, "more GPUs than this build can watch");
		return;
	}
	slot = &board.memory->gpu[gpu];
	atomic_store(&slot->attached_ns, clock_ns());
	atomic_store(&slot->pass_ended_ns, 0);
	/* A GPU that holds a sampler before us would hold us too: it hangs until the keeper says otherwise. */
	atomic_store(&slot->pass_began_ns, board.memory->settings.held[gpu] ? clock_ns() : 0);
	atomic_store(&slot->present, 1);
	if (!board.memory->settings.held[gpu] && collector_start(&board, (unsigned int)gpu, place, say) < 0)
		say(3, "cannot start a collector thread");
}

/* GPUs of earlier samplers that the bus does not show now are lost. */
static void mark_lost(const struct device_place *found, int count)
{
	unsigned int gpus = board_gpus(&board), i;
	char pci[PCI_SIZE];

	for (i = 0; i < gpus; i++)
		if (find_place(found, count, board_pci(&board, i, pci)) == NULL)
			atomic_store(&board.memory->gpu[i].present, 0);
}

/* Whether a card came, or one that we know has other numbers now, or was away in between. */
static bool places_changed(const struct device_place *found, int count)
{
	int i;

	for (i = 0; i < count; i++) {
		const struct device_place *before = find_place(known, known_count, found[i].pci);

		if (before == NULL || before->card != found[i].card || before->render != found[i].render ||
		    before->node != found[i].node)
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

/* One look. A change counts when two looks agree on it: a driver that loads or unloads shows its cards one by one. */
static void look_for_devices(void)
{
	static struct device_place found[2][GPUS_MAX];
	static int count[2] = { -1, -1 }, turn;
	static const char again[] = { SAMPLER_AGAIN };

	turn ^= 1;
	count[turn] = devices_scan(board.memory->settings.sysfs, found[turn], GPUS_MAX);
	mark_lost(found[turn], count[turn]);
	forget_lost(found[turn], count[turn]);
	if (same_places(found[0], count[0], found[1], count[1]) && places_changed(found[turn], count[turn]) &&
	    write(SAMPLER_CONTROL_FD, again, sizeof(again)) > 0)
		_exit(0);
}

static void __attribute__((noreturn)) watch_devices(void)
{
	const struct timespec step = { .tv_nsec = STEP_NS };
	uint64_t rescan = board.memory->settings.rescan_ns, due = clock_ns() + rescan;

	for (;;) {
		nanosleep(&step, NULL);
		show_life();
		if (clock_ns() < due)
			continue;
		look_for_devices();
		due = clock_ns() + rescan;
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
	show_life();
	known_count = devices_scan(board.memory->settings.sysfs, known, GPUS_MAX);
	mark_lost(known, known_count);
	library_start();
	for (i = 0; i < known_count; i++)
		start_gpu(&known[i]);
	atomic_store(&board.memory->first_scan, 1);
	watch_devices();
}
