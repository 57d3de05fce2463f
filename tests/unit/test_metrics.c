/* The table tests itself: names, units, families, ranges; and selections find the rows they mean. */
#include "tests/unit/test.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collectors/metric.h"

static int ends_with(const char *text, const char *end)
{
	size_t a = strlen(text), b = strlen(end);

	return a >= b && strcmp(text + a - b, end) == 0;
}

static void rows_are_unique(void **state)
{
	unsigned int a, b;

	(void)state;
	for (a = 0; a < metrics_count; a++)
		for (b = a + 1; b < metrics_count; b++) {
			assert_false(strcmp(metrics[a].family, metrics[b].family) == 0 &&
				     strcmp(metrics[a].labels, metrics[b].labels) == 0);
			assert_false(metrics[a].quantity == metrics[b].quantity && metrics[a].selector == metrics[b].selector);
		}
}

static void families_are_adjacent_and_alike(void **state)
{
	unsigned int a, b;

	(void)state;
	for (a = 0; a < metrics_count; a++) {
		int new_family = a == 0 || strcmp(metrics[a].family, metrics[a - 1].family) != 0;

		/* help stands once, on the first row */
		assert_int_equal(metrics[a].help != NULL, new_family);
		if (!new_family) {
			assert_int_equal(metrics[a].type, metrics[a - 1].type);
			assert_int_equal(metrics[a].unit, metrics[a - 1].unit);
			assert_true(metrics[a].labels[0] != '\0');
			continue;
		}
		for (b = 0; b < a; b++)
			assert_string_not_equal(metrics[a].family, metrics[b].family);
	}
}

static void names_say_unit_and_type(void **state)
{
	unsigned int row;
	char want[80];

	(void)state;
	for (row = 0; row < metrics_count; row++) {
		const struct metric *metric = &metrics[row];
		const char *unit = unit_suffix(metric->unit);

		assert_int_equal(strncmp(metric->family, "amdgpu_", 7), 0);
		assert_int_equal(ends_with(metric->family, "_total"), metric->type == METRIC_COUNTER);
		snprintf(want, sizeof(want), "%s%s%s", unit[0] != '\0' ? "_" : "", unit,
			 metric->type == METRIC_COUNTER ? "_total" : "");
		if (metric->unit != UNIT_NONE)
			assert_true(ends_with(metric->family, want));
	}
}

static void ranges_are_set(void **state)
{
	unsigned int row;

	(void)state;
	for (row = 0; row < metrics_count; row++) {
		assert_true(metrics[row].min < metrics[row].max);
		assert_true(isfinite(metrics[row].max));
	}
}

static void rows_are_found_by_question(void **state)
{
	unsigned int row;

	(void)state;
	for (row = 0; row < metrics_count; row++)
		assert_int_equal(metric_row(metrics[row].quantity, metrics[row].selector), row);
	assert_int_equal(metric_row(Q_POWER, 99), -1);
}

static void selections_mean_rows(void **state)
{
	static const struct {
		const char *text;
		int rows;
	} cases[] = {
		{ "amdgpu_power_watts", 1 },
		{ "amdgpu_utilization_ratio", 2 },
		{ "amdgpu_utilization_ratio{}", 2 },
		{ "amdgpu_utilization_ratio{engine=\"gfx\"}", 1 },
		{ "amdgpu_ecc_errors_total{severity=\"uncorrectable\"}", 3 },
		{ "amdgpu_ecc_errors_total{severity=\"uncorrectable\",block=\"umc\"}", 1 },
		{ "amdgpu_ecc_errors_total{block=\"umc\", severity=\"un*\"}", 1 },
		{ "amdgpu_throttle_active{reason=\"ppt*\"}", 4 },
		{ "amdgpu_power_watts{engine=\"gfx\"}", 0 },
		{ "amdgpu_powe", 0 },
		{ "", 0 },
		{ "amdgpu_power_watts{", -EINVAL },
		{ "amdgpu_power_watts{engine}", -EINVAL },
		{ "amdgpu_power_watts{engine=gfx}", -EINVAL },
		{ "amdgpu_power_watts{engine=\"gfx}", -EINVAL },
		{ "amdgpu_power_watts{=\"\"}", -EINVAL },
		{ "amdgpu_power_watts{a=\"1\" b=\"2\"}", -EINVAL },
		{ "amdgpu_power_watts{a=\"1\",b=\"1\",c=\"1\",d=\"1\",e=\"1\"}", -EINVAL },
	};
	bool rows[METRICS_MAX];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (metric_select(cases[i].text, rows) != cases[i].rows)
			fail_msg("%s: %d rows, not %d", cases[i].text, metric_select(cases[i].text, rows), cases[i].rows);
}

static void siblings_share_labels(void **state)
{
	int junction = metric_row(Q_TEMPERATURE, SENSOR_JUNCTION), used = metric_row(Q_MEMORY_USED, POOL_VRAM);

	(void)state;
	assert_int_equal(metric_sibling("temperature_critical - 5C", 20, junction),
			 metric_row(Q_TEMPERATURE_CRITICAL, SENSOR_JUNCTION));
	assert_int_equal(metric_sibling("amdgpu_temperature_critical_celsius", 35, junction),
			 metric_row(Q_TEMPERATURE_CRITICAL, SENSOR_JUNCTION));
	assert_int_equal(metric_sibling("memory_total", 12, used), metric_row(Q_MEMORY_TOTAL, POOL_VRAM));
	assert_int_equal(metric_sibling("power_cap", 9, metric_row(Q_POWER, 0)), metric_row(Q_POWER_CAP, CAP_CURRENT));
	assert_int_equal(metric_sibling("power_ca", 8, metric_row(Q_POWER, 0)), -1);
	assert_int_equal(metric_sibling("temperature_critical", 20, metric_row(Q_TEMPERATURE, SENSOR_HBM0)), -1);
}

static void names_are_as_on_the_page(void **state)
{
	char name[128];

	(void)state;
	assert_string_equal(metric_name((unsigned int)metric_row(Q_TEMPERATURE, SENSOR_JUNCTION), name, sizeof(name)),
			    "amdgpu_temperature_celsius{sensor=\"junction\"}");
	assert_string_equal(metric_name((unsigned int)metric_row(Q_POWER, 0), name, sizeof(name)), "amdgpu_power_watts");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_unique),
		cmocka_unit_test(families_are_adjacent_and_alike),
		cmocka_unit_test(names_say_unit_and_type),
		cmocka_unit_test(ranges_are_set),
		cmocka_unit_test(rows_are_found_by_question),
		cmocka_unit_test(selections_mean_rows),
		cmocka_unit_test(siblings_share_labels),
		cmocka_unit_test(names_are_as_on_the_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
