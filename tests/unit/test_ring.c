/* The ring: order, overwriting, cursors, a writer that dies, and threads. */
#include "tests/unit/test.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/ring.h"

static struct ring *new_ring(uint32_t length)
{
	struct ring *ring = calloc(1, sizeof(*ring));

	assert_non_null(ring);
	ring->memory = calloc(1, ring_size(length));
	assert_non_null(ring->memory);
	ring->length = length;
	return ring;
}

static void free_ring(struct ring *ring)
{
	free(ring->memory);
	free(ring);
}

/* A sample that can be told by any of its values. */
static void put(struct ring *ring, double number)
{
	struct sample sample = { .monotonic_ns = (uint64_t)number * 10, .suspended = 1 };
	unsigned int row;

	for (row = 0; row < metrics_count; row++) {
		sample.value[row] = number + row;
		sample.reason[row] = READ_OK;
	}
	ring_put(ring, &sample);
}

static void empty_ring_has_nothing(void **state)
{
	struct ring *ring = new_ring(4);
	struct ring_cursor cursor = { 0 };
	struct sample sample;

	(void)state;
	assert_int_equal(ring_latest(ring, &sample), -ENODATA);
	assert_int_equal(ring_get(ring, 0, &sample), -ENODATA);
	assert_int_equal(ring_get(ring, 1, &sample), -ENODATA);
	assert_int_equal(ring_next(ring, &cursor, &sample), -ENODATA);
	free_ring(ring);
}

static void samples_come_back_whole(void **state)
{
	struct ring *ring = new_ring(4);
	struct sample sample;

	(void)state;
	put(ring, 7);
	assert_int_equal(ring_latest(ring, &sample), 0);
	assert_int_equal(sample.sequence, 1);
	assert_int_equal(sample.monotonic_ns, 70);
	assert_int_equal(sample.suspended, 1);
	assert_true(sample.value[0] == 7);
	assert_true(sample.value[metrics_count - 1] == 7 + metrics_count - 1);
	assert_int_equal(sample.reason[metrics_count - 1], READ_OK);
	free_ring(ring);
}

static void each_sample_is_read_once_in_order(void **state)
{
	struct ring *ring = new_ring(8);
	struct ring_cursor cursor = { 0 };
	struct sample sample;
	int i;

	(void)state;
	for (i = 1; i <= 5; i++)
		put(ring, i);
	for (i = 1; i <= 5; i++) {
		assert_int_equal(ring_next(ring, &cursor, &sample), 0);
		assert_int_equal(sample.sequence, i);
	}
	assert_int_equal(ring_next(ring, &cursor, &sample), -ENODATA);
	put(ring, 6);
	assert_int_equal(ring_next(ring, &cursor, &sample), 0);
	assert_int_equal(sample.sequence, 6);
	assert_int_equal(cursor.missed, 0);
	free_ring(ring);
}

static void slow_reader_is_told_what_it_missed(void **state)
{
	struct ring *ring = new_ring(4);
	struct ring_cursor cursor = { 0 };
	struct sample sample;
	int i;

	(void)state;
	put(ring, 1);
	assert_int_equal(ring_next(ring, &cursor, &sample), 0);
	for (i = 2; i <= 10; i++)
		put(ring, i);
	assert_int_equal(ring_next(ring, &cursor, &sample), 0);
	assert_int_equal(sample.sequence, 7);
	assert_int_equal(cursor.missed, 5);
	assert_int_equal(ring_get(ring, 6, &sample), -ENODATA);
	free_ring(ring);
}

static void dead_writer_leaves_a_slot_that_is_written_anew(void **state)
{
	struct ring *ring = new_ring(4);
	struct ring_cursor cursor = { 0 };
	struct sample sample;

	(void)state;
	put(ring, 1);
	put(ring, 2);
	/* As a writer that died within slot 3 % 4 leaves it: mark 0, `last` still 2. */
	atomic_store(&ring->memory->words[3 * ((ring_size(5) - ring_size(4)) / 8)], 0);
	assert_int_equal(ring_latest(ring, &sample), 0);
	assert_int_equal(sample.sequence, 2);
	put(ring, 3);
	while (ring_next(ring, &cursor, &sample) == 0)
		;
	assert_int_equal(sample.sequence, 3);
	assert_int_equal(cursor.missed, 0);
	free_ring(ring);
}

#define ROUNDS 30000

static void *write_many(void *argument)
{
	int i;

	for (i = 1; i <= ROUNDS; i++)
		put(argument, i);
	return NULL;
}

static void readers_never_see_a_torn_sample(void **state)
{
	struct ring *ring = new_ring(16);
	struct ring_cursor cursor = { 0 };
	uint64_t read = 0, last = 0;
	struct sample sample;
	pthread_t writer;

	(void)state;
	assert_int_equal(pthread_create(&writer, NULL, write_many, ring), 0);
	while (last < ROUNDS) {
		unsigned int row;

		if (ring_next(ring, &cursor, &sample) < 0)
			continue;
		assert_true(sample.sequence > last);
		last = sample.sequence;
		read++;
		for (row = 0; row < metrics_count; row++)
			assert_true(sample.value[row] == (double)sample.sequence + row);
	}
	pthread_join(writer, NULL);
	assert_int_equal(read + cursor.missed, ROUNDS);
	free_ring(ring);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_ring_has_nothing),
		cmocka_unit_test(samples_come_back_whole),
		cmocka_unit_test(each_sample_is_read_once_in_order),
		cmocka_unit_test(slow_reader_is_told_what_it_missed),
		cmocka_unit_test(dead_writer_leaves_a_slot_that_is_written_anew),
		cmocka_unit_test(readers_never_see_a_torn_sample),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
