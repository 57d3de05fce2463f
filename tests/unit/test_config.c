/* Settings: defaults, bounds, messages, and the shipped file. */
#include "tests/unit/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/config.h"

static char path[64];
static struct config config;
static struct problems problems;

static int setup(void **state)
{
	(void)state;
	snprintf(path, sizeof(path), "/tmp/rocwatch-test.XXXXXX");
	close(mkstemp(path));
	config_init(&config);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	config_fini(&config);
	problems_fini(&problems);
	unlink(path);
	return 0;
}

static int read_text(const char *text)
{
	FILE *to = fopen(path, "w");

	assert_non_null(to);
	fputs(text, to);
	fclose(to);
	return config_read(path, &config, &problems);
}

static void defaults_are_within_bounds(void **state)
{
	(void)state;
	assert_int_equal(config.interval_ns, 1000000000);
	assert_int_equal(config.history_ns, 300000000000);
	assert_int_equal(config.source, SOURCE_AUTO);
	assert_string_equal(config.listen, "127.0.0.1:10720");
	assert_string_equal(config.rules_dir, "/etc/rocwatch/rules.d");
	assert_true(config.shipped_rules);
	assert_int_equal(read_text(""), 0);
}

static void settings_are_taken(void **state)
{
	(void)state;
	assert_int_equal(read_text("[sampler]\ninterval = 250ms\nsource = sysfs\n[web]\nlisten = [::1]:9\n"
				   "[alerts]\nshipped_rules = no\nburst = 7\n"), 0);
	assert_int_equal(config.interval_ns, 250000000);
	assert_int_equal(config.source, SOURCE_SYSFS);
	assert_string_equal(config.listen, "[::1]:9");
	assert_false(config.shipped_rules);
	assert_int_equal(config.burst, 7);
}

static void mistakes_say_what_would_be_right(void **state)
{
	static const struct {
		const char *text;
		int line;
		const char *says;
	} cases[] = {
		{ "[sampler]\ninterval = 50ms\n", 2, "[sampler] interval = \"50ms\" is below the least allowed 100ms" },
		{ "[sampler]\ninterval = 2m\n", 2, "above the most allowed 1m" },
		{ "[sampler]\ninterval = 5\n", 2, "no span of time" },
		{ "[sampler]\nintervall = 1s\n", 2, "did you mean interval?" },
		{ "[sampler]\ncolour = red\n", 2, "it has interval, slow_interval" },
		{ "[sampler]\nsource = nvml\n", 2, "not one of auto, rocm_smi, sysfs" },
		{ "[sampler]\ngpus_expected = many\n", 2, "no whole number from 0 to 128" },
		{ "[smapler]\ninterval = 1s\n", 1, "the sections are sampler, web, alerts" },
		{ "[web]\nlisten = 127.0.0.1\n", 2, "not ADDR:PORT" },
		{ "[web]\nlisten = 127.0.0.1:70000\n", 2, "not ADDR:PORT" },
		{ "[web]\nlisten = ::1:80\n", 2, "not ADDR:PORT" },
		{ "[web]\nlisten = gpu.example.com:80\n", 2, "not ADDR:PORT" },
		{ "[alerts]\nshipped_rules = perhaps\n", 2, "neither yes nor no" },
		{ "[alerts]\nrules_dir = rules\n", 2, "no absolute path" },
		{ "[alert hot]\nkind = threshold\n", 1, "rules stand in files of their own" },
		{ "[sampler]\ninterval = 10s\n", 0, "stale_after is less than twice the interval" },
		{ "[sampler]\nhistory = 1d\ninterval = 100ms\nstale_after = 1s\n", 0, "864000 samples" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_true(read_text(cases[i].text) < 0);
		if (problems.count < 1 || problems.list[0].line != cases[i].line ||
		    strcmp(problems.list[0].file, path) != 0 || strstr(problems.list[0].text, cases[i].says) == NULL)
			fail_msg("case %zu: %zu mistakes, line %d: %s", i, problems.count,
				 problems.count > 0 ? problems.list[0].line : 0,
				 problems.count > 0 ? problems.list[0].text : "");
		problems_fini(&problems);
		config_fini(&config);
		config_init(&config);
	}
}

static void all_mistakes_are_told(void **state)
{
	(void)state;
	assert_true(read_text("[sampler]\ninterval = x\nsource = y\n[nosuch]\nk = v\n[web]\nlisten = z\nbroken\n") < 0);
	assert_int_equal(problems.count, 5);
}

/* The shipped file with every setting uncommented says the defaults. */
static void the_shipped_file_is_the_defaults(void **state)
{
	char *printed = NULL, *text, *line, *rest, *uncommented;
	FILE *to, *shipped = fopen("config/rocwatch.conf", "r");
	size_t size = 0, length;
	struct config other;

	(void)state;
	to = open_memstream(&printed, &size);
	config_print_defaults(to);
	fclose(to);
	assert_non_null(shipped);
	text = calloc(1, size + 4096);
	length = fread(text, 1, size + 4095, shipped);
	fclose(shipped);
	assert_int_equal(length, size);
	assert_string_equal(text, printed);
	uncommented = calloc(1, size + 1);
	for (rest = text; (line = strsep(&rest, "\n")) != NULL;)
		if (line[0] != '#' || (line[1] != ' ' && line[1] != '\0'))
			sprintf(uncommented + strlen(uncommented), "%s\n", line[0] == '#' ? line + 1 : line);
	assert_int_equal(read_text(uncommented), 0);
	config_init(&other);
	assert_string_equal(config.listen, other.listen);
	assert_string_equal(config.rocm_smi_library, other.rocm_smi_library);
	assert_int_equal(config.interval_ns, other.interval_ns);
	assert_int_equal(config.burst, other.burst);
	config_fini(&other);
	free(uncommented);
	free(printed);
	free(text);
}

static void the_command_line_is_named_in_mistakes(void **state)
{
	(void)state;
	assert_int_equal(config_set(&config, "web", "listen", "0.0.0.0:0", "--listen", 0, &problems), 0);
	assert_string_equal(config.listen, "0.0.0.0:0");
	assert_true(config_set(&config, "web", "listen", "x", "--listen", 0, &problems) < 0);
	assert_string_equal(problems.list[0].file, "--listen");
	assert_string_equal(config.listen, "0.0.0.0:0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(defaults_are_within_bounds, setup, teardown),
		cmocka_unit_test_setup_teardown(settings_are_taken, setup, teardown),
		cmocka_unit_test_setup_teardown(mistakes_say_what_would_be_right, setup, teardown),
		cmocka_unit_test_setup_teardown(all_mistakes_are_told, setup, teardown),
		cmocka_unit_test_setup_teardown(the_shipped_file_is_the_defaults, setup, teardown),
		cmocka_unit_test_setup_teardown(the_command_line_is_named_in_mistakes, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
