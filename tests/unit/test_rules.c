/* test_rules - rules files: what is right, what is a mistake and where, who overrides whom, the shipped pack. */
#include "tests/unit/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/rules/rules.h"
#include "daemon/rules/words.h"

#define T "[alert t]\nkind = threshold\n"
#define JUNCTION "metric = amdgpu_temperature_celsius{sensor=\"junction\"}\n"
#define VRAM "metric = amdgpu_memory_used_bytes{pool=\"vram\"}\n"

/* Loads one text, wants exactly one mistake, on that line, with each of the words (separated by '|') in it. */
static void mistake(const char *text, int line, const char *words)
{
	struct rule_text shipped = { "test.conf", text };
	struct problems problems = { 0 };
	struct rules *rules;
	char list[256], *rest = list, *word;

	assert_int_equal(rules_load(&shipped, 1, NULL, &rules, &problems), -EINVAL);
	assert_null(rules);
	if (problems.count != 1)
		problems_print(&problems, stderr);
	assert_int_equal(problems.count, 1);
	assert_string_equal(problems.list[0].file, "test.conf");
	if (problems.list[0].line != line)
		problems_print(&problems, stderr);
	assert_int_equal(problems.list[0].line, line);
	snprintf(list, sizeof(list), "%s", words);
	while ((word = strsep(&rest, "|")) != NULL)
		if (strstr(problems.list[0].text, word) == NULL)
			fail_msg("\"%s\" is not in: %s", word, problems.list[0].text);
	problems_fini(&problems);
}

static struct rules *fine(const char *text)
{
	struct rule_text shipped = { "test.conf", text };
	struct problems problems = { 0 };
	struct rules *rules;

	if (rules_load(&shipped, 1, NULL, &rules, &problems) < 0) {
		problems_print(&problems, stderr);
		fail_msg("mistakes where there are none");
	}
	problems_fini(&problems);
	return rules;
}

static void is_fine(const char *text)
{
	rules_free(fine(text));
}

static void sections_and_keys(void **state)
{
	(void)state;
	mistake("above = 3\n" T JUNCTION "above = 95C\n", 1, "above|before the first [section]");
	mistake("[alarm t]\nkind = absent\n", 1, "[alarm t]|[alert NAME]");
	mistake("[alert gpu hot]\nkind = absent\n", 1, "[alert gpu hot]");
	mistake("\n" T JUNCTION "abov = 95C\nbelow = 3C\n", 5, "abov|did you mean \"above\"?");
	mistake("[alert t]\nkind = thresold\n", 2, "thresold|did you mean \"threshold\"?");
	mistake("[alert t]\nkind = magic\n", 2, "magic|threshold, increase or absent");
	mistake("[alert t]\nseverity = info\n", 1, "kind is missing");
	mistake(T "above = 95C\n", 1, "metric is missing");
	mistake("[alert t]\nkind = absent\nmetric = amdgpu_power_watts\n", 1, "takes no metric");
	mistake(T JUNCTION "above = 95C\nseverity = urgent\n", 5, "urgent|critical, warning or info");
	mistake(T JUNCTION "above = 95C\nfor = 10\n", 5, "for = 10|10s");
	mistake(T JUNCTION "above = 95C\nenabled = maybe\n", 5, "maybe|yes or no");
	mistake(T JUNCTION "above = 95C\nsummary = {gpu} is {hot}\n", 5, "{hot}|{value}");
	mistake("[alert t]\nkind = absent\nfor = 5s\n", 3, "for|absent");
	mistake("[alert t]\nkind = absent\nafter = soon\n", 3, "soon|5s");
}

static void metrics_of_rules(void **state)
{
	(void)state;
	mistake(T "metric = amdgpu_temperature_celcius\nabove = 95C\n", 3, "celcius|did you mean \"amdgpu_temperature_celsius\"?");
	mistake(T "metric = amdgpu_temperature_celsius{sensor=\"moon\"}\nabove = 95C\n", 3, "moon|no such labels");
	mistake(T "metric = amdgpu_temperature_celsius{sensor\nabove = 95C\n", 3, "not a selection");
	mistake("[alert t]\nkind = increase\nmetric = amdgpu_power_watts\n", 3, "amdgpu_power_watts|not a counter");
	is_fine(T "metric = amdgpu_throttle_active{reason=\"temp_*\"}\nabove = 0\n");
}

static void limits(void **state)
{
	(void)state;
	mistake(T JUNCTION, 1, "has no limit|above = 95C");
	mistake(T JUNCTION "above = 95C\nbelow = 20C\n", 5, "below = 20C|above = 95C");
	mistake(T JUNCTION "above = 95W\n", 4, "95W|is in celsius|95C");
	mistake(T JUNCTION "above = 95\n", 4, "above = 95|is in celsius|95C");
	mistake(T JUNCTION "above = hot\n", 4, "hot|amdgpu_temperature_celsius{sensor=\"junction\"}");
	mistake(T "metric = amdgpu_power_watts\nabove = 95%\n", 4, "95%|watts|300W");
	mistake(T "metric = amdgpu_throttled\nabove = 1C\n", 4, "1C|bare number");
	mistake(T "metric = amdgpu_utilization_ratio\nabove = 95\n", 4, "95|ratio|95%");
	mistake(T JUNCTION "above = 95C\nclear = 96C\n", 5, "clear = 96C|95C");
	mistake(T JUNCTION "below = 20C\nclear = 10C\n", 5, "clear = 10C|20C");
	mistake(T JUNCTION "above = 95C\nclear = cold\n", 5, "cold");
	is_fine(T JUNCTION "above = 95C\nclear = 95C\n");
}

static void relative_limits(void **state)
{
	(void)state;
	mistake(T JUNCTION "above = temperature_crit - 5C\n", 4, "temperature_crit|junction");
	mistake(T JUNCTION "above = temperature_critical - 5W\n", 4, "5W|celsius");
	mistake(T JUNCTION "above = temperature_critical * 2\n", 4, "* 2|temperature_critical - 5C");
	mistake(T JUNCTION "above = power_cap\n", 4, "power_cap is in watts");
	mistake(T VRAM "above = 95C of memory_total\n", 4, "95C|ratio");
	mistake(T VRAM "above = 95% of \n", 4, "95% of");
	mistake(T "metric = amdgpu_temperature_celsius\nabove = temperature_critical\n", 4, "hbm0");
	mistake(T JUNCTION "above = temperature_critical - 10C\nclear = temperature_critical - 5C\n", 5, "clear|must not exceed");
	mistake(T VRAM "above = 90% of memory_total\nclear = 95% of memory_total\n", 5, "clear|must not exceed");
	is_fine(T VRAM "above = 95% of memory_total\nclear = memory_total - 8GiB\n");
	is_fine(T JUNCTION "above = amdgpu_temperature_critical_celsius\nclear = 80C\n");
	is_fine(T VRAM "above = 95% of memory_total - 1GiB\n");
}

static void gates(void **state)
{
	(void)state;
	mistake(T VRAM "above = 1GiB\nwhen = memory_total\n", 5, "when = memory_total|above 4GiB");
	mistake(T VRAM "above = 1GiB\nwhen = memory_size above 4GiB\n", 5, "memory_size");
	mistake(T VRAM "above = 1GiB\nwhen = memory_total above 4W\n", 5, "4W|bytes");
	is_fine(T VRAM "when = power_cap above 100W\nabove = 1GiB\n");
}

static void increases(void **state)
{
	static const char ecc[] = "[alert t]\nkind = increase\nmetric = amdgpu_ecc_errors_total\n";
	char text[256];

	(void)state;
	snprintf(text, sizeof(text), "%sby = 0\n", ecc);
	mistake(text, 4, "by = 0|above 0");
	snprintf(text, sizeof(text), "%swindow = 5\n", ecc);
	mistake(text, 4, "window = 5|1h");
	snprintf(text, sizeof(text), "%sby = 5W\n", ecc);
	mistake(text, 4, "5W");
	snprintf(text, sizeof(text), "%sby = 10\nwindow = 24h\n", ecc);
	is_fine(text);
}

static void silencers(void **state)
{
	struct rules *rules;

	(void)state;
	mistake("[alert a]\nkind = absent\n[alert b]\nkind = absent\nunless = aa\n", 5, "aa|did you mean \"a\"?");
	mistake("[alert t]\nkind = absent\nunless = t\n", 3, "leads back");
	rules = fine("[alert c]\nkind = absent\nunless = b\n[alert b]\nkind = absent\nunless = a\n[alert a]\nkind = absent\n"
		     "[alert d]\nkind = absent\nunless = off\n[alert off]\nkind = absent\nenabled = no\n");
	assert_int_equal(rules->count, 4);
	assert_string_equal(rules->list[0]->name, "a");
	assert_string_equal(rules->list[1]->name, "d");
	assert_string_equal(rules->list[2]->name, "b");
	assert_string_equal(rules->list[3]->name, "c");
	assert_int_equal(rules->list[1]->unless_index, -1);
	assert_int_equal(rules->list[2]->unless_index, 0);
	assert_int_equal(rules->list[3]->unless_index, 2);
	rules_free(rules);
}

static void all_mistakes_at_once(void **state)
{
	struct rule_text shipped = { "test.conf", T JUNCTION "above = 95W\nseverity = urgent\n[alert u]\nkind = magic\n" };
	struct problems problems = { 0 };
	struct rules *rules;

	(void)state;
	assert_int_equal(rules_load(&shipped, 1, NULL, &rules, &problems), -EINVAL);
	assert_int_equal(problems.count, 3);
	problems_fini(&problems);
}

/* ---- a directory ---- */

static void write_file(const char *directory, const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void remove_files(const char *directory, const char *const *names)
{
	char path[256];

	for (; *names != NULL; names++) {
		snprintf(path, sizeof(path), "%s/%s", directory, *names);
		unlink(path);
	}
	rmdir(directory);
}

static const struct rule_text pack[] = {
	{ "pack.conf", "[alert one]\nkind = absent\n[alert two]\nkind = absent\nunless = one\n[alert three]\nkind = absent\n" },
};

static void a_directory_overrides_and_disables(void **state)
{
	char directory[] = "/tmp/rocwatch-rules-XXXXXX";
	static const char *const names[] = { "10-a.conf", "20-b.conf", "ignored.txt", ".hidden.conf", NULL };
	struct problems problems = { 0 };
	struct rules *rules;

	(void)state;
	assert_non_null(mkdtemp(directory));
	write_file(directory, names[0], "[alert one]\nenabled = no\n[alert mine]\nkind = absent\nseverity = info\n");
	write_file(directory, names[1], "\n[alert three]\nkind = absent\nafter = 9s\nseverity = critical\n");
	write_file(directory, names[2], "[alert three]\nkind = nonsense\n");
	write_file(directory, names[3], "[alert three]\nkind = nonsense\n");
	assert_int_equal(rules_load(pack, 1, directory, &rules, &problems), 0);
	assert_int_equal(rules->count, 3);
	assert_string_equal(rules->list[0]->name, "two");
	assert_int_equal(rules->list[0]->unless_index, -1);
	assert_string_equal(rules->list[1]->name, "three");
	assert_int_equal(rules->list[1]->severity, SEVERITY_CRITICAL);
	assert_non_null(strstr(rules->list[1]->file, "20-b.conf"));
	assert_int_equal(rules->list[1]->line, 2);
	assert_string_equal(rules->list[2]->name, "mine");
	rules_free(rules);
	assert_int_equal(rules_load(NULL, 0, directory, &rules, &problems), 0); /* without the shipped ones it is fine too */
	assert_int_equal(rules->count, 2);
	rules_free(rules);
	remove_files(directory, names);
}

static void mistakes_of_a_directory(void **state)
{
	char directory[] = "/tmp/rocwatch-rules-XXXXXX";
	static const char *const names[] = { "a.conf", "b.conf", "c.conf", NULL };
	struct problems problems = { 0 };
	struct rules *rules;

	(void)state;
	assert_non_null(mkdtemp(directory));
	write_file(directory, names[0], "[alert same]\nkind = absent\n");
	write_file(directory, names[1], "\n[alert same]\nkind = absent\n");
	write_file(directory, names[2], "[alert tow]\nenabled = no\n");
	assert_int_equal(rules_load(pack, 1, directory, &rules, &problems), -EINVAL);
	assert_int_equal(problems.count, 2);
	assert_non_null(strstr(problems.list[0].file, "b.conf"));
	assert_int_equal(problems.list[0].line, 2);
	assert_non_null(strstr(problems.list[0].text, "a.conf:1"));
	assert_non_null(strstr(problems.list[1].file, "c.conf"));
	assert_non_null(strstr(problems.list[1].text, "did you mean \"two\"?"));
	problems_fini(&problems);
	remove_files(directory, names);
}

static void directories_that_are_none(void **state)
{
	struct problems problems = { 0 };
	struct rules *rules;

	(void)state;
	assert_int_equal(rules_load(pack, 1, "/nonexistent/rules.d", &rules, &problems), 0);
	rules_free(rules);
	assert_int_equal(rules_load(pack, 1, "/dev/null", &rules, &problems), -EINVAL);
	assert_int_equal(problems.count, 1);
	assert_string_equal(problems.list[0].file, "/dev/null");
	problems_fini(&problems);
}

/* ---- the shipped pack, and what is printed ---- */

static void the_shipped_rules_are_fine(void **state)
{
	struct problems problems = { 0 };
	struct rules *rules;
	size_t i;

	(void)state;
	assert_int_equal(rules_load(rules_pack, rules_pack_count, NULL, &rules, &problems), 0);
	assert_true(rules->count >= 5);
	for (i = 0; i < rules->count; i++) {
		assert_non_null(rules->list[i]->summary);
		assert_non_null(rules->list[i]->runbook);
	}
	rules_free(rules);
}

/* The anchor of each shipped rule's runbook is a heading there. */
static void the_runbook_has_every_shipped_rule(void **state)
{
	FILE *file = fopen("docs/runbook.md", "r");
	struct problems problems = { 0 };
	char text[65536], heading[96];
	struct rules *rules;
	size_t i, length;

	(void)state;
	if (file == NULL)
		skip_because("docs/runbook.md is not below the current directory");
	length = fread(text, 1, sizeof(text) - 1, file);
	text[length] = '\0';
	fclose(file);
	assert_int_equal(rules_load(rules_pack, rules_pack_count, NULL, &rules, &problems), 0);
	for (i = 0; i < rules->count; i++) {
		const char *anchor = strchr(rules->list[i]->runbook, '#');

		assert_non_null(anchor);
		snprintf(heading, sizeof(heading), "\n## %s\n", anchor + 1);
		if (strstr(text, heading) == NULL)
			fail_msg("docs/runbook.md has no heading %s", heading);
	}
	rules_free(rules);
}

static void a_rule_is_a_sentence(void **state)
{
	struct rules *rules = fine(T JUNCTION "above = temperature_critical - 5C\nclear = 80C\nfor = 90s\nunless = off\n"
				   "when = temperature_critical above 50C\nclear_for = 1m\nseverity = critical\n"
				   "[alert off]\nkind = absent\nenabled = no\n");
	char *text = NULL;
	size_t length;
	FILE *to = open_memstream(&text, &length);

	(void)state;
	rules_print(rules, to);
	fclose(to);
	assert_string_equal(text, "t (critical): fires when amdgpu_temperature_celsius{sensor=\"junction\"} is above "
				  "temperature_critical - 5C (ends at or below 80C) for 1m 30s, on cards with "
				  "temperature_critical above 50C, unless off fires (switched off); ends after 1m without.\n"
				  "    test.conf:1\n");
	free(text);
	rules_free(rules);
}

static void spans_of_time(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} spans[] = {
		{ 0, "0 s" },		      { 350000000, "350 ms" },	     { 10000000000, "10 s" },
		{ 59900000000, "59 s" },      { 60000000000, "1m" },	     { 250000000000, "4m 10s" },
		{ 7500000000000, "2h 5m" },   { 86400000000000, "1d" },	     { 273600000000000, "3d 4h" },
	};
	char text[WORDS_SIZE];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(spans) / sizeof(spans[0]); i++)
		assert_string_equal(words_duration(spans[i].ns, text, sizeof(text)), spans[i].text);
}

static void near_words(void **state)
{
	static const char *const words[] = { "above", "below", "clear" };
	char text[WORDS_SIZE];

	(void)state;
	assert_string_equal(words_nearest("abvoe", words, 3, text, sizeof(text)), "; did you mean \"above\"?");
	assert_string_equal(words_nearest("clear_at", words, 3, text, sizeof(text)), "; did you mean \"clear\"?");
	assert_string_equal(words_nearest("elsewhere", words, 3, text, sizeof(text)), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_and_keys),
		cmocka_unit_test(metrics_of_rules),
		cmocka_unit_test(limits),
		cmocka_unit_test(relative_limits),
		cmocka_unit_test(gates),
		cmocka_unit_test(increases),
		cmocka_unit_test(silencers),
		cmocka_unit_test(all_mistakes_at_once),
		cmocka_unit_test(a_directory_overrides_and_disables),
		cmocka_unit_test(mistakes_of_a_directory),
		cmocka_unit_test(directories_that_are_none),
		cmocka_unit_test(the_shipped_rules_are_fine),
		cmocka_unit_test(the_runbook_has_every_shipped_rule),
		cmocka_unit_test(a_rule_is_a_sentence),
		cmocka_unit_test(spans_of_time),
		cmocka_unit_test(near_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
