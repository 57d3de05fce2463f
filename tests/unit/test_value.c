/* Text to numbers and back, each form once, and what is none. */
#include "tests/unit/test.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "config/value.h"

static void quantities(void **state)
{
	static const struct {
		const char *text;
		double value;
		enum unit unit;
	} good[] = {
		{ "95C", 95, UNIT_CELSIUS },	   { " 95 °C ", 95, UNIT_CELSIUS }, { "-5c", -5, UNIT_CELSIUS },
		{ "300W", 300, UNIT_WATTS },	   { "0.3kW", 300, UNIT_WATTS },    { "95%", 0.95, UNIT_RATIO },
		{ "12.5%", 0.125, UNIT_RATIO },	   { "16GiB", 17179869184, UNIT_BYTES }, { "16GB", 16e9, UNIT_BYTES },
		{ "16gib", 17179869184, UNIT_BYTES }, { "10m", 600, UNIT_SECONDS }, { "500ms", 0.5, UNIT_SECONDS },
		{ "1.7GHz", 1.7e9, UNIT_HERTZ },   { "900 MHz", 900e6, UNIT_HERTZ }, { "850mV", 0.85, UNIT_VOLTS },
		{ "12.5J", 12.5, UNIT_JOULES },	   { "3000rpm", 3000, UNIT_RPM },   { "3000RPM", 3000, UNIT_RPM },
		{ "16GT/s", 16e9, UNIT_TRANSFERS_PER_SECOND }, { "42", 42, UNIT_NONE }, { ".5", 0.5, UNIT_NONE },
		{ "24h", 86400, UNIT_SECONDS },	   { "0", 0, UNIT_NONE },
	};
	static const char *const bad[] = { "", " ", "C", "95X", "95CC", "+95C", "0x10", "inf", "nan", "1e3", "1,5", "- 5",
					   "5 5", "10M", "95 C %", "--5", "." };
	enum unit unit;
	double value;
	size_t i;

	(void)state;
	setlocale(LC_ALL, ""); /* a decimal comma must not matter */
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		if (value_quantity(good[i].text, &value, &unit) < 0 || fabs(value - good[i].value) > 1e-9 * fabs(good[i].value) ||
		    unit != good[i].unit)
			fail_msg("\"%s\" is %.17g, unit %d", good[i].text, value, (int)unit);
	}
	assert_int_equal(value_quantity("95%", &value, &unit), 0);
	assert_true(value == 0.95);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		value = 7;
		if (value_quantity(bad[i], &value, &unit) != -EINVAL || value != 7)
			fail_msg("\"%s\" is taken", bad[i]);
	}
}

static void durations(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = {
		{ "1s", 1000000000 }, { "500ms", 500000000 }, { "10m", 600000000000 }, { "1h30m", 5400000000000 },
		{ "1h 30m", 5400000000000 }, { "24h", 86400000000000 }, { "7d", 604800000000000 }, { "0.5s", 500000000 },
		{ "0", 0 }, { "0s", 0 }, { "1ns", 1 }, { " 2s ", 2000000000 },
	};
	static const char *const bad[] = { "", "1", "s", "-1s", "1x", "1s1", "1parsec", "5%", "5C", "1M", "1s-1s" };
	uint64_t ns;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (value_duration(good[i].text, &ns) < 0 || ns != good[i].ns)
			fail_msg("\"%s\" is %llu", good[i].text, (unsigned long long)ns);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (value_duration(bad[i], &ns) != -EINVAL)
			fail_msg("\"%s\" is taken", bad[i]);
	assert_int_equal(value_duration("99999999999999999999h", &ns), -ERANGE);
}

static void whole_numbers(void **state)
{
	static const char *const bad[] = { "", "-1", "+1", "1.0", "0x1", "1 2", "a", " " };
	uint64_t value;
	size_t i;

	(void)state;
	assert_int_equal(value_uint64("18446744073709551615", &value), 0);
	assert_true(value == UINT64_MAX);
	assert_int_equal(value_uint64("18446744073709551616", &value), -ERANGE);
	assert_int_equal(value_uint64(" 7\n", &value), 0);
	assert_int_equal(value, 7);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(value_uint64(bad[i], &value), -EINVAL);
}

static void yes_and_no(void **state)
{
	bool value = false;

	(void)state;
	assert_int_equal(value_bool("Yes", &value), 0);
	assert_true(value);
	assert_int_equal(value_bool(" off ", &value), 0);
	assert_false(value);
	assert_int_equal(value_bool("1", &value), 0);
	assert_true(value);
	assert_int_equal(value_bool("maybe", &value), -EINVAL);
	assert_int_equal(value_bool("", &value), -EINVAL);
}

static void for_people(void **state)
{
	static const struct {
		enum unit unit;
		double value;
		const char *text;
	} cases[] = {
		{ UNIT_CELSIUS, 96.5, "96.5 °C" },     { UNIT_BYTES, 67860692992.0, "63.2 GiB" }, { UNIT_BYTES, 512, "512 B" },
		{ UNIT_RATIO, 0.97, "97 %" },	       { UNIT_HERTZ, 1.7e9, "1.70 GHz" },	   { UNIT_WATTS, 300, "300.0 W" },
		{ UNIT_SECONDS, 10, "10 s" },	       { UNIT_SECONDS, 0.5, "0.5 s" },		   { UNIT_SECONDS, 600, "10 min" },
		{ UNIT_TRANSFERS_PER_SECOND, 16e9, "16.00 GT/s" }, { UNIT_NONE, 3, "3" },	   { UNIT_RPM, 868, "868 rpm" },
	};
	char text[32];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(unit_format(cases[i].unit, cases[i].value, text, sizeof(text)), cases[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantities), cmocka_unit_test(durations),  cmocka_unit_test(whole_numbers),
		cmocka_unit_test(yes_and_no), cmocka_unit_test(for_people),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
