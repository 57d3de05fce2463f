/* alert_row - the state of one row of one rule on one GPU, and how a judgement changes it.
 *
 * inactive → pending → firing → inactive. Bad readings must last for the rule's `for` before it
 * fires, good ones for its `clear_for` before it ends; what is summed up for that is the time
 * between two readings that say the same. Missing readings and gaps add nothing, and a hole longer
 * than the hold time begins anew. Pure. */
#ifndef DAEMON_ALERT_ROW_H
#define DAEMON_ALERT_ROW_H

#include "daemon/alert.h"

/* All zero: never judged. Times are CLOCK_MONOTONIC. */
struct alert_row {
	enum alert_state state;   /* never ALERT_NO_DATA */
	enum verdict verdict;     /* the last that was not NO_DATA */
	bool hole;                /* readings were missing since */
	uint64_t judged_ns;       /* when it was given */
	uint64_t held_ns;         /* how long it has been that */
	uint64_t bad_since_ns;    /* pending and firing */
	uint64_t firing_since_ns; /* firing, and what it was when that ended */
	struct judgement last;    /* the last that was not NO_DATA */
};

/* Takes one judgement. Whether the state changed. */
bool alert_row_step(struct alert_row *row, const struct rule *rule, const struct judgement *judgement, uint64_t now_ns,
		    uint64_t gap_ns);

/* The row is silenced: it waits for nothing, but what fires stays as it is. Whether the state
 * changed. */
bool alert_row_silence(struct alert_row *row);

#endif
