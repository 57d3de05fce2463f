/* guarded - a plain value in shared memory with one writer and many readers, never a lock.
 *
 * The classic sequence lock, with the value copied as relaxed atomic words so that neither the language nor a thread
 * checker sees a race. A writer that dies half way leaves an odd mark: readers give up, the next writer repairs it. */
#ifndef COLLECTORS_GUARDED_H
#define COLLECTORS_GUARDED_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define GUARDED_WORDS(size) (((size) + 7) / 8)

/* Copies `size` bytes between plain memory and words; the tail of the last word is zero. */
void guarded_store(_Atomic uint64_t *words, const void *from, size_t size);
void guarded_load(const _Atomic uint64_t *words, void *to, size_t size);

/* The mark as it stands after what was loaded before this call. */
uint64_t guarded_mark_again(const _Atomic uint64_t *mark);

/* Writes the value. One writer at a time. */
void guarded_write(_Atomic uint64_t *mark, _Atomic uint64_t *words, const void *from, size_t size);

/* Reads the value. 0, or -EAGAIN where the writer was in the way each of some thousand times, or died there. */
int guarded_read(const _Atomic uint64_t *mark, const _Atomic uint64_t *words, void *to, size_t size);

#endif
