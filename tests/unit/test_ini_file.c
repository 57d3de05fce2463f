/* INI files: what is read, and every mistake that inih would pass over, with its line. */
#include "tests/unit/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/ini_file.h"

static struct ini_file file;
static struct problems problems;

static int teardown(void **state)
{
	(void)state;
	ini_file_fini(&file);
	problems_fini(&problems);
	return 0;
}

static void good_files(void **state)
{
	(void)state;
	assert_int_equal(ini_file_parse("x", "\xef\xbb\xbf# comment\r\n[a]\r\nkey = value\r\n\n;other\nk2=v = 2\n"
					     "[b c]\nkey = \"quoted\"\nempty =\nlast = °C;#x", &file, &problems), 0);
	assert_int_equal(problems.count, 0);
	assert_int_equal(file.count, 7);
	assert_string_equal(file.entries[0].section, "a");
	assert_null(file.entries[0].key);
	assert_string_equal(file.entries[1].key, "key");
	assert_string_equal(file.entries[1].value, "value");
	assert_int_equal(file.entries[1].line, 3);
	assert_string_equal(file.entries[2].value, "v = 2");
	assert_string_equal(file.entries[3].section, "b c");
	assert_string_equal(file.entries[4].value, "\"quoted\"");
	assert_string_equal(file.entries[5].value, "");
	assert_string_equal(file.entries[6].value, "°C;#x");
	assert_int_equal(file.entries[6].line, 10);
}

static void an_empty_file_is_fine(void **state)
{
	(void)state;
	assert_int_equal(ini_file_parse("x", "", &file, &problems), 0);
	assert_int_equal(problems.count + file.count, 0);
}

static void every_mistake_is_told_with_its_line(void **state)
{
	static const struct {
		const char *text;
		int line;
		const char *says;
	} cases[] = {
		{ "[a\nk = v\n", 1, "no closing ]" },
		{ "[]\n", 1, "empty" },
		{ "[ a]\n", 1, "blank" },
		{ "[a] x\n", 1, "stands after" },
		{ "\n[a]\n[b]\n[a]\n", 4, "stands in line 2 already" },
		{ "k = v\n", 1, "before the first" },
		{ "[a]\nk = v\nk = w\n", 3, "stands in line 2 already" },
		{ "[a]\nnonsense\n", 2, "neither" },
		{ "[a]\n= v\n", 2, "no key" },
		{ "[a]\nk: v = 1\n", 2, "no key" },
		{ "[a]\nk = v\n  more\n", 3, "continuation" },
		{ "[a]\n k = v\n", 2, "begins with a blank" },
		{ "[a]\nk = v ; comment\n", 2, "cannot stand behind" },
		{ "[a]\nk = v # comment\n", 2, "cannot stand behind" },
		{ "[a]\nk = \x01\n", 2, "control character (0x01)" },
		{ "[a]\nk = \xff\xfe\n", 2, "not UTF-8" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ini_file_parse("x.conf", cases[i].text, &file, &problems);
		if (problems.count != 1 || problems.list[0].line != cases[i].line ||
		    strstr(problems.list[0].text, cases[i].says) == NULL)
			fail_msg("case %zu: %zu mistakes, line %d: %s", i, problems.count,
				 problems.count > 0 ? problems.list[0].line : 0,
				 problems.count > 0 ? problems.list[0].text : "");
		ini_file_fini(&file);
		problems_fini(&problems);
	}
}

static void long_lines_are_refused_whole(void **state)
{
	char text[1024];
	int room;

	(void)state;
	for (room = 150; room < 900; room++) {
		int n = snprintf(text, sizeof(text), "[a]\nk = %0*d\nnext = 1\n", room, 7);

		(void)n;
		ini_file_parse("x", text, &file, &problems);
		/* either whole, or refused; never cut */
		if (problems.count == 0) {
			assert_int_equal(strlen(file.entries[1].value), room);
			assert_int_equal(file.count, 3);
		} else {
			assert_true(room + 4 > 190);
			assert_int_equal(problems.count, 1);
			assert_int_equal(problems.list[0].line, 2);
			assert_non_null(strstr(problems.list[0].text, "more than 190"));
			assert_string_equal(file.entries[1].key, "next");
		}
		teardown(NULL);
	}
	/* a comment may be as long as it likes */
	memset(text, '#', sizeof(text));
	strcpy(text + 900, "\n[a]\n");
	ini_file_parse("x", text, &file, &problems);
	assert_int_equal(problems.count, 0);
	assert_int_equal(file.count, 1);
}

static void keys_below_a_broken_header_are_not_misplaced(void **state)
{
	(void)state;
	ini_file_parse("x", "[a]\nk = 1\n[b\nk = 2\n[c]\nk = 3\n", &file, &problems);
	assert_int_equal(problems.count, 1);
	assert_int_equal(file.count, 4);
	assert_string_equal(file.entries[2].section, "c");
}

static void files_that_are_none(void **state)
{
	char path[] = "/tmp/rocwatch-test.XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_int_equal(ini_file_read("/tmp", &file, &problems), -EISDIR);
	assert_non_null(strstr(problems.list[0].text, "directory"));
	teardown(NULL);
	assert_int_equal(ini_file_read("/nonexistent", &file, &problems), -ENOENT);
	assert_string_equal(problems.list[0].file, "/nonexistent");
	teardown(NULL);
	assert_int_equal(write(fd, "[a]\nk = 1\0002\n", 12), 12);
	close(fd);
	assert_int_equal(ini_file_read(path, &file, &problems), 0);
	assert_int_equal(problems.count, 1);
	assert_int_equal(problems.list[0].line, 2);
	assert_non_null(strstr(problems.list[0].text, "NUL"));
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(good_files, teardown),
		cmocka_unit_test_teardown(an_empty_file_is_fine, teardown),
		cmocka_unit_test_teardown(every_mistake_is_told_with_its_line, teardown),
		cmocka_unit_test_teardown(long_lines_are_refused_whole, teardown),
		cmocka_unit_test_teardown(keys_below_a_broken_header_are_not_misplaced, teardown),
		cmocka_unit_test_teardown(files_that_are_none, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
