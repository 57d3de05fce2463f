/* journal_queue - entries that wait for a thread of their own to deliver them: a journal that stands still, or a pipe
 * that nobody reads, must not stop whoever has something to say. */
#ifndef SYSTEMD_JOURNAL_QUEUE_H
#define SYSTEMD_JOURNAL_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QUEUE_MOST 1024 /* entries; more are dropped and counted */

struct journal_entry {
	struct journal_entry *next;
	int priority;
	const char *message_id;    /* a constant, or NULL */
	const char *const *fields; /* NULL-terminated; copied with the entry; NULL: none */
	const char *text;
};

/* Starts the thread, which calls `deliver` for one entry after the other. false: there is no thread; deliver yourself.
 */
bool journal_queue_start(void (*deliver)(const struct journal_entry *entry));

/* Takes a copy. false: not started (deliver yourself). A full queue drops the entry and counts it. Any thread. */
bool journal_queue_put(const struct journal_entry *entry);

/* Waits until all is delivered, at most so long; then what is left is lost. Ends the use of the queue. */
void journal_queue_stop(uint64_t patience_ns);

/* Entries dropped so far because the queue was full. */
uint64_t journal_queue_dropped(void);

#endif
