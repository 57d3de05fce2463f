/* A value that one thread writes and another reads is never seen half new, half old. */
#include "tests/unit/test.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "collectors/guarded.h"

#define ROUNDS 20000
#define BYTES 100

static _Atomic uint64_t mark;
static _Atomic uint64_t words[GUARDED_WORDS(BYTES)];

static void *write_many(void *argument)
{
	char bytes[BYTES];
	int i;

	(void)argument;
	for (i = 0; i < ROUNDS; i++) {
		memset(bytes, i & 0x7f, sizeof(bytes));
		guarded_write(&mark, words, bytes, sizeof(bytes));
	}
	return NULL;
}

static void threads_see_whole_values(void **state)
{
	char bytes[BYTES];
	pthread_t writer;
	int i, got = 0;

	(void)state;
	assert_int_equal(pthread_create(&writer, NULL, write_many, NULL), 0);
	for (i = 0; i < ROUNDS; i++) {
		if (guarded_read(&mark, words, bytes, sizeof(bytes)) < 0)
			continue;
		got++;
		assert_memory_equal(bytes, bytes + 1, sizeof(bytes) - 1);
	}
	pthread_join(writer, NULL);
	assert_true(got > 0);
}

static void dead_writer_is_told_and_repaired(void **state)
{
	_Atomic uint64_t broken = 7; /* odd: it died within */
	char bytes[BYTES] = "whole", back[BYTES];

	(void)state;
	assert_int_equal(guarded_read(&broken, words, back, sizeof(back)), -EAGAIN);
	guarded_write(&broken, words, bytes, sizeof(bytes));
	assert_int_equal(guarded_read(&broken, words, back, sizeof(back)), 0);
	assert_string_equal(back, "whole");
}

static void odd_sizes_keep_their_tail(void **state)
{
	char from[13] = "twelve chars", to[13];

	(void)state;
	guarded_store(words, from, sizeof(from));
	guarded_load(words, to, sizeof(to));
	assert_memory_equal(from, to, sizeof(to));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_see_whole_values),
		cmocka_unit_test(dead_writer_is_told_and_repaired),
		cmocka_unit_test(odd_sizes_keep_their_tail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
