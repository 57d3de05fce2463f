/* ring - the recent past of one GPU in shared memory: one writer, many readers, never a lock.
 *
 * Readers have cursors of their own and are told what they missed. A writer that dies within a slot leaves a slot that
 * readers skip; the next writer writes it anew. A slot holds as many values as the table has rows. */
#ifndef COLLECTORS_RING_H
#define COLLECTORS_RING_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "collectors/sample.h"

/* In shared memory; zeroed memory is an empty ring. Nothing in it is trusted: lengths are the handle's. */
struct ring_memory {
	_Atomic uint64_t last;    /* sequence of the newest whole sample; 0: none yet */
	_Atomic uint64_t words[]; /* per slot: the sequence (0 while being written), then the sample */
};

/* A process's own handle on a ring; a plain value. */
struct ring {
	struct ring_memory *memory;
	uint32_t length; /* slots, at least 2 */
};

/* Bytes of the memory of a ring of that length. */
size_t ring_size(uint32_t length);

/* Adds a sample and gives it the next sequence. The writer only. */
void ring_put(const struct ring *ring, const struct sample *sample);

/* The sample of that sequence: 0; -ENODATA: not there yet, overwritten, or never finished. */
int ring_get(const struct ring *ring, uint64_t sequence, struct sample *ret);

/* The newest sample: 0, or -ENODATA. */
int ring_latest(const struct ring *ring, struct sample *ret);

struct ring_cursor {
	uint64_t next;   /* sequence to read next; 0: from the first one on */
	uint64_t missed; /* samples that were overwritten before this reader came */
};

/* The next unread sample, oldest first: 0, or -ENODATA where all are read. */
int ring_next(const struct ring *ring, struct ring_cursor *cursor, struct sample *ret);

#endif
