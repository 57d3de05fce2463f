/* alert - the engine: rules × GPUs × rows, each with a state, each change of state once.
 *
 * Pure: time comes in, events go out through a sink. One thread at a time. Missing data never fires a rule and never
 * ends one: hold times stand still while there is none. All memory is taken in alerts_new(). */
#ifndef DAEMON_ALERT_H
#define DAEMON_ALERT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collectors/device.h"
#include "collectors/sample.h"
#include "daemon/rules/rules.h"

enum alert_state {
	ALERT_INACTIVE,
	ALERT_PENDING, /* bad, but not yet for long enough */
	ALERT_FIRING,
	ALERT_NO_DATA, /* stands beside the others: only counted and shown, never in an event */
	ALERT_STATES
};

/* "inactive", "pending", "firing", "no_data". */
const char *alert_state_name(enum alert_state state);

/* Why an alert ended. */
enum alert_cause {
	ALERT_JUDGED,  /* the condition is over (or began) */
	ALERT_REMOVED, /* the rule is gone after a reload */
	ALERT_CHANGED, /* the rule says something else after a reload, and begins anew */
};

/* A GPU as the engine needs it. */
struct alert_gpu {
	unsigned int index;
	const char *pci, *name; /* "" unknown; copied */
	enum gpu_state state;
	uint64_t age_ns; /* of the newest sample; UINT64_MAX: there never was one */
};

/* A rule began or ceased to fire. Pointers are good until the sink returns. */
struct alert_event {
	const struct rule *rule;
	unsigned int gpu;
	const char *pci, *gpu_name;
	int row;                   /* of the table; -1 for rules without a metric */
	enum alert_state from, to; /* to: ALERT_FIRING, or ALERT_INACTIVE (resolved) */
	enum alert_cause cause;
	struct judgement judgement; /* value and limit; NAN where there is none */
	uint64_t since_ns;    /* CLOCK_MONOTONIC: firing: when it began to be bad; resolved: when it began to fire */
	uint64_t duration_ns; /* from then to this event */
	uint64_t realtime_ns; /* of the sample; 0: judged by a tick */
};

typedef void alert_sink(void *arg, const struct alert_event *event);

struct alerts;

/* `rules` stays the caller's and must outlive the engine. Two samples further apart than gap_ns have a gap between
 * them, which counts for no hold time. NULL: out of memory. */
struct alerts *alerts_new(const struct rules *rules, uint64_t gap_ns);
void alerts_free(struct alerts *alerts);

/* After a reload: takes over what `old` knows of rules that have the same name and say the same, so that nothing fires
 * twice or is forgotten. What fires in `old` and cannot be taken over is resolved, with the reason. Then free `old`,
 * and its rules after it. Nothing may have been judged by `alerts` before. */
void alerts_adopt(struct alerts *alerts, struct alerts *old, uint64_t now_ns, alert_sink *sink, void *arg);

/* Judges a sample by all rules with a metric. Each sample once, in order. */
void alerts_judge(struct alerts *alerts, const struct alert_gpu *gpu, const struct sample *sample, alert_sink *sink,
		  void *arg);

/* Judges the rules that need no sample (absent). Each tick, each GPU, before its samples. */
void alerts_tick(struct alerts *alerts, const struct alert_gpu *gpu, uint64_t now_ns, alert_sink *sink, void *arg);

/* How many alerts fire: rows of rules on GPUs. */
unsigned int alerts_firing_count(const struct alerts *alerts);

/* One rule on one GPU, for the page. */
struct alert_view {
	const struct rule *rule;
	unsigned int gpu;
	enum alert_state state; /* of its row that is furthest: inactive, pending or firing */
	bool no_data;           /* no row can be judged, or one that the GPU has cannot */
	bool silenced;          /* a rule fires that this one names in `unless` */
	uint64_t since_ns;      /* CLOCK_MONOTONIC when it began to fire; 0: it does not */
};

/* Calls `each` for all rules on all GPUs seen so far. */
void alerts_each(const struct alerts *alerts, void (*each)(void *arg, const struct alert_view *view), void *arg);

/* Calls `each` for all rules and states: how often the rule came into the state, on all GPUs. */
void alerts_each_transition(const struct alerts *alerts,
			    void (*each)(void *arg, const struct rule *rule, enum alert_state to, uint64_t count),
			    void *arg);

/* A sentence for a person: "GPU 3 (0000:c3:00.0) junction temperature 96.5 °C, above 95 °C for 10 s [rule gpu-hot]: …",
 * with the rule's summary after the colon. Returns `to`. */
#define ALERT_TEXT_SIZE 512
char *alert_describe(const struct alert_event *event, char *to, size_t size);

#endif
