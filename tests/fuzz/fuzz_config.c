/* fuzz_config - any bytes as a settings file, and its lines as values. Beyond not crashing: every line of the text is
 * an entry, a mistake, or is told by the mistake of a header above it; nothing of it is lost or changed in silence.
 * Values leave their result alone where they fail, and durations and numbers stay in range. */
#include "config/config.h"
#include "config/ini_file.h"
#include "config/value.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void try_quantity(const char *text)
{
	enum unit unit = UNIT_COUNT;
	char formatted[64];
	double value = -7;
	int r = value_quantity(text, &value, &unit);

	assert(r == 0 || r == -EINVAL || r == -ERANGE);
	if (r < 0) {
		assert(value == -7 && unit == UNIT_COUNT);
		return;
	}
	assert(isfinite(value) && unit < UNIT_COUNT);
	assert(unit_format(unit, value, formatted, sizeof(formatted))[0] != '\0');
}

static void try_values(const char *text)
{
	uint64_t ns = 7, count = 7;
	int64_t number = -7;
	bool yes = false;
	int r;

	try_quantity(text);
	r = value_duration(text, &ns);
	assert(r == 0 ? ns <= 1000000000000000000u : ns == 7);
	r = value_uint64(text, &count);
	assert(r == 0 || count == 7);
	if (r == 0 && count <= INT64_MAX)
		assert(value_int64(text, &number) == 0 && (uint64_t)number == count);
	else if (value_int64(text, &number) < 0)
		assert(number == -7);
	assert(value_bool(text, &yes) == 0 || !yes);
}

/* Every setting with this text: refused with a mistake, or taken without. */
static void try_settings(const char *text)
{
	static const char *const names[][2] = {
		{ "sampler", "interval" }, { "sampler", "source" },       { "sampler", "gpus_expected" },
		{ "web", "listen" },       { "alerts", "shipped_rules" }, { "alerts", "rules_dir" },
	};
	struct problems problems = { 0 };
	struct config config;
	size_t i;

	config_init(&config);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t before = problems.count;
		int r = config_set(&config, names[i][0], names[i][1], text, "fuzz", 1, &problems);

		assert(r == 0 ? problems.count == before : problems.count == before + 1);
	}
	config_set(&config, text, text, text, "fuzz", 1, &problems);
	config_set(&config, "sampler", text, text, "fuzz", 1, &problems);
	config_fini(&config);
	problems_fini(&problems);
}

/* What was made of a text; entries and mistakes come in the order of their lines, so each is looked for from the last.
 */
struct reading {
	struct ini_file file;
	struct problems problems;
	size_t entry, problem;
};

static const struct ini_entry *entry_of(struct reading *reading, int line)
{
	const struct ini_file *file = &reading->file;

	while (reading->entry < file->count && file->entries[reading->entry].line < line)
		reading->entry++;
	return reading->entry < file->count && file->entries[reading->entry].line == line ?
		       &file->entries[reading->entry] :
		       NULL;
}

static bool has_problem(struct reading *reading, int line)
{
	const struct problems *problems = &reading->problems;

	while (reading->problem < problems->count && problems->list[reading->problem].line < line)
		reading->problem++;
	return reading->problem < problems->count && problems->list[reading->problem].line == line;
}

static char *trim(char *text)
{
	size_t length;

	text += strspn(text, " \t");
	for (length = strlen(text); length > 0 && strchr(" \t", text[length - 1]) != NULL; length--)
		text[length - 1] = '\0';
	return text;
}

/* The entry is what a simple mind sees in the line. */
static void check_entry(const struct ini_entry *entry, char *line)
{
	char *equals = strchr(line, '=');

	if (entry->key == NULL) {
		assert(line[0] == '[' && line[strlen(line) - 1] == ']');
		line[strlen(line) - 1] = '\0';
		assert(strcmp(entry->section, line + 1) == 0);
		return;
	}
	assert(equals != NULL);
	*equals = '\0';
	assert(strcmp(entry->key, trim(line)) == 0);
	assert(strcmp(entry->value, trim(equals + 1)) == 0);
	try_values(entry->value);
}

/* `told` is whether a header above was a mistake, so that what follows it may be passed over. */
static bool check_line(struct reading *reading, char *line, int number, bool told)
{
	const struct ini_entry *entry = entry_of(reading, number);
	bool problem = has_problem(reading, number);

	line = trim(line);
	assert(entry == NULL || !problem);
	if (entry != NULL) {
		bool header = entry->key == NULL;

		check_entry(entry, line);
		assert(header || !told);
		return !header && told;
	}
	if (line[0] == '[') {
		assert(problem);
		return true;
	}
	assert(problem || told || line[0] == '\0' || line[0] == '#' || line[0] == ';');
	return told;
}

static void check_file(struct reading *reading, char *text)
{
	bool told = false;
	char *line, *rest = text;
	int number;

	if (strncmp(rest, "\xef\xbb\xbf", 3) == 0)
		rest += 3;
	if (strncmp(rest, "\xff\xfe", 2) == 0 || strncmp(rest, "\xfe\xff", 2) == 0) {
		assert(reading->problems.count == 1 && reading->file.count == 0);
		return;
	}
	for (number = 1; (line = strsep(&rest, "\n")) != NULL; number++) {
		size_t length = strlen(line);

		if (length > 0 && line[length - 1] == '\r')
			line[length - 1] = '\0';
		told = check_line(reading, line, number, told);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char *text = strndup((const char *)bytes, size);
	struct reading reading = { 0 };
	size_t i;

	assert(text != NULL);
	try_values(text);
	if (size < 300)
		try_settings(text);
	assert(ini_file_parse("fuzz", text, &reading.file, &reading.problems) == 0);
	for (i = 0; i < reading.problems.count; i++) /* inih must see no mistake that we did not */
		assert(strcmp(reading.problems.list[i].text, "this line is not understood") != 0);
	check_file(&reading, text);
	ini_file_fini(&reading.file);
	problems_fini(&reading.problems);
	free(text);
	return 0;
}
