/* alert_journal - alert events become journal entries, no more of them than is good for the journal. */
#ifndef DAEMON_ALERT_JOURNAL_H
#define DAEMON_ALERT_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/alert.h"
#include "systemd/journal.h"

/* A token bucket: `burst` messages at once, and as many per minute. A quarter is kept for critical ones. */
struct alert_limit {
	uint64_t burst;
	double spent;        /* tokens */
	uint64_t last_ns;    /* when that was counted */
	uint64_t suppressed; /* all in all: rocwatch_alerts_suppressed_total */
	uint64_t untold;     /* of them, since it was last said */
};

void alert_limit_init(struct alert_limit *limit, uint64_t burst);

/* Whether a message may go out now. Counts it if not. Pure. */
bool alert_limit_take(struct alert_limit *limit, bool critical, uint64_t now_ns);

/* How many were held back and may be told now; 0: none, or still too many messages. Pure. */
uint64_t alert_limit_report(struct alert_limit *limit, uint64_t now_ns);

/* An entry, ready to be sent. Pure. */
struct alert_entry {
	int priority;
	const char *message_id;
	char message[ALERT_TEXT_SIZE];
	const char *fields[JOURNAL_FIELDS_MAX + 1]; /* "RULE=…", …, NULL; into `room` */
	char room[2048];
};

void alert_entry_make(const struct alert_event *event, struct alert_entry *ret);

/* Entries that wait: made under the caller's lock, sent after it, since a journal may let us wait. Zero is empty. */
struct alert_outgoing {
	struct alert_outgoing *next;
	struct alert_entry entry;
};

struct alert_outbox {
	struct alert_outgoing *first, *last;
};

/* Makes an entry of the event, or counts it where the limit says so. */
void alert_outbox_add(struct alert_outbox *outbox, struct alert_limit *limit, const struct alert_event *event,
		      uint64_t now_ns);

/* Sends all of them, in order. */
void alert_outbox_send(struct alert_outbox *outbox);

/* Says how many were held back, once there is room. Call it now and then. */
void alert_journal_tick(struct alert_limit *limit, uint64_t now_ns);

#endif
