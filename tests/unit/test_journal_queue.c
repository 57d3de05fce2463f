/* What is said waits for a thread of its own: a delivery that stands still stops nobody. */
#include "tests/unit/test.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "systemd/journal_queue.h"

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER; /* held: the journal stands still */
static pthread_mutex_t heard_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned int heard; /* heard_lock */
static char last[64];	   /* heard_lock */

static void deliver(const struct journal_entry *entry)
{
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	pthread_mutex_lock(&heard_lock);
	heard++;
	snprintf(last, sizeof(last), "%d %s %s %s", entry->priority, entry->message_id,
		 entry->fields[0] != NULL ? entry->fields[0] : "-", entry->text);
	pthread_mutex_unlock(&heard_lock);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool say(const char *text)
{
	const char *const fields[] = { "GPU=3", NULL };
	const struct journal_entry entry = { .priority = 4, .message_id = "id", .fields = fields, .text = text };

	return journal_queue_put(&entry);
}

static void all_of_it(void **state)
{
	unsigned int i;
	double began;

	(void)state;
	assert_false(say("nobody is there")); /* then one delivers oneself */
	assert_true(journal_queue_start(deliver));
	pthread_mutex_lock(&gate);
	for (i = 0; i < QUEUE_MOST + 100; i++) {
		char text[16];

		snprintf(text, sizeof(text), "%u", i); /* copied: it may go */
		assert_true(say(text));
	}
	assert_int_equal(journal_queue_dropped(), 100);
	began = seconds();
	journal_queue_stop(50000000); /* it stands still: a bounded wait */
	assert_true(seconds() - began >= 0.04);
	assert_false(say("after the end"));
	pthread_mutex_unlock(&gate);
	assert_true(journal_queue_start(deliver));
	journal_queue_stop(20000000000u); /* there is room again */
	assert_true(journal_queue_start(deliver));
	assert_true(say("the last"));
	journal_queue_stop(20000000000u);
	pthread_mutex_lock(&heard_lock);
	assert_int_equal(heard, QUEUE_MOST + 1);
	assert_string_equal(last, "4 id GPU=3 the last");
	pthread_mutex_unlock(&heard_lock);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(all_of_it) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
