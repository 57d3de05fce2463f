/* One pass over one GPU, with sources of our own: who is asked, what wins, what is said of failures. */
#include "tests/unit/test.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/collect.h"
#include "collectors/collector.h"

#define SECOND 1000000000ull

/* What each of the two sources answers. */
static struct answer {
	int error;
	double value;
} answers[2][Q_QUANTITIES];
static int asked[2][Q_QUANTITIES];
static bool same = true;

static int fake_attach(const struct board_settings *settings, const struct board_identity *who, void **ret)
{
	(void)settings;
	(void)who;
	*ret = (void *)answers;
	return 0;
}

static void fake_detach(void *gpu)
{
	(void)gpu;
}

static bool fake_begin(void *gpu)
{
	(void)gpu;
	return true;
}

static bool fake_same(void *gpu)
{
	(void)gpu;
	return same;
}

static int fake_read(int source, enum quantity quantity, double *ret)
{
	asked[source][quantity]++;
	*ret = answers[source][quantity].value;
	return answers[source][quantity].error;
}

static int first_read(void *gpu, enum quantity quantity, int selector, double *ret)
{
	(void)gpu;
	(void)selector;
	return fake_read(0, quantity, ret);
}

static int second_read(void *gpu, enum quantity quantity, int selector, double *ret)
{
	(void)gpu;
	(void)selector;
	return fake_read(1, quantity, ret);
}

static const struct source first = { "first", fake_attach, fake_detach, fake_begin, fake_same, first_read };
static const struct source second = { "second", fake_attach, fake_detach, fake_begin, NULL, second_read };
static const struct source *const both[] = { &first, &second, NULL };

static struct board_settings settings;
static struct board_identity who;
static struct collect collect;
static char root[64];

static void write_status(const char *status)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/bus/pci/devices/0000:03:00.0/power/runtime_status", root);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(status, file);
	fclose(file);
}

static int setup(void **state)
{
	char command[256];
	int q;

	(void)state;
	snprintf(root, sizeof(root), "/tmp/rocwatch-test.XXXXXX");
	assert_non_null(mkdtemp(root));
	snprintf(command, sizeof(command), "mkdir -p %s/bus/pci/devices/0000:03:00.0/power", root);
	assert_int_equal(system(command), 0);
	write_status("active\n");
	snprintf(settings.sysfs, sizeof(settings.sysfs), "%s", root);
	snprintf(who.place.pci, sizeof(who.place.pci), "0000:03:00.0");
	memset(&collect, 0, sizeof(collect));
	memset(asked, 0, sizeof(asked));
	same = true;
	for (q = 0; q < Q_QUANTITIES; q++)
		answers[0][q] = answers[1][q] = (struct answer){ -EOPNOTSUPP, 0 };
	assert_int_equal(collect_attach(&collect, &settings, &who, both), 0);
	return 0;
}

static int teardown(void **state)
{
	char command[128];

	(void)state;
	collect_detach(&collect);
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

static int power_row(void)
{
	return metric_row(Q_POWER, 0);
}

static void pass(uint64_t seconds)
{
	collect_pass(&collect, seconds * SECOND, 0, true);
}

static void first_valid_answer_wins(void **state)
{
	(void)state;
	answers[0][Q_POWER] = (struct answer){ 0, 100 };
	answers[1][Q_POWER] = (struct answer){ 0, 200 };
	pass(1);
	assert_true(collect.sample.value[power_row()] == 100);
	assert_int_equal(asked[1][Q_POWER], 0);
	/* a refusal, an error, a value out of range: the next one is asked */
	answers[0][Q_POWER] = (struct answer){ -EOPNOTSUPP, 0 };
	pass(2);
	assert_true(collect.sample.value[power_row()] == 200);
	answers[0][Q_POWER] = (struct answer){ -EIO, 0 };
	pass(3);
	assert_true(collect.sample.value[power_row()] == 200);
	answers[0][Q_POWER] = (struct answer){ 0, 65535 };
	pass(4);
	assert_true(collect.sample.value[power_row()] == 200);
	assert_int_equal(collect.sample.reason[power_row()], READ_OK);
}

static void nothing_but_a_value_is_published(void **state)
{
	static const struct {
		struct answer answer;
		enum reason reason;
	} cases[] = {
		{ { -EOPNOTSUPP, 7 }, READ_UNSUPPORTED }, { { -EINVAL, 7 }, READ_UNSUPPORTED },
		{ { -EIO, 7 }, READ_ERROR },		  { { -EPERM, 7 }, READ_ERROR },
		{ { -ENODATA, 7 }, READ_ERROR },	  { { -EBADMSG, 7 }, READ_ERROR },
		{ { 0, NAN }, READ_IMPLAUSIBLE },	  { { 0, INFINITY }, READ_IMPLAUSIBLE },
		{ { 0, -1 }, READ_IMPLAUSIBLE },	  { { 0, 4294.967295 }, READ_IMPLAUSIBLE },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		answers[0][Q_POWER] = cases[i].answer;
		pass(i + 1);
		assert_int_equal(collect.sample.reason[power_row()], cases[i].reason);
		assert_true(isnan(collect.sample.value[power_row()]));
	}
}

static void a_reading_that_is_lost_is_an_error(void **state)
{
	(void)state;
	answers[0][Q_POWER] = (struct answer){ 0, 100 };
	pass(1);
	answers[0][Q_POWER] = (struct answer){ -EOPNOTSUPP, 0 };
	pass(2);
	assert_int_equal(collect.sample.reason[power_row()], READ_ERROR);
}

static void slow_rows_stand_between_their_turns(void **state)
{
	int row = metric_row(Q_POWER_CAP, CAP_CURRENT);

	(void)state;
	answers[0][Q_POWER_CAP] = (struct answer){ 0, 300 };
	pass(1);
	answers[0][Q_POWER_CAP] = (struct answer){ 0, 250 };
	collect_pass(&collect, 2 * SECOND, 0, false);
	assert_true(collect.sample.value[row] == 300);
	pass(3);
	assert_true(collect.sample.value[row] == 250);
}

static void a_sleeping_gpu_is_not_asked(void **state)
{
	(void)state;
	answers[0][Q_POWER] = (struct answer){ 0, 100 };
	pass(1);
	memset(asked, 0, sizeof(asked));
	write_status("suspended\n");
	pass(2);
	assert_int_equal(collect.sample.suspended, 1);
	assert_int_equal(collect.sample.reason[power_row()], READ_SUSPENDED);
	assert_true(isnan(collect.sample.value[power_row()]));
	assert_int_equal(asked[0][Q_POWER] + asked[1][Q_POWER], 0);
	write_status("active\n");
	/* awake again: the slow rows too, without waiting for their turn */
	answers[0][Q_POWER_CAP] = (struct answer){ 0, 300 };
	collect_pass(&collect, 3 * SECOND, 0, false);
	assert_true(collect.sample.value[metric_row(Q_POWER_CAP, CAP_CURRENT)] == 300);
}

static void another_cards_values_are_thrown_away(void **state)
{
	(void)state;
	answers[0][Q_POWER] = (struct answer){ 0, 100 };
	answers[1][Q_POWER] = (struct answer){ 0, 200 };
	same = false; /* the cards changed places within the pass */
	pass(1);
	assert_true(collect.sample.value[power_row()] == 200);
}

static void core_fails_only_when_all_of_it_does(void **state)
{
	(void)state;
	answers[0][Q_POWER] = (struct answer){ 0, 100 };
	answers[0][Q_UTILIZATION] = answers[0][Q_TEMPERATURE] = answers[0][Q_MEMORY_USED] = (struct answer){ -EIO, 0 };
	pass(1);
	assert_int_equal(collect.sample.core_failed, 0);
	answers[0][Q_POWER] = (struct answer){ -EIO, 0 };
	pass(2);
	assert_int_equal(collect.sample.core_failed, 1);
}

static void a_failure_is_told_once_and_its_end_once(void **state)
{
	char text[320];
	bool bad;
	int t;

	(void)state;
	answers[0][Q_POWER] = (struct answer){ 0, 100 };
	answers[0][Q_UTILIZATION] = (struct answer){ 0, 1 };
	pass(1);
	assert_false(collect_changes(&collect, 1 * SECOND, 30 * SECOND, text, sizeof(text), &bad));
	answers[0][Q_POWER] = (struct answer){ -EIO, 0 };
	pass(2);
	assert_true(collect_changes(&collect, 2 * SECOND, 30 * SECOND, text, sizeof(text), &bad));
	assert_true(bad);
	assert_string_equal(text, "no reading of power (Input/output error)");
	for (t = 3; t < 60; t++) { /* it flickers: nothing is said */
		answers[0][Q_POWER].error = t % 2 ? 0 : -EIO;
		pass((uint64_t)t);
		assert_false(collect_changes(&collect, (uint64_t)t * SECOND, 30 * SECOND, text, sizeof(text), &bad));
	}
	answers[0][Q_POWER].error = 0;
	for (t = 60; t < 88; t++) {
		pass((uint64_t)t);
		assert_false(collect_changes(&collect, (uint64_t)t * SECOND, 30 * SECOND, text, sizeof(text), &bad));
	}
	pass(88);
	assert_true(collect_changes(&collect, 88 * SECOND, 30 * SECOND, text, sizeof(text), &bad));
	assert_false(bad);
	assert_string_equal(text, "readings are back: power");
}

static void the_schedule_is_absolute(void **state)
{
	uint64_t missed;

	(void)state;
	assert_int_equal(collector_next(10 * SECOND, 10 * SECOND + 5, SECOND, &missed), 11 * SECOND);
	assert_int_equal(missed, 0);
	assert_int_equal(collector_next(10 * SECOND, 11 * SECOND, SECOND, &missed), 11 * SECOND);
	assert_int_equal(missed, 0);
	assert_int_equal(collector_next(10 * SECOND, 11 * SECOND + 1, SECOND, &missed), 12 * SECOND);
	assert_int_equal(missed, 1);
	assert_int_equal(collector_next(10 * SECOND, 20 * SECOND + 1, SECOND, &missed), 21 * SECOND);
	assert_int_equal(missed, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(first_valid_answer_wins, setup, teardown),
		cmocka_unit_test_setup_teardown(nothing_but_a_value_is_published, setup, teardown),
		cmocka_unit_test_setup_teardown(a_reading_that_is_lost_is_an_error, setup, teardown),
		cmocka_unit_test_setup_teardown(slow_rows_stand_between_their_turns, setup, teardown),
		cmocka_unit_test_setup_teardown(a_sleeping_gpu_is_not_asked, setup, teardown),
		cmocka_unit_test_setup_teardown(another_cards_values_are_thrown_away, setup, teardown),
		cmocka_unit_test_setup_teardown(core_fails_only_when_all_of_it_does, setup, teardown),
		cmocka_unit_test_setup_teardown(a_failure_is_told_once_and_its_end_once, setup, teardown),
		cmocka_unit_test(the_schedule_is_absolute),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
