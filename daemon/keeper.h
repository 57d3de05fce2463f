/* keeper - the process that stays: settings, rings, the sampler's life, alerts, the page. It never touches a GPU. */
#ifndef DAEMON_KEEPER_H
#define DAEMON_KEEPER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "collectors/board.h"
#include "config/config.h"
#include "daemon/alert.h"
#include "daemon/alert_journal.h"
#include "daemon/child.h"
#include "daemon/rules/rules.h"
#include "exporter/http.h"

#define OUTPUT_LINES 64
#define EXIT_CONFIG 78 /* settings with mistakes: starting again would not help (sysexits.h calls it so) */

/* What the command line says over the file, applied again at each reload. NULL: nothing. */
struct overrides {
	const char *config_path; /* NULL: the default path if it is there, else none */
	const char *listen, *source, *rocm_smi_library;
	bool live; /* a line per GPU each second on standard output */
};

/* What the keeper knows of a GPU between two ticks. Main thread only, but for `hangs`, and `state` and `known` under
 * the lock. */
struct watched {
	enum gpu_state state;
	bool fresh;             /* its newest sample may be shown */
	bool known;             /* a state was ever told */
	_Atomic uint64_t hangs; /* times that it was found hung */
	struct ring_cursor cursor;
};

struct keeper {
	struct overrides overrides;
	struct board board;
	int board_fd;
	struct child child;
	struct http *http;
	uint64_t started_ns, started_realtime_ns;

	/* `lock`: what the HTTP thread reads and the main thread changes; the page is made under it, from memory. */
	pthread_mutex_t lock;
	struct config config;
	struct rules *rules;
	struct alerts *alerts;
	bool reload_ok;
	uint64_t reloaded_realtime_ns;
	bool ready;
	uint64_t restarts; /* a copy of child.restarts */
	uint64_t alerts_suppressed, samples_missed;
	_Atomic int sampler_pid; /* a copy of child.pid */

	struct alert_limit alert_limit;
	struct alert_outbox outbox; /* what the rules found, until the lock is given back */
	struct watched watched[GPUS_MAX];
	char status[128];                         /* as it was last told */
	uint64_t live_ns, status_ns, watchdog_ns; /* when each was last done */
	unsigned int library_deaths;              /* of the sampler while the library was in it */
	uint64_t library_death_ns;
	uint32_t library_told;           /* enum library_state that was last logged */
	char *output_told[OUTPUT_LINES]; /* lines of the library that were logged: each once */
	unsigned int output_ration;      /* looks at its output that are left in this second */
	bool restart_wanted;
	bool stop;
};

/* Settings and rules from the files, with the command line over them. Problems are added; 0 or -errno. */
int keeper_load(const struct overrides *overrides, struct config *ret, struct rules **ret_rules,
		struct problems *problems);

/* Runs until it is told to stop. Returns the exit status. */
int keeper_run(const struct overrides *overrides);

/* CLOCK_MONOTONIC and CLOCK_REALTIME. */
uint64_t now_monotonic(void);
uint64_t now_realtime(void);

/* watch.c: reads what is new of every GPU, judges it, tells what changed. Each tick. */
void watch_tick(struct keeper *keeper, uint64_t now_ns);

/* Takes what the rules found: to the journal. */
void watch_alert(void *keeper, const struct alert_event *event);

/* Samples further apart than this have a gap between them. */
uint64_t watch_gap_ns(const struct config *config);

/* Whether every GPU has had its first pass, or had time enough for it. */
bool watch_first_pass_done(struct keeper *keeper, uint64_t now_ns);

/* tend.c: the sampler's life and words. */
void tend_start(struct keeper *keeper, uint64_t now_ns);
void tend_reap(struct keeper *keeper, uint64_t now_ns);
void tend_tick(struct keeper *keeper, uint64_t now_ns);
uint64_t tend_silence(const struct keeper *keeper, uint64_t now_ns); /* since its last sign of life, or its start */
void tend_control(struct keeper *keeper, uint64_t now_ns);
void tend_output(struct keeper *keeper);
void tend_hang_up(struct keeper *keeper, bool control, bool output);
void tend_stop(struct keeper *keeper);

/* reload.c: SIGHUP. */
void reload(struct keeper *keeper);

/* publish.c: the pages. */
int publish_page(void *argument, const char *path, struct http_page *ret);

/* live.c: the lines of --live. */
void live_print(struct keeper *keeper, uint64_t now_ns);

#endif
