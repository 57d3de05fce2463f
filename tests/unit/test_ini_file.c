/* INI files: what is read, and every mistake that inih would pass over, with its line. */
#include "tests/unit/test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/ini_file.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define LINE_MOST 198 /* bytes in a line, where inih is built with the 200 it comes with */

static struct ini_file file;
static struct problems problems;

static int teardown(void **state)
{
	(void)state;
	ini_file_fini(&file);
	problems_fini(&problems);
	return 0;
}

static void assert_entry(size_t i, int line, const char *section, const char *key, const char *value)
{
	const struct ini_entry *entry = &file.entries[i];

	assert_true(i < file.count);
	assert_int_equal(entry->line, line);
	assert_string_equal(entry->section, section);
	if (key == NULL) {
		assert_null(entry->key);
		assert_null(entry->value);
		return;
	}
	assert_string_equal(entry->key, key);
	assert_string_equal(entry->value, value);
}

static void parse_well(const char *text, size_t count)
{
	assert_int_equal(ini_file_parse("x", text, &file, &problems), 0);
	if (problems.count > 0)
		problems_print(&problems, stderr);
	assert_int_equal(problems.count, 0);
	assert_int_equal(file.count, count);
}

static void entries_know_their_place(void **state)
{
	(void)state;
	parse_well("# comment\n[a]\nkey = value\n\n;other\nk2=v = 2\n[b c]\nkey = \"quoted\"\nempty =\nlast = °C;#x",
		   7);
	assert_string_equal(file.name, "x");
	assert_entry(0, 2, "a", NULL, NULL);
	assert_entry(1, 3, "a", "key", "value");
	assert_entry(2, 6, "a", "k2", "v = 2");
	assert_entry(3, 7, "b c", NULL, NULL);
	assert_entry(4, 8, "b c", "key", "\"quoted\"");
	assert_entry(5, 9, "b c", "empty", "");
	assert_entry(6, 10, "b c", "last", "°C;#x");
}

static void files_of_other_editors(void **state)
{
	(void)state;
	parse_well("\xef\xbb\xbf[a]\r\nk = v\r\n\r\n# x\r\nlast = 1\r", 3);
	assert_entry(1, 2, "a", "k", "v");
	assert_entry(2, 5, "a", "last", "1");
}

static void blanks_around_do_not_matter(void **state)
{
	(void)state;
	parse_well("[a]  \nk  =  two words \t\nt\t=\tv\n   \n\t# indented comment\n  ; another\nu=\n", 4);
	assert_entry(1, 2, "a", "k", "two words");
	assert_entry(2, 3, "a", "t", "v");
	assert_entry(3, 7, "a", "u", "");
}

/* What begins a comment elsewhere is a part of the value where no blank stands before it. */
static void signs_within_values(void **state)
{
	(void)state;
	parse_well("[a]\nk = runbook.md#hot;x\nm = a{b=\"c\",d=\"e\"}\nc = x:y\ne==\ns =;x\nh =#x\nb = [x]\n", 8);
	assert_entry(1, 2, "a", "k", "runbook.md#hot;x");
	assert_entry(2, 3, "a", "m", "a{b=\"c\",d=\"e\"}");
	assert_entry(3, 4, "a", "c", "x:y");
	assert_entry(4, 5, "a", "e", "=");
	assert_entry(5, 6, "a", "s", ";x");
	assert_entry(6, 7, "a", "h", "#x");
	assert_entry(7, 8, "a", "b", "[x]");
}

static void an_empty_file_is_fine(void **state)
{
	static const char *const texts[] = { "", "\n", "\r\n", "# c", "\xef\xbb\xbf", "  ", "\n\n \t\n" };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(texts); i++) {
		parse_well(texts[i], 0);
		teardown(NULL);
	}
}

static void every_mistake_is_told_with_its_line(void **state)
{
	static const struct {
		const char *text;
		int line;
		const char *says;
	} cases[] = {
		{ "[a\nk = v\n", 1, "the section header \"[a\" has no closing ]" },
		{ "[", 1, "has no closing ]" },
		{ "[]\n", 1, "a section header [] without a name" },
		{ "[ ]\n", 1, "begins or ends with a blank" },
		{ "[ a]\n", 1, "the section name in [ a] begins or ends with a blank" },
		{ "[a ]\n", 1, "begins or ends with a blank" },
		{ "[a] x\n", 1, "\"x\" stands after the section header; give it a line of its own" },
		{ "[a] # x\n", 1, "\"# x\" stands after the section header" },
		{ "[a];x\n", 1, "\";x\" stands after" },
		{ "[a]k = v\n", 1, "\"k = v\" stands after" },
		{ "[a]]\n", 1, "\"]\" stands after" },
		{ " [a]\nk = v\n", 1, "\"[a]\" begins with a blank" },
		{ "[12345678901234567890123456789012345678901234567890]\n", 1, "has 50 bytes, more than 49" },
		{ "\n[a]\n[b]\n[a]\nk = v\n", 4, "section [a] stands in line 2 already" },
		{ "k = v\n", 1, "k stands before the first [section]" },
		{ "[a]\nk = v\nk = w\n", 3, "[a] k stands in line 2 already" },
		{ "[a]\nk = v\nk=\n", 3, "[a] k stands in line 2 already" },
		{ "[a]\nnonsense\n", 2, "\"nonsense\" is neither `key = value` nor a [section]" },
		{ "[a]\nk: v\n", 2, "is neither" },
		{ "[a]\n= v\n", 2, "\"= v\" has no key before the =" },
		{ "[a]\n=\n", 2, "has no key" },
		{ "[a]\nk: v = 1\n", 2, "\"k: v\" is no key" },
		{ "[a]\nk:v=1\n", 2, "\"k:v\" is no key" },
		{ "[a]\ntwo words = 1\n", 2, "\"two words\" is no key; a key is one word" },
		{ "[a]\nk ;x = 1\n", 2, "\"k ;x\" is no key" },
		{ "[a]\nk = v\n  more\n", 3, "\"more\" begins with a blank" },
		{ "[a]\nk = v\n\tl = w\n", 3, "a value cannot go on in a second line" },
		{ "[a]\nk = v ; comment\n", 2,
		  "a comment cannot stand behind a value; give \"; comment\" a line of its own" },
		{ "[a]\nk = v # comment\n", 2, "take the blank before the # away" },
		{ "[a]\nk = \"v ; w\"\n", 2, "take the blank before the ; away" },
		{ "[a]\nk = v\t;\n", 2, "a comment cannot stand behind" },
		{ "[a]\nk = # v\n", 2, "a comment cannot stand behind" },
		{ "[a]\nk = \x01\n", 2, "byte 5 of the line begins a control character (0x01)" },
		{ "[a]\nk = \x7f\n", 2, "(0x7f)" },
		{ "[a]\nk = \xc2\x9b"
		  "31m\n",
		  2, "control character (0x9b)" },
		{ "[a]\nk = a\x0b"
		  "b\n",
		  2, "(0x0b)" },
		{ "[a]\nk = \xff\xfe\n", 2, "byte 5 of the line (0xff) is not UTF-8" },
		{ "[a]\nk = 95\xb0"
		  "C\n",
		  2, "byte 7 of the line (0xb0) is not UTF-8" },
		{ "[a]\nk = \xc0\xaf\n", 2, "not UTF-8" },         /* a longer form than needed */
		{ "[a]\nk = \xe0\x80\xaf\n", 2, "not UTF-8" },     /* the same */
		{ "[a]\nk = \xf0\x80\x80\xaf\n", 2, "not UTF-8" }, /* the same */
		{ "[a]\nk = \xed\xa0\x80\n", 2, "not UTF-8" },     /* half a surrogate pair */
		{ "[a]\nk = \xf4\x90\x80\x80\n", 2, "not UTF-8" }, /* above the last character */
		{ "[a]\nk = \xe2\x82", 2, "not UTF-8" },           /* cut off */
		{ "# gr\xfc\xdf"
		  "e\n[a]\nk = v\n",
		  1, "byte 5 of the line (0xfc) is not UTF-8" },
		{ "# old Mac\r[a]\rk = v\r", 1, "byte 10 of the line begins a control character (0x0d)" },
		{ "\xff\xfe[\n", 1, "the file is UTF-16; save it as UTF-8" },
		{ "\xfe\xff[\n", 1, "the file is UTF-16" },
		{ "[a\x01]\nk = v\nk = v\n", 1, "(0x01)" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		assert_int_equal(ini_file_parse("x.conf", cases[i].text, &file, &problems), 0);
		if (problems.count != 1 || problems.list[0].line != cases[i].line ||
		    strcmp(problems.list[0].file, "x.conf") != 0 ||
		    strstr(problems.list[0].text, cases[i].says) == NULL)
			fail_msg("case %zu, \"%s\": %zu mistakes, line %d: %s", i, cases[i].text, problems.count,
				 problems.count > 0 ? problems.list[0].line : 0,
				 problems.count > 0 ? problems.list[0].text : "");
		teardown(NULL);
	}
}

static void all_mistakes_are_told_at_once(void **state)
{
	static const char text[] = "k = 1\n[a]\nk = 2\nbroken\nk = 3\n c\n[a]\nhidden\n[b\n[c]\nv = 1 ; x\n\nv = 2\n";
	static const int lines[] = { 1, 4, 5, 6, 7, 9, 11 };
	size_t i;

	(void)state;
	ini_file_parse("x", text, &file, &problems);
	assert_int_equal(problems.count, COUNT(lines));
	for (i = 0; i < COUNT(lines); i++)
		assert_int_equal(problems.list[i].line, lines[i]);
	assert_int_equal(file.count, 4);
	assert_entry(0, 2, "a", NULL, NULL);
	assert_entry(1, 3, "a", "k", "2");
	assert_entry(2, 10, "c", NULL, NULL);
	assert_entry(3, 13, "c", "v", "2");
}

/* A line of `length` bytes is read whole or refused whole, and the next one has its number. */
static void check_length(int length, const char *begin)
{
	char text[2048];
	int pad = length - (int)strlen(begin);

	snprintf(text, sizeof(text), "[a]\n%s%0*d\nnext = 1\n", begin, pad, 7);
	ini_file_parse("x", text, &file, &problems);
	if (length <= LINE_MOST) {
		assert_int_equal(problems.count, 0);
		assert_int_equal(file.count, 3);
		assert_int_equal(strlen(file.entries[1].value), pad);
	} else {
		snprintf(text, sizeof(text), "the line has %d bytes, more than the %d that can be read; shorten it",
			 length, LINE_MOST);
		assert_int_equal(problems.count, 1);
		assert_int_equal(problems.list[0].line, 2);
		assert_string_equal(problems.list[0].text, text);
		assert_int_equal(file.count, 2);
	}
	assert_entry(file.count - 1, 3, "a", "next", "1");
	teardown(NULL);
}

static void long_lines_are_refused_whole(void **state)
{
	int length;

	(void)state;
	for (length = 150; length < 900; length++)
		check_length(length, "k = ");
	check_length(LINE_MOST, "a_key_longer_than_inih_would_remember_for_continuation_lines = ");
}

static void long_comments_are_fine(void **state)
{
	char text[1024];

	(void)state;
	memset(text, '#', sizeof(text));
	strcpy(text + 900, "\n[a]\n");
	parse_well(text, 1);
	assert_entry(0, 2, "a", NULL, NULL);
}

static void long_names_are_whole(void **state)
{
	(void)state;
	parse_well("[1234567890123456789012345678901234567890123456789]\nk = v\n", 2);
	assert_entry(1, 2, "1234567890123456789012345678901234567890123456789", "k", "v");
}

/* Whatever is wrong with a header, its keys do not land in the section above. */
static void keys_below_a_broken_header_are_not_misplaced(void **state)
{
	static const char *const headers[] = { "[b", "[]", "[b] x", "[a]", " [b]", "[b\x01]", "[b\xff]", NULL };
	char text[1024];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(headers); i++) {
		if (headers[i] != NULL)
			snprintf(text, sizeof(text), "[a]\nk = 1\n%s\nk = 2\nl = 3\n[c]\nk = 3\n", headers[i]);
		else
			snprintf(text, sizeof(text), "[a]\nk = 1\n[%0300d]\nk = 2\nl = 3\n[c]\nk = 3\n", 0);
		ini_file_parse("x", text, &file, &problems);
		assert_int_equal(problems.count, 1);
		assert_int_equal(problems.list[0].line, 3);
		assert_int_equal(file.count, 4);
		assert_entry(2, 6, "c", NULL, NULL);
		assert_entry(3, 7, "c", "k", "3");
		teardown(NULL);
	}
}

/* ---- files ---- */

static void assert_unreadable(const char *path, int r, const char *says)
{
	assert_int_equal(ini_file_read(path, &file, &problems), r);
	assert_int_equal(file.count, 0);
	assert_int_equal(problems.count, 1);
	assert_int_equal(problems.list[0].line, 0);
	assert_string_equal(problems.list[0].file, path);
	assert_non_null(strstr(problems.list[0].text, says));
	teardown(NULL);
}

static void files_that_are_none(void **state)
{
	char directory[] = "/tmp/rocwatch-test.XXXXXX", path[64];
	int fd;

	(void)state;
	assert_non_null(mkdtemp(directory));
	assert_unreadable(directory, -EISDIR, "it is a directory");
	snprintf(path, sizeof(path), "%s/x.conf", directory);
	assert_unreadable(path, -ENOENT, "No such file");
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_unreadable(path, -ESPIPE, "it is a pipe");
	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(ftruncate(fd, 1048577), 0);
	assert_unreadable(path, -EFBIG, "larger than 1 MiB");
	close(fd);
	chmod(path, 0);
	if (geteuid() != 0)
		assert_unreadable(path, -EACCES, "Permission denied");
	unlink(path);
	rmdir(directory);
}

static void read_bytes(const char *bytes, size_t length)
{
	char path[] = "/tmp/rocwatch-test.XXXXXX";
	int fd = mkstemp(path);

	assert_int_equal(write(fd, bytes, length), length);
	close(fd);
	assert_int_equal(ini_file_read(path, &file, &problems), 0);
	assert_string_equal(file.name, path);
	unlink(path);
}

/* A file that lost power is full of NULs; what stands behind one must not vanish with it. */
static void nul_bytes(void **state)
{
	static const char text[] = "[a]\nk = 1\0002\nl = 3\n# c\0[x]\n\0\0\0";

	(void)state;
	read_bytes(text, sizeof(text) - 1);
	assert_int_equal(problems.count, 3);
	assert_int_equal(problems.list[0].line, 2);
	assert_string_equal(problems.list[0].text, "byte 6 of the line is NUL; this is no text");
	assert_int_equal(problems.list[1].line, 4);
	assert_int_equal(problems.list[2].line, 5);
	assert_int_equal(file.count, 2);
	assert_entry(1, 3, "a", "l", "3");
}

static void a_file_is_read_like_a_text(void **state)
{
	static const char text[] = "\xef\xbb\xbf[a]\r\nk = v";

	(void)state;
	read_bytes(text, sizeof(text) - 1);
	assert_int_equal(problems.count, 0);
	assert_entry(1, 2, "a", "k", "v");
	teardown(NULL);
	read_bytes("", 0);
	assert_int_equal(problems.count + file.count, 0);
	teardown(NULL);
	assert_int_equal(ini_file_read("/dev/null", &file, &problems), 0);
	assert_int_equal(problems.count + file.count, 0);
}

static void problems_are_printed_with_their_place(void **state)
{
	char *printed = NULL;
	size_t size;
	FILE *to = open_memstream(&printed, &size);

	(void)state;
	problem_add(&problems, "x.conf", 12, "%s is %d", "k", 3);
	problem_add(&problems, "x.conf", 0, "cannot be read");
	problems_print(&problems, to);
	fclose(to);
	assert_string_equal(printed, "x.conf:12: k is 3\nx.conf: cannot be read\n");
	free(printed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(entries_know_their_place, teardown),
		cmocka_unit_test_teardown(files_of_other_editors, teardown),
		cmocka_unit_test_teardown(blanks_around_do_not_matter, teardown),
		cmocka_unit_test_teardown(signs_within_values, teardown),
		cmocka_unit_test_teardown(an_empty_file_is_fine, teardown),
		cmocka_unit_test_teardown(every_mistake_is_told_with_its_line, teardown),
		cmocka_unit_test_teardown(all_mistakes_are_told_at_once, teardown),
		cmocka_unit_test_teardown(long_lines_are_refused_whole, teardown),
		cmocka_unit_test_teardown(long_comments_are_fine, teardown),
		cmocka_unit_test_teardown(long_names_are_whole, teardown),
		cmocka_unit_test_teardown(keys_below_a_broken_header_are_not_misplaced, teardown),
		cmocka_unit_test_teardown(files_that_are_none, teardown),
		cmocka_unit_test_teardown(nul_bytes, teardown),
		cmocka_unit_test_teardown(a_file_is_read_like_a_text, teardown),
		cmocka_unit_test_teardown(problems_are_printed_with_their_place, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
