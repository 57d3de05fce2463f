/* ini_file - see the header.
 *
 * inih asks for one line at a time and calls back for each entry of it; it knows neither the line's number nor what it
 * cut off. So our reader checks every line before inih sees it, and hands on only what inih takes as it stands: a line
 * with a mistake becomes an empty one. Continuation lines, inline comments and "key: value", of which inih makes
 * something else than a reader expects, are mistakes here. */
#include "config/ini_file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_MOST 190      /* inih takes lines of 200 bytes with their ends; longer ones it cuts in two */
#define NAME_MOST 48       /* of a section; inih cuts at 49 */
#define FILE_MOST 1048576u /* a settings file that is larger is none */

struct reader {
	const char *rest; /* what is not read yet */
	size_t rest_length;
	int line;
	char section[64]; /* the last well-formed header; after a malformed one: what follows is skipped */
	bool skip;        /* within a section whose header was a mistake */
	struct ini_file *file;
	struct problems *problems;
};

#define mistake(reader, ...) problem_add((reader)->problems, (reader)->file->name, (reader)->line, __VA_ARGS__)

static char *copy(const char *text)
{
	char *copied = strdup(text);

	if (copied == NULL) {
		fputs("rocwatchd: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	return copied;
}

static void add_entry(struct reader *reader, const char *key, const char *value)
{
	struct ini_file *file = reader->file;
	struct ini_entry *grown = realloc(file->entries, (file->count + 1) * sizeof(*grown));

	if (grown == NULL) {
		fputs("rocwatchd: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	file->entries = grown;
	grown[file->count++] = (struct ini_entry){
		.section = copy(reader->section),
		.key = key != NULL ? copy(key) : NULL,
		.value = value != NULL ? copy(value) : NULL,
		.line = reader->line,
	};
}

/* ---- what a line must look like before inih sees it ---- */

static const struct ini_entry *find_entry(const struct ini_file *file, const char *section, const char *key)
{
	size_t i;

	for (i = 0; i < file->count; i++)
		if (strcmp(file->entries[i].section, section) == 0 &&
		    (key == NULL ? file->entries[i].key == NULL :
				   file->entries[i].key != NULL && strcmp(file->entries[i].key, key) == 0))
			return &file->entries[i];
	return NULL;
}

/* "[alert gpu-hot]". A malformed header leaves no section to put keys into: they are passed over, not misplaced. */
static bool check_header(struct reader *reader, char *line)
{
	char *close = strchr(line, ']');
	const struct ini_entry *before;

	reader->skip = true;
	if (close == NULL) {
		mistake(reader, "the section header \"%s\" has no closing ]", line);
		return false;
	}
	if (close[1] != '\0') {
		mistake(reader, "\"%s\" stands after the section header; give it a line of its own", close + 1);
		return false;
	}
	*close = '\0';
	if (line[1] == '\0' || isspace((unsigned char)line[1]) || isspace((unsigned char)close[-1])) {
		mistake(reader, "a section name is empty or begins or ends with a blank");
		return false;
	}
	if (strlen(line + 1) > NAME_MOST) {
		mistake(reader, "the section name \"%s\" has %zu characters, more than %d", line + 1, strlen(line + 1),
			NAME_MOST);
		return false;
	}
	before = find_entry(reader->file, line + 1, NULL);
	if (before != NULL) {
		mistake(reader, "section [%s] stands in line %d already", line + 1, before->line);
		return false;
	}
	snprintf(reader->section, sizeof(reader->section), "%s", line + 1);
	reader->skip = false;
	add_entry(reader, NULL, NULL);
	return true;
}

/* A comment behind a value would be cut off (;) or taken for a part of it (#). */
static bool check_value(struct reader *reader, const char *value)
{
	const char *c;

	for (c = value; *c != '\0'; c++) {
		if ((*c == ';' || *c == '#') && c > value && isspace((unsigned char)c[-1])) {
			mistake(reader, "a comment cannot stand behind a value; give \"%s\" a line of its own", c);
			return false;
		}
	}
	return true;
}

static bool check_entry(struct reader *reader, const char *line)
{
	const char *equals = strchr(line, '=');
	const struct ini_entry *before;
	char key[LINE_MOST + 2];
	size_t length;

	if (equals == NULL) {
		mistake(reader, "\"%s\" is neither `key = value` nor a [section]", line);
		return false;
	}
	for (length = (size_t)(equals - line); length > 0 && isspace((unsigned char)line[length - 1]); length--)
		;
	if (length == 0 || memchr(line, ':', length) != NULL) {
		mistake(reader, "\"%s\" has no key before the =", line);
		return false;
	}
	snprintf(key, sizeof(key), "%.*s", (int)length, line);
	if (reader->section[0] == '\0') {
		mistake(reader, "%s stands before the first [section]", key);
		return false;
	}
	before = find_entry(reader->file, reader->section, key);
	if (before != NULL) {
		mistake(reader, "[%s] %s stands in line %d already", reader->section, key, before->line);
		return false;
	}
	return check_value(reader, equals + 1);
}

static bool is_utf8(const char *text)
{
	while (*text != '\0') {
		unsigned char first = (unsigned char)*text++;
		int more = first < 0x80                  ? 0 :
			   first >= 0xc2 && first < 0xe0 ? 1 :
			   (first & 0xf0) == 0xe0        ? 2 :
			   first >= 0xf0 && first < 0xf5 ? 3 :
							   -1;

		if (more < 0)
			return false;
		for (; more > 0; more--)
			if (((unsigned char)*text++ & 0xc0) != 0x80)
				return false;
	}
	return true;
}

static bool check_characters(struct reader *reader, const char *line, size_t length)
{
	size_t i;

	if (strlen(line) != length) {
		mistake(reader, "a NUL byte stands in the line");
		return false;
	}
	for (i = 0; i < length; i++) {
		if (((unsigned char)line[i] < 0x20 && line[i] != '\t') || line[i] == 0x7f) {
			mistake(reader, "a control character (0x%02x) stands in the line", (unsigned char)line[i]);
			return false;
		}
	}
	if (!is_utf8(line)) {
		mistake(reader, "the line is not UTF-8");
		return false;
	}
	return true;
}

/* Whether inih may see the line: it is one of an entry, and in order. */
static bool check_line(struct reader *reader, char *line, size_t length)
{
	char *first = line + strspn(line, " \t");

	if (!check_characters(reader, line, length) || *first == '\0' || *first == '#' || *first == ';')
		return false;
	if (first != line) {
		mistake(reader, "\"%s\" begins with a blank; continuation lines are not known here, write it without",
			first);
		return false;
	}
	while (length > 0 && isspace((unsigned char)line[length - 1]))
		line[--length] = '\0';
	if (*line == '[') {
		check_header(reader, line);
		return false; /* the section is ours already */
	}
	if (reader->skip)
		return false;
	return check_entry(reader, line);
}

/* ---- inih ---- */

/* The next line without its end, its length; false at the end of the text. */
static bool take_line(struct reader *reader, const char **ret, size_t *ret_length)
{
	const char *end;

	if (reader->rest_length == 0)
		return false;
	end = memchr(reader->rest, '\n', reader->rest_length);
	*ret = reader->rest;
	*ret_length = end != NULL ? (size_t)(end - reader->rest) : reader->rest_length;
	reader->rest += *ret_length + (end != NULL);
	reader->rest_length -= *ret_length + (end != NULL);
	reader->line++;
	if (*ret_length > 0 && (*ret)[*ret_length - 1] == '\r')
		--*ret_length;
	return true;
}

static char *read_line(char *to, int size, void *stream)
{
	struct reader *reader = stream;
	char line[LINE_MOST + 1];
	const char *from;
	size_t length, blank;

	if (size < LINE_MOST + 2 || !take_line(reader, &from, &length))
		return NULL;
	strcpy(to, "\n");
	for (blank = 0; blank < length && isspace((unsigned char)from[blank]); blank++)
		;
	/* A comment may be as long as it likes. */
	if (blank < length && (from[blank] == '#' || from[blank] == ';'))
		return to;
	if (length > LINE_MOST) {
		mistake(reader, "the line has %zu bytes, more than %d", length, LINE_MOST);
		return to;
	}
	memcpy(line, from, length);
	line[length] = '\0';
	if (check_line(reader, line, length))
		snprintf(to, (size_t)size, "%s\n", line);
	return to;
}

static int take_entry(void *user, const char *section, const char *key, const char *value)
{
	(void)section; /* inih never saw the headers */
	add_entry(user, key, value);
	return 1;
}

static int parse(struct reader *reader)
{
	static const char bom[] = "\xef\xbb\xbf";
	int r;

	if (reader->rest_length >= 3 && memcmp(reader->rest, bom, 3) == 0) {
		reader->rest += 3;
		reader->rest_length -= 3;
	}
	r = ini_parse_stream(read_line, reader, take_entry, reader);
	if (r > 0) /* inih found a mistake that we did not */
		problem_add(reader->problems, reader->file->name, r, "this line is not understood");
	return 0;
}

int ini_file_parse(const char *name, const char *text, struct ini_file *ret, struct problems *problems)
{
	struct reader reader = { .rest = text, .rest_length = strlen(text), .file = ret, .problems = problems };

	*ret = (struct ini_file){ .name = copy(name) };
	return parse(&reader);
}

/* ---- files ---- */

static int read_all(int fd, char **ret, size_t *ret_length)
{
	char *bytes = malloc(FILE_MOST + 1);
	size_t length = 0;
	ssize_t n = 1;

	if (bytes == NULL)
		return -ENOMEM;
	while (length <= FILE_MOST && (n = read(fd, bytes + length, FILE_MOST + 1 - length)) > 0)
		length += (size_t)n;
	if (n < 0 || length > FILE_MOST) {
		free(bytes);
		return n < 0 ? -errno : -EFBIG;
	}
	*ret = bytes;
	*ret_length = length;
	return 0;
}

static int read_path(const char *path, char **ret, size_t *ret_length)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	int r;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
		r = -EISDIR;
	else
		r = read_all(fd, ret, ret_length);
	close(fd);
	return r;
}

int ini_file_read(const char *path, struct ini_file *ret, struct problems *problems)
{
	struct reader reader = { .file = ret, .problems = problems };
	char *bytes = NULL;
	int r;

	*ret = (struct ini_file){ .name = copy(path) };
	r = read_path(path, &bytes, &reader.rest_length);
	if (r < 0) {
		problem_add(problems, path, 0, "cannot be read: %s",
			    r == -EISDIR ? "it is a directory, a file is wanted" : strerror(-r));
		return r;
	}
	reader.rest = bytes;
	r = parse(&reader);
	free(bytes);
	return r;
}

void ini_file_fini(struct ini_file *file)
{
	size_t i;

	for (i = 0; i < file->count; i++) {
		free(file->entries[i].section);
		free(file->entries[i].key);
		free(file->entries[i].value);
	}
	free(file->entries);
	free(file->name);
	*file = (struct ini_file){ 0 };
}
