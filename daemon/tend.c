/* tend - the sampler's life as the keeper sees it: start, words, death, and whether the vendor library is to blame. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "daemon/keeper.h"
#include "daemon/sampler.h"
#include "systemd/journal.h"
#include "systemd/message_ids.h"

#define LIBRARY_DEATHS_MAX 2
#define LIBRARY_DEATHS_WITHIN_NS 3600000000000ull
#define PATIENCE_NS 1500000000ull /* for one that was told to end, before it is left to the kernel */
#define STOP_PATIENCE_NS 2000000000ull
#define SILENCE_NS 2500000000ull /* a sampler shows life several times a second */
#define CALM_NS 3000000000ull    /* between the start of a sampler and its planned end */
#define MESSAGES_AT_ONCE 64

/* The sampler's settings from ours. Only while none runs. */
static void give_settings(struct keeper *keeper)
{
	struct board_settings *settings = &keeper->board.memory->settings;
	const struct config *config = &keeper->config;
	unsigned int gpu;

	settings->interval_ns = config->interval_ns;
	settings->slow_interval_ns = config->slow_interval_ns;
	settings->rescan_ns = config->rescan_ns;
	settings->source = config->source;
	settings->library_forbidden = keeper->library_deaths >= LIBRARY_DEATHS_MAX;
	settings->library_postponed = 0;
	for (gpu = 0; gpu < GPUS_MAX; gpu++) {
		bool hangs = keeper->watched[gpu].known && keeper->watched[gpu].state == GPU_HUNG;

		settings->library_postponed |= hangs;
		settings->held[gpu] = hangs && keeper->child.abandoned > 0;
	}
	snprintf(settings->library, sizeof(settings->library), "%s", config->rocm_smi_library);
	snprintf(settings->sysfs, sizeof(settings->sysfs), "/sys");
}

/* The first death, the second, the third, the fifth, …: one that dies for ever does not fill the journal. */
static bool worth_telling(unsigned int deaths_before)
{
	return (deaths_before & (deaths_before - 1)) == 0;
}

void tend_start(struct keeper *keeper, uint64_t now_ns)
{
	static const struct board_library nothing;
	int r;

	give_settings(keeper);
	board_set_library(&keeper->board, LIBRARY_UNUSED, &nothing);
	keeper->restart_wanted = false;
	r = child_start(&keeper->child, keeper->board_fd, now_ns);
	if (r < 0) {
		log_error("cannot start the sampler: %s", strerrordesc_np(-r));
		child_ended(&keeper->child, now_ns, false);
	} else if (keeper->child.short_lives > 0 && worth_telling(keeper->child.short_lives - 1)) {
		journal_log(LOG_PRIORITY_NOTICE, MESSAGE_SAMPLER_RESTARTED, NULL, "a new sampler (pid %d) runs",
			    (int)keeper->child.pid);
	}
	atomic_store(&keeper->sampler_pid, keeper->child.pid);
}

/* A pass that the sampler's death cut off is no sign of a hung GPU; that one was known to hang before still is. */
static void forget_passes(struct keeper *keeper)
{
	unsigned int gpus = board_gpus(&keeper->board), gpu;

	for (gpu = 0; gpu < gpus; gpu++)
		if (keeper->watched[gpu].state != GPU_HUNG)
			atomic_store(&keeper->board.memory->gpu[gpu].pass_began_ns, 0);
}

static void after_death(struct keeper *keeper, uint64_t now_ns, bool planned)
{
	forget_passes(keeper);
	child_ended(&keeper->child, now_ns, planned);
	pthread_mutex_lock(&keeper->lock);
	keeper->restarts = keeper->child.restarts;
	pthread_mutex_unlock(&keeper->lock);
	if (keeper->child.start_at_ns <= now_ns)
		tend_start(keeper, now_ns);
}

/* While the library is in the process, it is what ends it: nothing else in there aborts. */
static void blame_library(struct keeper *keeper, uint64_t now_ns)
{
	uint32_t library = atomic_load(&keeper->board.memory->library);

	if (library != LIBRARY_LOADING && library != LIBRARY_READY && library != LIBRARY_POSTPONED)
		return;
	if (keeper->library_deaths > 0 && now_ns - keeper->library_death_ns > LIBRARY_DEATHS_WITHIN_NS)
		keeper->library_deaths = 0;
	keeper->library_deaths++;
	keeper->library_death_ns = now_ns;
	if (keeper->library_deaths == LIBRARY_DEATHS_MAX)
		journal_log(LOG_PRIORITY_ERROR, MESSAGE_LIBRARY_UNUSABLE, NULL,
			    "the ROCm SMI library ended the sampler %d times within an hour: going on without it, "
			    "with the driver's files alone, until the next start of rocwatchd",
			    LIBRARY_DEATHS_MAX);
}

static void tell_death(struct keeper *keeper, const char *how)
{
	if (worth_telling(keeper->child.short_lives))
		journal_log(LOG_PRIORITY_WARNING, MESSAGE_SAMPLER_DIED, NULL,
			    "the sampler (pid %d) %s; a new one starts, samples and counters so far are kept",
			    (int)keeper->child.pid, how);
}

/* It did what nobody asked it to. Signals that people and systems send are not the library's doing. */
static void died(struct keeper *keeper, int status, uint64_t now_ns)
{
	int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	char how[80];

	if (sig != 0)
		snprintf(how, sizeof(how), "was ended by signal %d (%s)", sig, sigdescr_np(sig));
	else
		snprintf(how, sizeof(how), "ended with status %d", WEXITSTATUS(status));
	tell_death(keeper, how);
	if (sig != SIGKILL && sig != SIGTERM && sig != SIGINT)
		blame_library(keeper, now_ns);
}

static bool some_gpu_is_left_alone(const struct keeper *keeper)
{
	unsigned int gpu;

	for (gpu = 0; gpu < GPUS_MAX; gpu++)
		if (keeper->board.memory->settings.held[gpu])
			return true;
	return false;
}

void tend_reap(struct keeper *keeper, uint64_t now_ns)
{
	unsigned int abandoned = keeper->child.abandoned;
	bool planned;
	int status;

	if (!child_reap(&keeper->child, &status)) {
		/* The GPU that held one has let go of it: whoever was left alone may be looked at again. */
		if (keeper->child.abandoned < abandoned && keeper->child.abandoned == 0)
			keeper->restart_wanted |= some_gpu_is_left_alone(keeper);
		return;
	}
	tend_control(keeper, now_ns); /* its last words */
	tend_output(keeper);
	planned = keeper->child.replaced_ns != 0;
	if (!planned)
		died(keeper, status, now_ns);
	after_death(keeper, now_ns, planned);
}

/* ---- its words ---- */

static void control_message(struct keeper *keeper, const char *message, uint64_t now_ns)
{
	if (message[0] == SAMPLER_AGAIN && message[1] == '\0') {
		/* It ends by itself now; if a hung GPU holds it back, it is replaced without waiting. */
		log_notice("GPUs came or changed their numbers: the sampler looks at them anew");
		keeper->child.replaced_ns = now_ns;
		return;
	}
	if (message[0] >= '0' && message[0] <= '7')
		journal_log(message[0] - '0', NULL, NULL, "%s", message + 1);
}

/* A read is a message. Not more of them at once than leaves time for the rest. */
void tend_control(struct keeper *keeper, uint64_t now_ns)
{
	char message[PIPE_BUF + 1];
	ssize_t n;
	int i;

	for (i = 0; i < MESSAGES_AT_ONCE && keeper->child.control >= 0; i++) {
		n = read(keeper->child.control, message, sizeof(message) - 1);
		if (n <= 0)
			return;
		message[n] = '\0';
		message[strcspn(message, "\n")] = '\0';
		control_message(keeper, message, now_ns);
	}
}

/* What the library prints is logged once per line, then counted. */
static void output_line(struct keeper *keeper, const char *line)
{
	size_t i;

	for (i = 0; i < OUTPUT_LINES; i++) {
		if (keeper->output_told[i] == NULL) {
			keeper->output_told[i] = strdup(line);
			log_info("the ROCm SMI library says: %.200s", line);
			return;
		}
		if (strcmp(keeper->output_told[i], line) == 0)
			return;
	}
}

/* One look; what stands beyond the second's ration stays in the pipe, which drops what does not fit. */
void tend_output(struct keeper *keeper)
{
	char bytes[4096], *line, *rest = bytes;
	ssize_t n;

	if (keeper->child.output < 0 || keeper->output_ration == 0)
		return;
	n = read(keeper->child.output, bytes, sizeof(bytes) - 1);
	if (n <= 0)
		return;
	keeper->output_ration--;
	bytes[n] = '\0';
	while ((line = strsep(&rest, "\n")) != NULL)
		if (line[0] != '\0')
			output_line(keeper, line);
}

/* The sampler is gone, or it closed a pipe. */
void tend_hang_up(struct keeper *keeper, bool control, bool output)
{
	if (control) {
		close(keeper->child.control);
		keeper->child.control = -1;
	}
	if (output) {
		close(keeper->child.output);
		keeper->child.output = -1;
	}
}

/* ---- each tick ---- */

static void tell_library(struct keeper *keeper)
{
	uint32_t state = atomic_load(&keeper->board.memory->library);
	struct board_library library;

	if (state == keeper->library_told || state == LIBRARY_LOADING || state == LIBRARY_UNUSED ||
	    board_library(&keeper->board, &library) < 0)
		return;
	keeper->library_told = state;
	if (state == LIBRARY_READY)
		log_info("ROCm SMI: %s, which says it is version %s", library.path, library.version);
	else if (keeper->config.source == SOURCE_ROCM_SMI)
		journal_log(LOG_PRIORITY_ERROR, MESSAGE_LIBRARY_UNUSABLE, NULL,
			    "ROCm SMI cannot be used: %s. source = rocm_smi leaves nobody to ask; set source = auto",
			    library.why);
	else
		journal_log(LOG_PRIORITY_WARNING, MESSAGE_LIBRARY_UNUSABLE, NULL,
			    "ROCm SMI is not used%s: %s. The driver's own files answer instead",
			    state == LIBRARY_POSTPONED ? " for now" : "", library.why);
}

uint64_t tend_silence(const struct keeper *keeper, uint64_t now_ns)
{
	uint64_t alive = atomic_load(&keeper->board.memory->alive_ns);

	if (alive < keeper->child.started_ns)
		alive = keeper->child.started_ns;
	return now_ns > alive ? now_ns - alive : 0;
}

/* One that gives no sign of life: dead but for a thread that a GPU holds, or stopped. */
static void replace_silent(struct keeper *keeper, uint64_t now_ns)
{
	struct child *child = &keeper->child;
	bool held = child_is_held(child, now_ns);

	if (!held && tend_silence(keeper, now_ns) < SILENCE_NS)
		return;
	tell_death(keeper, held ? "died while a GPU held a thread of it" : "gave no sign of life for some seconds");
	if (held)
		blame_library(keeper, now_ns);
	child_abandon(child);
	after_death(keeper, now_ns, false);
}

/* The library waited for a GPU that hung; now none does. */
static bool library_may_return(const struct keeper *keeper)
{
	unsigned int gpus = board_gpus(&keeper->board), gpu;

	if (atomic_load(&keeper->board.memory->library) != LIBRARY_POSTPONED)
		return false;
	for (gpu = 0; gpu < gpus; gpu++)
		if (!keeper->watched[gpu].fresh && keeper->watched[gpu].state != GPU_LOST)
			return false;
	return true;
}

void tend_tick(struct keeper *keeper, uint64_t now_ns)
{
	struct child *child = &keeper->child;

	tend_reap(keeper, now_ns);
	tell_library(keeper);
	if (child->pid == 0 && now_ns >= child->start_at_ns)
		tend_start(keeper, now_ns);
	if (child->pid == 0)
		return;
	if (child->replaced_ns == 0 && now_ns - child->started_ns > CALM_NS &&
	    (keeper->restart_wanted || library_may_return(keeper)))
		child_kill(child, SIGTERM, now_ns);
	if (child->replaced_ns == 0) {
		replace_silent(keeper, now_ns);
	} else if (child_is_held(child, now_ns) || now_ns - child->replaced_ns > PATIENCE_NS) {
		log_warning("the sampler (pid %d) is held by a GPU that does not answer; another takes its place",
			    (int)child->pid);
		child_abandon(child);
		after_death(keeper, now_ns, true);
	}
}

/* ---- stop ---- */

static void name_silent_gpus(struct keeper *keeper)
{
	unsigned int gpus = board_gpus(&keeper->board), n;
	char pci[PCI_SIZE];

	for (n = 0; n < gpus; n++) {
		struct board_gpu *slot = &keeper->board.memory->gpu[n];

		if (atomic_load(&slot->present) &&
		    atomic_load(&slot->pass_began_ns) > atomic_load(&slot->pass_ended_ns))
			log_warning("GPU %u (%s) did not answer; leaving the sampler (pid %d) to the kernel", n,
				    board_pci(&keeper->board, n, pci), (int)keeper->child.pid);
	}
}

/* At most two seconds: then we leave. */
void tend_stop(struct keeper *keeper)
{
	uint64_t began = now_monotonic();
	int status;

	child_kill(&keeper->child, SIGTERM, began);
	while (keeper->child.pid != 0 && now_monotonic() - began < STOP_PATIENCE_NS) {
		struct timespec pause = { .tv_nsec = 5000000 };

		if (child_reap(&keeper->child, &status))
			keeper->child.pid = 0;
		else
			nanosleep(&pause, NULL);
	}
	if (keeper->child.pid != 0) {
		name_silent_gpus(keeper);
		child_kill(&keeper->child, SIGKILL, began);
	}
}
