/* Counters made from samples: time as an argument, a gap adds nothing, an origin never changes. */
#include "tests/unit/test.h"

#include <math.h>
#include <string.h>

#include "collectors/derive.h"

#define SECOND 1000000000ull
#define GAP (3 * SECOND)

static void set(struct sample *sample, enum quantity quantity, int selector, double value)
{
	int row = metric_row(quantity, selector);

	sample->value[row] = value;
	sample->reason[row] = READ_OK;
}

static double get(const struct sample *sample, enum quantity quantity, int selector)
{
	int row = metric_row(quantity, selector);

	return sample->reason[row] == READ_OK ? sample->value[row] : NAN;
}

static struct sample sample_at(uint64_t ns)
{
	struct sample sample = { .monotonic_ns = ns };
	unsigned int row;

	for (row = 0; row < METRICS_MAX; row++) {
		sample.value[row] = NAN;
		sample.reason[row] = READ_UNSUPPORTED;
	}
	return sample;
}

static void busy_seconds_integrate_every_sample(void **state)
{
	struct derive_state derive_state = { 0 };
	uint64_t t;

	(void)state;
	for (t = 1; t <= 11; t++) {
		struct sample sample = sample_at(t * SECOND);

		set(&sample, Q_UTILIZATION, ENGINE_GFX, t % 2 ? 1.0 : 0.5);
		derive(&derive_state, &sample, GAP);
		if (t == 11)
			assert_true(fabs(get(&sample, Q_BUSY_SECONDS, ENGINE_GFX) - 7.5) < 1e-9);
		assert_true(isnan(get(&sample, Q_BUSY_SECONDS, ENGINE_MEMORY)));
	}
}

static void a_gap_adds_nothing(void **state)
{
	struct derive_state derive_state = { 0 };
	struct sample sample = sample_at(SECOND);

	(void)state;
	set(&sample, Q_UTILIZATION, ENGINE_GFX, 1);
	derive(&derive_state, &sample, GAP);
	sample = sample_at(60 * SECOND);
	set(&sample, Q_UTILIZATION, ENGINE_GFX, 1);
	derive(&derive_state, &sample, GAP);
	assert_true(get(&sample, Q_BUSY_SECONDS, ENGINE_GFX) == 0);
	sample = sample_at(61 * SECOND);
	set(&sample, Q_UTILIZATION, ENGINE_GFX, 1);
	derive(&derive_state, &sample, GAP);
	assert_true(get(&sample, Q_BUSY_SECONDS, ENGINE_GFX) == 1);
}

static void counters_stay_while_a_reading_is_missing(void **state)
{
	struct derive_state derive_state = { 0 };
	struct sample sample = sample_at(SECOND);

	(void)state;
	set(&sample, Q_UTILIZATION, ENGINE_GFX, 1);
	derive(&derive_state, &sample, GAP);
	sample = sample_at(2 * SECOND);
	set(&sample, Q_UTILIZATION, ENGINE_GFX, 1);
	derive(&derive_state, &sample, GAP);
	sample = sample_at(3 * SECOND);
	sample.reason[metric_row(Q_UTILIZATION, ENGINE_GFX)] = READ_ERROR;
	derive(&derive_state, &sample, GAP);
	assert_true(get(&sample, Q_BUSY_SECONDS, ENGINE_GFX) == 1);
}

static void energy_is_the_integral_where_there_is_no_accumulator(void **state)
{
	struct derive_state derive_state = { 0 };
	uint64_t t;

	(void)state;
	for (t = 1; t <= 11; t++) {
		struct sample sample = sample_at(t * SECOND);

		set(&sample, Q_POWER, 0, 250);
		if (t == 5) /* an accumulator that shows up late must not replace what was published */
			set(&sample, Q_ENERGY, 0, 1e6);
		derive(&derive_state, &sample, GAP);
		if (t < 3) /* a first sample without it may be an accident */
			assert_true(isnan(get(&sample, Q_ENERGY, 0)));
		else
			assert_true(get(&sample, Q_ENERGY, 0) == 250.0 * (double)(t - 2));
	}
}

static void energy_of_the_hardware_is_left_as_it_is(void **state)
{
	struct derive_state derive_state = { 0 };
	struct sample sample = sample_at(SECOND);

	(void)state;
	set(&sample, Q_POWER, 0, 250);
	set(&sample, Q_ENERGY, 0, 12345);
	derive(&derive_state, &sample, GAP);
	assert_true(get(&sample, Q_ENERGY, 0) == 12345);
	sample = sample_at(2 * SECOND);
	set(&sample, Q_POWER, 0, 250);
	sample.reason[metric_row(Q_ENERGY, 0)] = READ_ERROR;
	derive(&derive_state, &sample, GAP);
	assert_true(isnan(get(&sample, Q_ENERGY, 0)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(busy_seconds_integrate_every_sample),
		cmocka_unit_test(a_gap_adds_nothing),
		cmocka_unit_test(counters_stay_while_a_reading_is_missing),
		cmocka_unit_test(energy_is_the_integral_where_there_is_no_accumulator),
		cmocka_unit_test(energy_of_the_hardware_is_left_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
