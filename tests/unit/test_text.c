/* The exposition: numbers, escaping, invalid bytes. */
#include "tests/unit/test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exporter/text.h"

static void numbers_are_the_shortest_that_read_back(void **state)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {
		{ 0, "0" }, { 1, "1" }, { -40, "-40" }, { 0.95, "0.95" }, { 68719476736.0, "68719476736" },
		{ 1.0 / 3, "0.3333333333333333" }, { 0.1, "0.1" }, { 1733026800.123, "1733026800.123" },
		{ 1e300, "1e+300" }, { NAN, "NaN" }, { INFINITY, "+Inf" }, { -INFINITY, "-Inf" }, { -0.5, "-0.5" },
	};
	char text[TEXT_NUMBER_SIZE];
	size_t i;
	int n;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(text_number(cases[i].value, text), cases[i].text);
	srand(1);
	for (n = 0; n < 20000; n++) {
		double value = ldexp((double)rand() / RAND_MAX, rand() % 120 - 60);

		assert_true(strtod(text_number(value, text), NULL) == value);
	}
	assert_true(strtod(text_number(DBL_MAX, text), NULL) == DBL_MAX);
}

static void series_are_written_as_prometheus_reads_them(void **state)
{
	struct text text = { 0 };

	(void)state;
	text_family(&text, "a_total", "counter", "One\\two\nthree \"four\".");
	text_begin(&text, "a_total");
	text_label(&text, "gpu", "0");
	text_labels(&text, "engine=\"gfx\"");
	text_label(&text, "empty", "");
	text_value(&text, 2.5);
	text_begin(&text, "b");
	text_value(&text, 1);
	assert_string_equal(text.bytes, "# HELP a_total One\\\\two\\nthree \"four\".\n# TYPE a_total counter\n"
					"a_total{gpu=\"0\",engine=\"gfx\"} 2.5\nb 1\n");
	text_fini(&text);
}

static void label_values_are_escaped_and_valid_utf8(void **state)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		{ "AMD \"Instinct\"", "AMD \\\"Instinct\\\"" }, { "a\\b", "a\\\\b" },	   { "a\nb", "a\\nb" },
		{ "Radeon™ {x}", "Radeon™ {x}" },		 { "\xff\xfe", "??" },	   { "a\x01z", "a z" },
		{ "\xe2\x28\xa1", "?(?" },			 { "\xc3", "?" },	   { "\xf0\x9f\x94\xa5", "\xf0\x9f\x94\xa5" },
	};
	char want[128];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct text text = { 0 };

		text_begin(&text, "x");
		text_label(&text, "name", cases[i].in);
		text_label(&text, "next", "1");
		text_value(&text, 1);
		snprintf(want, sizeof(want), "x{name=\"%s\",next=\"1\"} 1\n", cases[i].out);
		assert_string_equal(text.bytes, want);
		text_fini(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_the_shortest_that_read_back),
		cmocka_unit_test(series_are_written_as_prometheus_reads_them),
		cmocka_unit_test(label_values_are_escaped_and_valid_utf8),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
