/* Text to numbers and back, each form once, and what is none. */
#include "tests/unit/test.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "config/value.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const struct quantity {
	const char *text;
	double value;
	enum unit unit;
} quantities[] = {
	{ "95C", 95, UNIT_CELSIUS },
	{ " 95 °C ", 95, UNIT_CELSIUS },
	{ "-5c", -5, UNIT_CELSIUS },
	{ "300W", 300, UNIT_WATTS },
	{ "0.3kW", 300, UNIT_WATTS },
	{ "250mW", 0.25, UNIT_WATTS },
	{ "95%", 0.95, UNIT_RATIO },
	{ "12.5%", 0.125, UNIT_RATIO },
	{ "0.1%", 0.001, UNIT_RATIO },
	{ "100 %", 1, UNIT_RATIO },
	{ "16GiB", 17179869184, UNIT_BYTES },
	{ "16gib", 17179869184, UNIT_BYTES },
	{ "16GB", 16e9, UNIT_BYTES },
	{ "1TiB", 1099511627776, UNIT_BYTES },
	{ "64kB", 64000, UNIT_BYTES },
	{ "64KiB", 65536, UNIT_BYTES },
	{ "512 B", 512, UNIT_BYTES },
	{ "10m", 600, UNIT_SECONDS },
	{ "10 min", 600, UNIT_SECONDS },
	{ "500ms", 0.5, UNIT_SECONDS },
	{ "24h", 86400, UNIT_SECONDS },
	{ "1.7GHz", 1.7e9, UNIT_HERTZ },
	{ "900 MHz", 900e6, UNIT_HERTZ },
	{ "900mhz", 900e6, UNIT_HERTZ },
	{ "850mV", 0.85, UNIT_VOLTS },
	{ "12.5J", 12.5, UNIT_JOULES },
	{ "3000rpm", 3000, UNIT_RPM },
	{ "3000RPM", 3000, UNIT_RPM },
	{ "16GT/s", 16e9, UNIT_TRANSFERS_PER_SECOND },
	{ "16 lanes", 16, UNIT_LANES },
	{ "42", 42, UNIT_NONE },
	{ "\t42\r\n", 42, UNIT_NONE },
	{ ".5", 0.5, UNIT_NONE },
	{ "5.", 5, UNIT_NONE },
	{ "-0.5", -0.5, UNIT_NONE },
	{ "0", 0, UNIT_NONE },
	{ "0.95", 0.95, UNIT_NONE },
	{ "96.55", 96.55, UNIT_NONE },
	{ "1234567.891", 1234567.891, UNIT_NONE },
	{ "0.000000000000000000000000000001", 1e-30, UNIT_NONE },
	{ "123456789012345678901234567890", 123456789012345678901234567890.0, UNIT_NONE },
};

/* To the last bit: a limit of 96.55 is the double that a source makes of 96.55. */
static void check_quantities(void)
{
	enum unit unit;
	double value;
	size_t i;

	for (i = 0; i < COUNT(quantities); i++) {
		const struct quantity *want = &quantities[i];

		value = NAN;
		unit = UNIT_COUNT;
		if (value_quantity(want->text, &value, &unit) < 0 || value != want->value || unit != want->unit)
			fail_msg("\"%s\" is %.17g, unit %d", want->text, value, (int)unit);
	}
}

static void quantities_are_exact(void **state)
{
	(void)state;
	check_quantities();
}

static void what_is_no_quantity(void **state)
{
	static const char *const bad[] = {
		"",
		" ",
		"C",
		"95X",
		"95CC",
		"+95C",
		"0x10",
		"0x1p3",
		"inf",
		"infinity",
		"nan",
		"-inf",
		"1e3",
		"1E3",
		"1e3W",
		"1,5",
		"- 5",
		"5 5",
		"95 C %",
		"--5",
		".",
		"-",
		"-.",
		"1.2.3",
		"1 2W",
		"%95",
		"95%%",
		"5W W",
		"95\xc2",
		"95\xb0"
		"C",
		"10M",
		"5MW",
		"5Mw",
		"850MV",
		"5MS",
		"5Ms",
		"10Min",
		"1;",
		"1#",
	};
	enum unit unit = UNIT_COUNT;
	double value = 7;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(bad); i++)
		if (value_quantity(bad[i], &value, &unit) != -EINVAL || value != 7 || unit != UNIT_COUNT)
			fail_msg("\"%s\" is taken", bad[i]);
}

static void what_is_too_large_a_quantity(void **state)
{
	char text[512];
	enum unit unit = UNIT_COUNT;
	double value = 7;

	(void)state;
	memset(text, '9', 400);
	text[400] = '\0';
	assert_int_equal(value_quantity(text, &value, &unit), -ERANGE);
	strcpy(text + 308, "TiB");
	assert_int_equal(value_quantity(text, &value, &unit), -ERANGE);
	assert_true(value == 7);
	assert_int_equal(unit, UNIT_COUNT);
}

static void check_durations(void)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = {
		{ "1s", 1000000000 },
		{ "500ms", 500000000 },
		{ "10m", 600000000000 },
		{ "10 min", 600000000000 },
		{ "1h30m", 5400000000000 },
		{ "1h 30m", 5400000000000 },
		{ "24h", 86400000000000 },
		{ "7d", 604800000000000 },
		{ "0.5s", 500000000 },
		{ "1.5ms", 1500000 },
		{ "0.1s", 100000000 },
		{ "1us", 1000 },
		{ "3ns", 3 },
		{ "1d2h3m4s5ms", 93784005000000 },
		{ "0", 0 },
		{ "0s", 0 },
		{ "1S", 1000000000 },
		{ " 2s ", 2000000000 },
		{ "2 s", 2000000000 },
		{ "11574d", 999993600000000000 },
	};
	uint64_t ns;
	size_t i;

	for (i = 0; i < COUNT(good); i++) {
		ns = 1;
		if (value_duration(good[i].text, &ns) < 0 || ns != good[i].ns)
			fail_msg("\"%s\" is %" PRIu64, good[i].text, ns);
	}
}

static void durations(void **state)
{
	static const char *const bad[] = { "",        " ",    "1",     "s",  "-1s", "+1s",   "1x",   "1s1",
					   "1parsec", "5%",   "5C",    "1M", "1MS", "1s-1s", "1e3s", "0x1s",
					   "1,5s",    "infs", "1s,2s", "00", "0.0", "1s;",   "300y" };
	static const char *const large[] = { "99999999999999999999h", "11575d", "600000h" };
	uint64_t ns = 7;
	size_t i;

	(void)state;
	check_durations();
	for (i = 0; i < COUNT(bad); i++)
		if (value_duration(bad[i], &ns) != -EINVAL || ns != 7)
			fail_msg("\"%s\" is taken", bad[i]);
	for (i = 0; i < COUNT(large); i++)
		if (value_duration(large[i], &ns) != -ERANGE || ns != 7)
			fail_msg("\"%s\" is taken", large[i]);
}

static void whole_numbers(void **state)
{
	static const char *const bad[] = {
		"", "-1", "+1", "1.0", "0x1", "1 2", "a", " ", "1e3", "99999999999999999999x"
	};
	uint64_t value = 7;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(bad); i++)
		if (value_uint64(bad[i], &value) != -EINVAL || value != 7)
			fail_msg("\"%s\" is taken", bad[i]);
	assert_int_equal(value_uint64("18446744073709551616", &value), -ERANGE);
	assert_int_equal(value_uint64("99999999999999999999999", &value), -ERANGE);
	assert_int_equal(value, 7);
	assert_int_equal(value_uint64("18446744073709551615", &value), 0);
	assert_true(value == UINT64_MAX);
	assert_int_equal(value_uint64(" 8\n", &value), 0);
	assert_int_equal(value, 8);
	assert_int_equal(value_uint64("007", &value), 0);
	assert_int_equal(value, 7);
}

static void signed_numbers(void **state)
{
	static const struct {
		const char *text;
		int64_t value;
	} good[] = {
		{ "0", 0 },
		{ "-0", 0 },
		{ "42\n", 42 },
		{ " -42 ", -42 },
		{ "9223372036854775807", INT64_MAX },
		{ "-9223372036854775808", INT64_MIN },
	};
	static const char *const bad[] = { "", "-", "--1", "+1", "- 1", "1.0", "0x1", "1 2", "N/A" };
	int64_t value;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(good); i++)
		if (value_int64(good[i].text, &value) < 0 || value != good[i].value)
			fail_msg("\"%s\" is %" PRId64, good[i].text, value);
	value = 7;
	for (i = 0; i < COUNT(bad); i++)
		if (value_int64(bad[i], &value) != -EINVAL || value != 7)
			fail_msg("\"%s\" is taken", bad[i]);
	assert_int_equal(value_int64("9223372036854775808", &value), -ERANGE);
	assert_int_equal(value_int64("-9223372036854775809", &value), -ERANGE);
	assert_int_equal(value_int64("-18446744073709551616", &value), -ERANGE);
	assert_int_equal(value, 7);
}

static void yes_and_no(void **state)
{
	static const char *const yes[] = { "yes", "true", "on", "1", "Yes", "TRUE", " on\n" };
	static const char *const no[] = { "no", "false", "off", "0", "No", "FALSE", " off\n" };
	static const char *const bad[] = { "", " ", "maybe", "y", "n", "yess", "ye", "2", "01", "on off", "yes ;" };
	bool value;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(yes); i++) {
		value = false;
		assert_int_equal(value_bool(yes[i], &value), 0);
		assert_true(value);
		assert_int_equal(value_bool(no[i], &value), 0);
		assert_false(value);
	}
	for (i = 0; i < COUNT(bad); i++)
		if (value_bool(bad[i], &value) != -EINVAL || value)
			fail_msg("\"%s\" is taken", bad[i]);
}

static void check_for_people(void)
{
	static const struct {
		enum unit unit;
		double value;
		const char *text;
	} cases[] = {
		{ UNIT_CELSIUS, 96.5, "96.5 °C" },
		{ UNIT_CELSIUS, -3, "-3.0 °C" },
		{ UNIT_BYTES, 67860692992.0, "63.2 GiB" },
		{ UNIT_BYTES, 512, "512 B" },
		{ UNIT_BYTES, 0, "0 B" },
		{ UNIT_BYTES, 1099511627776.0 * 5000, "5000.0 TiB" },
		{ UNIT_RATIO, 0.97, "97 %" },
		{ UNIT_HERTZ, 1.7e9, "1.70 GHz" },
		{ UNIT_HERTZ, 900e6, "900.00 MHz" },
		{ UNIT_WATTS, 300, "300.0 W" },
		{ UNIT_VOLTS, 0.85, "0.850 V" },
		{ UNIT_JOULES, 12345, "12345 J" },
		{ UNIT_SECONDS, 10, "10 s" },
		{ UNIT_SECONDS, 0.5, "0.5 s" },
		{ UNIT_SECONDS, 600, "10 min" },
		{ UNIT_SECONDS, 9000, "2.5 h" },
		{ UNIT_TRANSFERS_PER_SECOND, 16e9, "16.00 GT/s" },
		{ UNIT_NONE, 3, "3" },
		{ UNIT_NONE, 0.25, "0.25" },
		{ UNIT_LANES, 16, "16" },
		{ UNIT_RPM, 868, "868 rpm" },
	};
	char text[32];
	size_t i;

	for (i = 0; i < COUNT(cases); i++)
		assert_string_equal(unit_format(cases[i].unit, cases[i].value, text, sizeof(text)), cases[i].text);
}

static void for_people(void **state)
{
	char little[4];

	(void)state;
	check_for_people();
	assert_string_equal(unit_format(UNIT_WATTS, 300, little, sizeof(little)), "300");
	assert_string_equal(unit_suffix(UNIT_TRANSFERS_PER_SECOND), "transfers_per_second");
	assert_string_equal(unit_suffix(UNIT_NONE), "");
}

/* A decimal comma, and a Turkish I that is no capital i. */
static void the_locale_does_not_matter(void **state)
{
	static const char *const names[] = { "de_DE.UTF-8", "tr_TR.UTF-8" };
	char directory[] = "/tmp/rocwatch-test.XXXXXX", command[256];
	enum unit unit;
	double value;
	size_t i, tried = 0;
	char half[8];

	(void)state;
	assert_non_null(mkdtemp(directory));
	setenv("LOCPATH", directory, 1);
	for (i = 0; i < COUNT(names); i++) {
		snprintf(command, sizeof(command), "localedef -i %.5s -f UTF-8 %s/%s 2>/dev/null", names[i], directory,
			 names[i]);
		if (system(command) != 0 || setlocale(LC_ALL, names[i]) == NULL)
			continue;
		tried++;
		check_quantities();
		check_durations();
		check_for_people();
		assert_int_equal(value_quantity("16GIB", &value, &unit), 0);
		assert_int_equal(value_quantity("1,5", &value, &unit), -EINVAL);
		snprintf(half, sizeof(half), "%.1f", 0.5); /* the locale of the process is as it was */
		assert_string_equal(half, "0,5");
	}
	setlocale(LC_ALL, "C");
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	assert_int_equal(system(command), 0);
	if (tried == 0)
		skip_because("localedef and the sources of locales are not installed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantities_are_exact),
		cmocka_unit_test(what_is_no_quantity),
		cmocka_unit_test(what_is_too_large_a_quantity),
		cmocka_unit_test(durations),
		cmocka_unit_test(whole_numbers),
		cmocka_unit_test(signed_numbers),
		cmocka_unit_test(yes_and_no),
		cmocka_unit_test(for_people),
		cmocka_unit_test(the_locale_does_not_matter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
