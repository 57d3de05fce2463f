/* ring - see the header. A slot in shared memory is packed: a head, the values of the table's rows, their reasons. */
#include "collectors/ring.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "collectors/guarded.h"

struct slot_head {
	uint64_t monotonic_ns, realtime_ns;
	uint32_t duration_us;
	uint8_t suspended, core_failed, unused[2];
};

struct packed {
	struct slot_head head;
	unsigned char rest[METRICS_MAX * (sizeof(double) + 1)];
};

static size_t packed_size(void)
{
	return sizeof(struct slot_head) + metrics_count * (sizeof(double) + 1);
}

static size_t slot_words(void)
{
	return 1 + GUARDED_WORDS(packed_size());
}

size_t ring_size(uint32_t length)
{
	return sizeof(struct ring_memory) + length * slot_words() * sizeof(uint64_t);
}

static void pack(const struct sample *sample, struct packed *ret)
{
	size_t values = metrics_count * sizeof(double);

	ret->head = (struct slot_head){
		.monotonic_ns = sample->monotonic_ns,
		.realtime_ns = sample->realtime_ns,
		.duration_us = sample->duration_us,
		.suspended = sample->suspended,
		.core_failed = sample->core_failed,
	};
	memcpy(ret->rest, sample->value, values);
	memcpy(ret->rest + values, sample->reason, metrics_count);
}

static void unpack(const struct packed *packed, uint64_t sequence, struct sample *ret)
{
	size_t values = metrics_count * sizeof(double);

	memset(ret, 0, sizeof(*ret));
	ret->sequence = sequence;
	ret->monotonic_ns = packed->head.monotonic_ns;
	ret->realtime_ns = packed->head.realtime_ns;
	ret->duration_us = packed->head.duration_us;
	ret->suspended = packed->head.suspended;
	ret->core_failed = packed->head.core_failed;
	memcpy(ret->value, packed->rest, values);
	memcpy(ret->reason, packed->rest + values, metrics_count);
}

void ring_put(const struct ring *ring, const struct sample *sample)
{
	uint64_t sequence = atomic_load_explicit(&ring->memory->last, memory_order_relaxed) + 1;
	_Atomic uint64_t *slot = ring->memory->words + (sequence % ring->length) * slot_words();
	struct packed packed;

	pack(sample, &packed);
	atomic_store_explicit(&slot[0], 0, memory_order_relaxed);
	atomic_thread_fence(memory_order_release); /* the mark is down before a word changes */
	guarded_store(slot + 1, &packed, packed_size());
	atomic_store_explicit(&slot[0], sequence, memory_order_release);
	atomic_store_explicit(&ring->memory->last, sequence, memory_order_release);
}

int ring_get(const struct ring *ring, uint64_t sequence, struct sample *ret)
{
	const _Atomic uint64_t *slot = ring->memory->words + (sequence % ring->length) * slot_words();
	struct packed packed;

	if (sequence == 0 || atomic_load_explicit(&slot[0], memory_order_acquire) != sequence)
		return -ENODATA;
	guarded_load(slot + 1, &packed, packed_size());
	if (guarded_mark_again(&slot[0]) != sequence)
		return -ENODATA;
	unpack(&packed, sequence, ret);
	return 0;
}

int ring_latest(const struct ring *ring, struct sample *ret)
{
	int tries, r = -ENODATA;

	/* The writer would have to come round the whole ring between two lines for the second try to fail. */
	for (tries = 0; tries < 3 && r < 0; tries++)
		r = ring_get(ring, atomic_load_explicit(&ring->memory->last, memory_order_acquire), ret);
	return r;
}

int ring_next(const struct ring *ring, struct ring_cursor *cursor, struct sample *ret)
{
	uint64_t last = atomic_load_explicit(&ring->memory->last, memory_order_acquire);
	uint64_t oldest = last >= ring->length ? last - ring->length + 1 : 1;
	uint32_t tries;

	if (cursor->next == 0)
		cursor->next = 1;
	if (cursor->next > last && cursor->next - last > 1)
		cursor->next = last; /* no ring of ours goes back: what was read of it was nonsense */
	if (cursor->next < oldest && last > 0) {
		cursor->missed += oldest - cursor->next;
		cursor->next = oldest;
	}
	for (tries = 0; tries < ring->length && cursor->next <= last; tries++) {
		if (ring_get(ring, cursor->next++, ret) == 0)
			return 0;
		cursor->missed++;
	}
	return -ENODATA;
}
