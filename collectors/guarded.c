/* guarded - see the header. */
#include "collectors/guarded.h"

#include <errno.h>
#include <string.h>

void guarded_store(_Atomic uint64_t *words, const void *from, size_t size)
{
	const char *bytes = from;

	for (; size > 0; words++) {
		size_t n = size < 8 ? size : 8;
		uint64_t word = 0;

		memcpy(&word, bytes, n);
		atomic_store_explicit(words, word, memory_order_relaxed);
		bytes += n;
		size -= n;
	}
}

void guarded_load(const _Atomic uint64_t *words, void *to, size_t size)
{
	char *bytes = to;

	for (; size > 0; words++) {
		size_t n = size < 8 ? size : 8;
		uint64_t word = atomic_load_explicit(words, memory_order_relaxed);

		memcpy(bytes, &word, n);
		bytes += n;
		size -= n;
	}
}

void guarded_write(_Atomic uint64_t *mark, _Atomic uint64_t *words, const void *from, size_t size)
{
	uint64_t before = atomic_load_explicit(mark, memory_order_relaxed) | 1;

	atomic_store_explicit(mark, before, memory_order_relaxed);
	atomic_thread_fence(memory_order_release); /* the mark is odd before a word changes */
	guarded_store(words, from, size);
	atomic_store_explicit(mark, before + 1, memory_order_release);
}

uint64_t guarded_mark_again(const _Atomic uint64_t *mark)
{
	/* Readers map the memory read-only, so no read-modify-write can order the loads before this one: a fence does.
	 */
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(mark, memory_order_relaxed);
}

int guarded_read(const _Atomic uint64_t *mark, const _Atomic uint64_t *words, void *to, size_t size)
{
	int tries;

	for (tries = 0; tries < 4096; tries++) {
		uint64_t before = atomic_load_explicit(mark, memory_order_acquire);

		if (before & 1)
			continue;
		guarded_load(words, to, size);
		if (guarded_mark_again(mark) == before)
			return 0;
	}
	return -EAGAIN;
}
