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
				   "[alerts]\nshipped_rules = no\nburst = 7\n"),
			 0);
	assert_int_equal(config.interval_ns, 250000000);
	assert_int_equal(config.source, SOURCE_SYSFS);
	assert_string_equal(config.listen, "[::1]:9");
	assert_false(config.shipped_rules);
	assert_int_equal(config.burst, 7);
}

static void again(void)
{
	problems_fini(&problems);
	config_fini(&config);
	config_init(&config);
}

static void addresses_are_taken(void **state)
{
	static const char *const good[] = { "127.0.0.1:10720", "0.0.0.0:0",   "localhost:65535",     "[::]:80",
					    "[::1]:9",         "[fe80::1]:1", "[::ffff:10.0.0.1]:80" };
	char text[128];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		snprintf(text, sizeof(text), "[web]\nlisten = %s\n", good[i]);
		assert_int_equal(read_text(text), 0);
		assert_string_equal(config.listen, good[i]);
	}
}

static void addresses_that_are_none(void **state)
{
	static const char *const bad[] = {
		"",
		":",
		":80",
		"80",
		"127.0.0.1",
		"127.0.0.1:",
		"127.0.0.1:65536",
		"127.0.0.1:-1",
		"127.0.0.1: 80",
		"127.0.0.1:+80",
		"127.0.0.1:0x50",
		"127.0.0.1:80x",
		"127.0.0.1 :80",
		"1.2.3:80",
		"127.0.0.256:80",
		"::1:80",
		"::1",
		"[::1]",
		"[::1]:",
		"[::1:80",
		"::1]:80",
		"[]:80",
		"[:80",
		"[127.0.0.1]:80",
		"[localhost]:80",
		"[fe80::1%eth0]:80",
		"*:80",
		"gpu.example.com:80",
		"Localhost:80",
		"[::1]80",
		"0000000000000000000000000000000000000000000000000000000000000000127.0.0.1:80",
		"127.0.0.1:18446744073709551696",
		"http://127.0.0.1:80",
	};
	char text[256];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(text, sizeof(text), "[web]\nlisten = %s\n", bad[i]);
		if (read_text(text) != -EINVAL || problems.count != 1 || problems.list[0].line != 2 ||
		    strstr(problems.list[0].text,
			   "is not ADDR:PORT or [IPV6]:PORT with a numeric address or localhost and "
			   "a port from 0 to 65535") == NULL)
			fail_msg("\"%s\" is taken", bad[i]);
		again();
	}
}

static void mistakes_say_what_would_be_right(void **state)
{
	static const struct {
		const char *text;
		int line;
		const char *says;
	} cases[] = {
		{ "[sampler]\ninterval = 50ms\n", 2, "[sampler] interval = \"50ms\" is below the least allowed 100ms" },
		{ "[sampler]\ninterval = 2m\n", 2, "[sampler] interval = \"2m\" is above the most allowed 1m" },
		{ "[sampler]\ninterval = 9999999999d\n", 2, "above the most allowed 1m" },
		{ "[sampler]\ninterval = 0\n", 2, "below the least allowed 100ms" },
		{ "[sampler]\ninterval = 5\n", 2,
		  "[sampler] interval = \"5\" is no span of time; write it as 500ms, 10s, 5m or 1h30m (100ms to 1m)" },
		{ "[sampler]\ninterval =\n", 2, "interval = \"\" is no span of time" },
		{ "[sampler]\ninterval = -1s\n", 2, "no span of time" },
		{ "[sampler]\ninterval = 1M\n", 2, "no span of time" },
		{ "[sampler]\ninterval = \"1s\"\n", 2, "quotes would be a part of the value; write it without" },
		{ "[alerts]\nrules_dir = '/etc'\n", 2, "quotes would be a part of the value" },
		{ "[sampler]\nintervall = 1s\n", 2, "[sampler] has no setting intervall; did you mean interval?" },
		{ "[sampler]\nslow-interval = 1s\n", 2, "did you mean slow_interval?" },
		{ "[alerts]\nshiped_rule = no\n", 2, "did you mean shipped_rules?" },
		{ "[sampler]\ncolour = red\n", 2,
		  "[sampler] has no setting colour; it has interval, slow_interval, history, stale_after, rescan, "
		  "source, "
		  "rocm_smi_library, gpus_expected" },
		{ "[web]\nburst = 7\n", 2, "[web] has no setting burst; it belongs to [alerts]" },
		{ "[sampler]\nsource = nvml\n", 2, "[sampler] source = \"nvml\" is not one of auto, rocm_smi, sysfs" },
		{ "[sampler]\nsource =\n", 2, "is not one of" },
		{ "[sampler]\nsource = auto, rocm_smi\n", 2, "is not one of" },
		{ "[sampler]\nsource = rocm\n", 2, "is not one of" },
		{ "[sampler]\ngpus_expected = many\n", 2, "gpus_expected = \"many\" is no whole number from 0 to 128" },
		{ "[sampler]\ngpus_expected = 129\n", 2, "is above the most allowed 128" },
		{ "[sampler]\ngpus_expected = 99999999999999999999\n", 2, "is above the most allowed 128" },
		{ "[web]\nmax_connections = 3\n", 2, "is below the least allowed 4" },
		{ "[web]\nmax_connections = -3\n", 2, "is no whole number" },
		{ "[smapler]\ninterval = 1s\n", 1, "there is no section [smapler]; did you mean [sampler]?" },
		{ "[alert]\nkind = threshold\n", 1, "did you mean [alerts]?" },
		{ "[exporter]\nport = 1\n", 1,
		  "there is no section [exporter]; the sections are sampler, web, alerts" },
		{ "[alert hot]\nkind = threshold\n", 1,
		  "[alert hot]: rules stand in files of their own, *.conf in rules_dir" },
		{ "[alerts]\nshipped_rules = perhaps\n", 2,
		  "[alerts] shipped_rules = \"perhaps\" is neither yes nor no" },
		{ "[alerts]\nrules_dir = rules\n", 2, "rules_dir = \"rules\" is no absolute path; it begins with /" },
		{ "[sampler]\ninterval = 1s ; fast\n", 2, "a comment cannot stand behind a value" },
		{ "interval = 1s\n", 1, "interval stands before the first [section]" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(read_text(cases[i].text), -EINVAL);
		if (problems.count != 1 || problems.list[0].line != cases[i].line ||
		    strcmp(problems.list[0].file, path) != 0 || strstr(problems.list[0].text, cases[i].says) == NULL)
			fail_msg("case %zu: %zu mistakes, line %d: %s", i, problems.count,
				 problems.count > 0 ? problems.list[0].line : 0,
				 problems.count > 0 ? problems.list[0].text : "");
		again();
	}
}

/* What is allowed by itself and not together: both are named, with what would be enough, at a line that stands there.
 */
static void times_that_do_not_fit_the_interval(void **state)
{
	static const struct {
		const char *text;
		int line;
		const char *says;
	} cases[] = {
		{ "[sampler]\nstale_after = 1999ms\n", 2,
		  "[sampler] stale_after = 1999ms is below the least allowed 2s, which is 2 × interval = 1s; change "
		  "one of "
		  "the two" },
		{ "[sampler]\ninterval = 3s\n", 2,
		  "[sampler] stale_after = 5s (the default) is below the least allowed 6s, which is 2 × interval = "
		  "3s" },
		{ "[sampler]\nslow_interval = 900ms\n\ninterval = 1s\n", 2,
		  "[sampler] slow_interval = 900ms is below the least allowed 1s, which is 1 × interval = 1s" },
		{ "[sampler]\ninterval = 1m\nslow_interval = 1m\nstale_after = 2m\n", 2,
		  "[sampler] history = 5m (the default) is below the least allowed 10m, which is 10 × interval = 1m" },
		{ "[sampler]\ninterval = 100ms\nhistory = 10001s\n", 3,
		  "[sampler] history = 10001s is above the most allowed 10000s, which is 100000 × interval = 100ms" },
	};
	static const char *const fit[] = {
		"[sampler]\nstale_after = 2s\nslow_interval = 1s\nhistory = 10s\n",
		"[sampler]\ninterval = 100ms\nhistory = 10000s\n",
		"[sampler]\ninterval = 1m\nslow_interval = 1m\nstale_after = 2m\nhistory = 10m\n",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(read_text(cases[i].text), -EINVAL);
		if (problems.count != 1 || problems.list[0].line != cases[i].line ||
		    strstr(problems.list[0].text, cases[i].says) == NULL)
			fail_msg("case %zu: %zu mistakes, line %d: %s", i, problems.count, problems.list[0].line,
				 problems.list[0].text);
		again();
	}
	for (i = 0; i < sizeof(fit) / sizeof(fit[0]); i++) {
		assert_int_equal(read_text(fit[i]), 0);
		again();
	}
}

static void paths_have_a_length(void **state)
{
	char text[300];

	(void)state;
	snprintf(text, sizeof(text), "/%0254d", 0);
	assert_int_equal(config_set(&config, "alerts", "rules_dir", text, "x", 1, &problems), 0);
	assert_string_equal(config.rules_dir, text);
	snprintf(text, sizeof(text), "/%0255d", 0);
	assert_int_equal(config_set(&config, "alerts", "rules_dir", text, "x", 1, &problems), -EINVAL);
	assert_non_null(strstr(problems.list[0].text, "has 256 bytes, more than the 255 allowed"));
	assert_int_equal(strlen(config.rules_dir), 255);
}

static void files_that_cannot_be_read(void **state)
{
	(void)state;
	assert_int_equal(config_read("/nonexistent/x.conf", &config, &problems), -ENOENT);
	assert_int_equal(config_read("/tmp", &config, &problems), -EISDIR);
	assert_int_equal(problems.count, 2);
	assert_string_equal(problems.list[0].file, "/nonexistent/x.conf");
	assert_int_equal(problems.list[0].line, 0);
}

static void all_mistakes_are_told(void **state)
{
	(void)state;
	assert_true(read_text("[sampler]\ninterval = x\nsource = y\n[nosuch]\nk = v\n[web]\nlisten = z\nbroken\n") < 0);
	assert_int_equal(problems.count, 5);
}

static char *read_whole(const char *name, size_t most)
{
	char *text = calloc(1, most);
	FILE *from = fopen(name, "r");

	assert_non_null(text);
	if (from == NULL)
		fail_msg("%s cannot be read: the tests run in the root of the tree", name);
	assert_true(fread(text, 1, most - 1, from) < most - 1);
	fclose(from);
	return text;
}

static char *print_defaults(void)
{
	char *printed = NULL;
	size_t size;
	FILE *to = open_memstream(&printed, &size);

	config_print_defaults(to);
	fclose(to);
	return printed;
}

/* "#key = value" to "key = value"; prose has a blank behind its #. Returns how many there were. */
static size_t uncomment(const char *text, char *to)
{
	size_t count = 0;

	while (*text != '\0') {
		if (text[0] == '#' && text[1] != ' ' && text[1] != '\n') {
			text++;
			count++;
		}
		do
			*to++ = *text;
		while (*text++ != '\n');
	}
	*to = '\0';
	return count;
}

static void assert_same(const struct config *a, const struct config *b)
{
	assert_int_equal(a->interval_ns, b->interval_ns);
	assert_int_equal(a->slow_interval_ns, b->slow_interval_ns);
	assert_int_equal(a->history_ns, b->history_ns);
	assert_int_equal(a->stale_after_ns, b->stale_after_ns);
	assert_int_equal(a->rescan_ns, b->rescan_ns);
	assert_int_equal(a->source, b->source);
	assert_string_equal(a->rocm_smi_library, b->rocm_smi_library);
	assert_int_equal(a->gpus_expected, b->gpus_expected);
	assert_string_equal(a->listen, b->listen);
	assert_int_equal(a->max_connections, b->max_connections);
	assert_int_equal(a->timeout_ns, b->timeout_ns);
	assert_string_equal(a->rules_dir, b->rules_dir);
	assert_int_equal(a->shipped_rules, b->shipped_rules);
	assert_int_equal(a->burst, b->burst);
}

static void the_shipped_file_is_what_is_printed(void **state)
{
	char *printed = print_defaults(), *shipped = read_whole("config/rocwatch.conf", 65536);

	(void)state;
	assert_string_equal(shipped, printed);
	assert_int_equal(config_read("config/rocwatch.conf", &config, &problems), 0);
	free(shipped);
	free(printed);
}

/* Read over what is none of the defaults, so that every setting must stand there. */
static void the_printed_file_says_the_defaults(void **state)
{
	char *printed = print_defaults(), *text = calloc(1, strlen(printed) + 1);
	struct config other;

	(void)state;
	assert_int_equal(uncomment(printed, text), 14);
	config_init(&other);
	config_fini(&config);
	memset(&config, 0, sizeof(config));
	config.gpus_expected = 5;
	config.source = SOURCE_SYSFS;
	assert_int_equal(read_text(text), 0);
	assert_same(&config, &other);
	config_fini(&other);
	free(text);
	free(printed);
}

static void the_command_line_is_named_in_mistakes(void **state)
{
	(void)state;
	assert_int_equal(config_set(&config, "web", "listen", "0.0.0.0:0", "--listen", 0, &problems), 0);
	assert_string_equal(config.listen, "0.0.0.0:0");
	assert_true(config_set(&config, "web", "listen", "x", "--listen", 0, &problems) < 0);
	assert_string_equal(problems.list[0].file, "--listen");
	assert_string_equal(config.listen, "0.0.0.0:0");
	assert_int_equal(config_set(&config, "sampler", "rocm_smi_library", "./lib.so", "--lib", 0, &problems), 0);
	assert_string_equal(config.rocm_smi_library, "./lib.so");
	assert_int_equal(config_set(&config, "sampler", "nosuch", "1", "--x", 0, &problems), -EINVAL);
	assert_non_null(strstr(problems.list[1].text, "[sampler] has no setting nosuch; it has interval"));
	assert_int_equal(config_set(&config, "nosuch", "listen", "1", "--x", 0, &problems), -EINVAL);
	assert_non_null(strstr(problems.list[2].text, "there is no section [nosuch]"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(defaults_are_within_bounds, setup, teardown),
		cmocka_unit_test_setup_teardown(settings_are_taken, setup, teardown),
		cmocka_unit_test_setup_teardown(addresses_are_taken, setup, teardown),
		cmocka_unit_test_setup_teardown(addresses_that_are_none, setup, teardown),
		cmocka_unit_test_setup_teardown(mistakes_say_what_would_be_right, setup, teardown),
		cmocka_unit_test_setup_teardown(times_that_do_not_fit_the_interval, setup, teardown),
		cmocka_unit_test_setup_teardown(paths_have_a_length, setup, teardown),
		cmocka_unit_test_setup_teardown(files_that_cannot_be_read, setup, teardown),
		cmocka_unit_test_setup_teardown(all_mistakes_are_told, setup, teardown),
		cmocka_unit_test_setup_teardown(the_shipped_file_is_what_is_printed, setup, teardown),
		cmocka_unit_test_setup_teardown(the_printed_file_says_the_defaults, setup, teardown),
		cmocka_unit_test_setup_teardown(the_command_line_is_named_in_mistakes, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
