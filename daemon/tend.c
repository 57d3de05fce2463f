/* tend - the sampler's life as the keeper sees it: start, words, death, and whether the vendor library is to blame. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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
#define PATIENCE_NS 500000000ull /* for one that was told to end, before it is left to the kernel */
#define STOP_PATIENCE_NS 2000000000ull

/* The sampler's settings from ours. Only while none runs. */
void tend_settings(struct keeper *keeper)
{
	struct board_settings *settings = &keeper->board->settings;
	const struct config *config = &keeper->config;

	settings->interval_ns = config->interval_ns;
	settings->slow_interval_ns = config->slow_interval_ns;
	settings->rescan_ns = config->rescan_ns;
	settings->source = config->source;
	settings->library_forbidden = keeper->library_deaths >= LIBRARY_DEATHS_MAX;
	snprintf(settings->library, sizeof(settings->library), "%s", config->rocm_smi_library);
	snprintf(settings->sysfs, sizeof(settings->sysfs), "/sys");
}

void tend_start(struct keeper *keeper, uint64_t now_ns)
{
	int r;

	tend_settings(keeper);
	keeper->restart_for_settings = false;
	r = child_start(&keeper->child, keeper->board_fd, now_ns);
	if (r < 0) {
		log_error("cannot start the sampler: %s", strerrordesc_np(-r));
		child_ended(&keeper->child, now_ns, false);
	}
	atomic_store(&keeper->sampler_pid, keeper->child.pid);
}

static void after_death(struct keeper *keeper, uint64_t now_ns, bool planned)
{
	child_ended(&keeper->child, now_ns, planned);
	pthread_mutex_lock(&keeper->lock);
	keeper->restarts = keeper->child.restarts;
	pthread_mutex_unlock(&keeper->lock);
	if (keeper->child.start_at_ns <= now_ns)
		tend_start(keeper, now_ns);
}

/* Deaths by a signal that nobody sends are laid at the library's door while it is in the process. */
static void blame_library(struct keeper *keeper, int status, uint64_t now_ns)
{
	uint32_t library = atomic_load(&keeper->board->library);
	int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	if ((library != LIBRARY_LOADING && library != LIBRARY_READY) || sig == SIGKILL || sig == SIGTERM ||
	    sig == SIGINT)
		return;
	if (keeper->library_deaths > 0 && now_ns - keeper->library_death_ns > LIBRARY_DEATHS_WITHIN_NS)
		keeper->library_deaths = 0;
	keeper->library_deaths++;
	keeper->library_death_ns = now_ns;
	if (keeper->library_deaths == LIBRARY_DEATHS_MAX)
		journal_log(
			LOG_PRIORITY_ERROR, MESSAGE_LIBRARY_UNUSABLE, NULL,
			"the ROCm SMI library ended the sampler %d times within an hour: going on without it, with the "
			"driver's files alone, until the next start of rocwatchd",
			LIBRARY_DEATHS_MAX);
}

static void tell_death(struct keeper *keeper, int status)
{
	char how[64];

	if (WIFSIGNALED(status))
		snprintf(how, sizeof(how), "was ended by signal %d (%s)", WTERMSIG(status),
			 sigdescr_np(WTERMSIG(status)));
	else
		snprintf(how, sizeof(how), "ended with status %d", WEXITSTATUS(status));
	journal_log(LOG_PRIORITY_WARNING, MESSAGE_SAMPLER_DIED, NULL,
		    "the sampler (pid %d) %s; a new one starts, samples and counters so far are kept",
		    (int)keeper->child.pid, how);
}

void tend_reap(struct keeper *keeper, uint64_t now_ns)
{
	bool told = keeper->child.replaced_ns != 0;
	int status;

	if (!child_reap(&keeper->child, &status))
		return;
	tend_control(keeper, now_ns); /* its last words */
	tend_output(keeper);
	told |= keeper->child.replaced_ns != 0;
	if (!told) {
		tell_death(keeper, status);
		blame_library(keeper, status, now_ns);
	}
	after_death(keeper, now_ns, told);
}

/* ---- its words ---- */

static void control_line(struct keeper *keeper, const char *line, uint64_t now_ns)
{
	if (line[0] == SAMPLER_AGAIN) {
		/* It ends by itself now; if a hung GPU holds it back, it is replaced without waiting. */
		log_notice("GPUs came or changed their numbers: the sampler looks at them anew");
		keeper->child.replaced_ns = now_ns;
		return;
	}
	if (line[0] >= '0' && line[0] <= '7')
		journal_log(line[0] - '0', NULL, NULL, "%s", line + 1);
}

/* Calls `each` for every whole line that can be read now. Lines are short; a torn one is dropped. */
static void read_lines(int fd, void (*each)(struct keeper *, const char *, uint64_t), struct keeper *keeper,
		       uint64_t now_ns)
{
	char bytes[8192];
	ssize_t n;

	while (fd >= 0 && (n = read(fd, bytes, sizeof(bytes) - 1)) > 0) {
		char *line, *rest = bytes;

		bytes[n] = '\0';
		while ((line = strsep(&rest, "\n")) != NULL)
			if (line[0] != '\0')
				each(keeper, line, now_ns);
	}
}

void tend_control(struct keeper *keeper, uint64_t now_ns)
{
	read_lines(keeper->child.control, control_line, keeper, now_ns);
}

/* What the library prints is logged once per line, then counted. */
static void output_line(struct keeper *keeper, const char *line, uint64_t now_ns)
{
	size_t i;

	(void)now_ns;
	for (i = 0; i < sizeof(keeper->output_told) / sizeof(keeper->output_told[0]); i++) {
		if (keeper->output_told[i] == NULL) {
			keeper->output_told[i] = strdup(line);
			log_info("the ROCm SMI library says: %.200s", line);
			return;
		}
		if (strcmp(keeper->output_told[i], line) == 0)
			break;
	}
	keeper->output_dropped++;
}

void tend_output(struct keeper *keeper)
{
	read_lines(keeper->child.output, output_line, keeper, 0);
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
	uint32_t state = atomic_load(&keeper->board->library);
	struct board_library library;

	if (state == keeper->library_told || state == LIBRARY_LOADING || board_library(keeper->board, &library) < 0)
		return;
	keeper->library_told = state;
	if (state == LIBRARY_READY)
		log_info("ROCm SMI: %s, which says it is version %s", library.path, library.version);
	else if (state == LIBRARY_UNAVAILABLE && keeper->config.source == SOURCE_ROCM_SMI)
		journal_log(LOG_PRIORITY_ERROR, MESSAGE_LIBRARY_UNUSABLE, NULL,
			    "ROCm SMI cannot be used: %s. source = rocm_smi leaves nobody to ask; set source = auto",
			    library.why);
	else if (state == LIBRARY_UNAVAILABLE)
		journal_log(LOG_PRIORITY_WARNING, MESSAGE_LIBRARY_UNUSABLE, NULL,
			    "ROCm SMI is not used: %s. The driver's own files answer instead", library.why);
}

void tend_tick(struct keeper *keeper, uint64_t now_ns)
{
	struct child *child = &keeper->child;

	tell_library(keeper);
	if (child->pid == 0 && now_ns >= child->start_at_ns)
		tend_start(keeper, now_ns);
	if (child->pid != 0 && keeper->restart_for_settings && child->replaced_ns == 0)
		child_kill(child, SIGTERM, now_ns);
	if (child->pid != 0 && child->replaced_ns != 0 && now_ns - child->replaced_ns > PATIENCE_NS) {
		log_warning("the sampler (pid %d) is held by a GPU that does not answer; another takes its place",
			    (int)child->pid);
		child_abandon(child);
		after_death(keeper, now_ns, true);
	}
}

/* ---- stop ---- */

static void name_silent_gpus(struct keeper *keeper)
{
	unsigned int gpus = atomic_load(&keeper->board->gpus), n;
	struct board_identity who;

	for (n = 0; n < gpus; n++) {
		struct board_gpu *slot = &keeper->board->gpu[n];

		if (atomic_load(&slot->present) &&
		    atomic_load(&slot->pass_began_ns) > atomic_load(&slot->pass_ended_ns) &&
		    board_identity(keeper->board, n, &who) == 0)
			log_warning("GPU %u (%s) did not answer; leaving the sampler (pid %d) to the kernel", n,
				    who.place.pci, (int)keeper->child.pid);
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
