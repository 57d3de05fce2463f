/* keeper - see the header. One loop: signals, the sampler's words and death, and a tick in which samples are judged. */
#include "daemon/keeper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "systemd/journal.h"
#include "systemd/message_ids.h"
#include "systemd/notify.h"

#define TICK_MAX_NS 250000000ull
#define SECOND_NS 1000000000ull
#define READY_PATIENCE_NS 10000000000ull
#define OUTPUT_LOOKS 16 /* of 4 KiB in a second */

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec;
}

uint64_t now_monotonic(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

uint64_t now_realtime(void)
{
	return clock_ns(CLOCK_REALTIME);
}

/* ---- start ---- */

static int open_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int open_tick(void)
{
	struct itimerspec every = { .it_interval.tv_nsec = (long)TICK_MAX_NS, .it_value.tv_nsec = 1 };
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	if (fd >= 0)
		timerfd_settime(fd, 0, &every, NULL);
	return fd;
}

/* What clients do wrong is theirs, and may be much: the first in a minute is told, with how many came before it. */
static void http_said(const char *text)
{
	static _Atomic uint64_t told_ns, untold;
	uint64_t now = now_monotonic(), before = atomic_load(&told_ns);

	if ((before != 0 && now - before < 60 * SECOND_NS) || !atomic_compare_exchange_strong(&told_ns, &before, now))
		atomic_fetch_add(&untold, 1);
	else
		log_info("HTTP: %.200s (%llu more like it before)", text,
			 (unsigned long long)atomic_exchange(&untold, 0));
}

static int keeper_open(struct keeper *keeper)
{
	uint64_t slots = keeper->config.history_ns / keeper->config.interval_ns + 1;
	struct http_limits limits = { .connections = (unsigned int)keeper->config.max_connections,
				      .timeout_s = (unsigned int)(keeper->config.timeout_ns / SECOND_NS) };
	char why[200] = "";
	int r = board_create((uint32_t)(slots < 16 ? 16 : slots), &keeper->board, &keeper->board_fd);

	if (r < 0) {
		log_error("cannot make the memory for samples: %s", strerrordesc_np(-r));
		return r;
	}
	r = http_start(keeper->config.listen, &limits, publish_page, keeper, http_said, &keeper->http, why,
		       sizeof(why));
	if (r < 0)
		log_error("%s; [web] listen or --listen chooses another address", why);
	return r;
}

/* ---- the loop ---- */

static void take_signals(struct keeper *keeper, int fd, uint64_t now_ns)
{
	struct signalfd_siginfo info;

	while (read(fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			tend_reap(keeper, now_ns);
		else if (info.ssi_signo == SIGHUP)
			reload(keeper);
		else
			keeper->stop = true;
	}
}

static void say_ready(struct keeper *keeper, uint64_t now_ns)
{
	unsigned int gpus = board_gpus(&keeper->board);

	if (keeper->ready ||
	    (!watch_first_pass_done(keeper, now_ns) && now_ns - keeper->started_ns < READY_PATIENCE_NS))
		return;
	pthread_mutex_lock(&keeper->lock);
	keeper->ready = true;
	pthread_mutex_unlock(&keeper->lock);
	notify_ready();
	journal_log(LOG_PRIORITY_NOTICE, MESSAGE_STARTED, NULL, "watching %u GPUs; metrics at http://%s/metrics", gpus,
		    http_address(keeper->http));
	if (gpus == 0)
		log_warning("there is no GPU of the amdgpu driver so far; looking again every %llu s",
			    (unsigned long long)(keeper->config.rescan_ns / SECOND_NS));
}

/* The line of `systemctl status`, where it changed. */
static void report_status(struct keeper *keeper)
{
	char status[sizeof(keeper->status)];

	snprintf(status, sizeof(status), "%u GPUs, %u alerts firing%s", board_gpus(&keeper->board),
		 alerts_firing_count(keeper->alerts),
		 keeper->reload_ok ? "" : "; the last reload was rejected, the old settings are in force");
	if (strcmp(status, keeper->status) == 0)
		return;
	strcpy(keeper->status, status);
	notify_status("%s", status);
}

static void report(struct keeper *keeper, uint64_t now_ns)
{
	uint64_t watchdog = notify_watchdog_interval_ns();

	if (now_ns - keeper->status_ns >= SECOND_NS) {
		keeper->status_ns = now_ns;
		keeper->output_ration = OUTPUT_LOOKS;
		report_status(keeper);
	}
	if (watchdog > 0 && now_ns - keeper->watchdog_ns >= watchdog) {
		keeper->watchdog_ns = now_ns;
		notify_watchdog();
	}
	if (keeper->overrides.live && keeper->ready && now_ns - keeper->live_ns >= SECOND_NS) {
		keeper->live_ns = now_ns;
		live_print(keeper, now_ns);
	}
}

static void tick(struct keeper *keeper, int fd, uint64_t now_ns)
{
	uint64_t expirations;

	if (read(fd, &expirations, sizeof(expirations)) != (ssize_t)sizeof(expirations))
		return;
	tend_tick(keeper, now_ns);
	watch_tick(keeper, now_ns);
	say_ready(keeper, now_ns);
	report(keeper, now_ns);
}

static void keeper_loop(struct keeper *keeper, int signals, int ticks)
{
	while (!keeper->stop) {
		struct pollfd fds[] = {
			{ .fd = signals, .events = POLLIN },
			{ .fd = ticks, .events = POLLIN },
			{ .fd = keeper->child.control, .events = POLLIN },
			{ .fd = keeper->child.output, .events = keeper->output_ration > 0 ? POLLIN : 0 },
		};
		uint64_t now;

		if (poll(fds, sizeof(fds) / sizeof(fds[0]), -1) < 0 && errno != EINTR)
			break;
		now = now_monotonic();
		if (fds[2].revents & POLLIN)
			tend_control(keeper, now);
		if (fds[3].revents & POLLIN)
			tend_output(keeper);
		/* A pipe whose writer is gone would wake us without end. */
		if ((fds[2].revents | fds[3].revents) & POLLHUP)
			tend_hang_up(keeper, fds[2].revents & POLLHUP, fds[3].revents & POLLHUP);
		take_signals(keeper, signals, now);
		tick(keeper, ticks, now);
	}
}

static void keeper_close(struct keeper *keeper)
{
	size_t i;

	http_stop(keeper->http);
	if (keeper->board.memory != NULL)
		close(keeper->board_fd);
	board_close(&keeper->board);
	alerts_free(keeper->alerts);
	rules_free(keeper->rules);
	config_fini(&keeper->config);
	for (i = 0; i < OUTPUT_LINES; i++)
		free(keeper->output_told[i]);
	pthread_mutex_destroy(&keeper->lock);
	free(keeper);
}

/* Everything between settings and the end. */
static int keeper_serve(struct keeper *keeper)
{
	int signals = open_signals(), ticks = open_tick();

	journal_start(); /* its thread has the signals blocked as we have */
	if (signals < 0 || ticks < 0) {
		log_error("cannot start: %s", strerrordesc_np(errno));
		return EXIT_FAILURE;
	}
	if (keeper_open(keeper) < 0)
		return EXIT_FAILURE;
	tend_start(keeper, now_monotonic());
	keeper_loop(keeper, signals, ticks);
	notify_stopping();
	journal_log(LOG_PRIORITY_INFO, MESSAGE_STOPPING, NULL, "stopping");
	tend_stop(keeper);
	close(signals);
	close(ticks);
	return EXIT_SUCCESS;
}

int keeper_run(const struct overrides *overrides)
{
	struct keeper *keeper = calloc(1, sizeof(*keeper));
	struct problems problems = { 0 };
	int status = EXIT_FAILURE;

	if (keeper == NULL)
		return EXIT_FAILURE;
	keeper->overrides = *overrides;
	keeper->started_ns = now_monotonic();
	keeper->started_realtime_ns = keeper->reloaded_realtime_ns = now_realtime();
	keeper->reload_ok = true;
	keeper->output_ration = OUTPUT_LOOKS;
	pthread_mutex_init(&keeper->lock, NULL);
	child_init(&keeper->child);
	journal_init();
	if (keeper_load(overrides, &keeper->config, &keeper->rules, &problems) < 0) {
		problems_print(&problems, stderr);
		log_error("%zu mistakes in the settings: not started", problems.count);
		status = EXIT_CONFIG;
	} else {
		alert_limit_init(&keeper->alert_limit, keeper->config.burst);
		keeper->alerts = alerts_new(keeper->rules, watch_gap_ns(&keeper->config));
		status = keeper->alerts != NULL ? keeper_serve(keeper) : EXIT_FAILURE;
	}
	problems_fini(&problems);
	journal_stop();
	keeper_close(keeper);
	return status;
}
