/* ini_file - see the header.
 *
 * inih asks for one line at a time and calls back for each entry of it; it knows neither the line's number nor what it
 * cut off. So our reader checks every line before inih sees it, and hands on only what inih takes as it stands: a line
 * with a mistake becomes an empty one, and headers are kept here. Continuation lines, inline comments and "key: value",
 * of which inih makes something else than a reader expects, are mistakes here. */
#include "config/ini_file.h"

#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_MOST 49       /* of a section, in bytes: what inih holds of it */
#define FILE_MOST 1048576u /* a settings file that is larger is none */

struct reader {
	const char *rest; /* what is not read yet */
	size_t rest_length;
	int line;
	char section[NAME_MOST + 1]; /* the last well-formed header */
	size_t section_first;        /* its entry */
	bool skip;                   /* below a header that was a mistake: keys belong nowhere */
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

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* How many bytes the first character of the text has; 0 where it is not UTF-8 (RFC 3629). */
static size_t read_character(const char *text, size_t left, uint32_t *ret)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char first = (unsigned char)text[0];
	size_t length = first < 0x80 ? 1 :
			first < 0xc0 ? 0 :
			first < 0xe0 ? 2 :
			first < 0xf0 ? 3 :
			first < 0xf8 ? 4 :
				       0;
	uint32_t code = length == 1 ? first : first & (0x7fu >> length);
	size_t i;

	if (length == 0 || length > left)
		return 0;
	for (i = 1; i < length; i++) {
		if (((unsigned char)text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | ((unsigned char)text[i] & 0x3f);
	}
	if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	*ret = code;
	return length;
}

static bool is_control(uint32_t code)
{
	return (code < 0x20 && code != '\t') || (code >= 0x7f && code <= 0x9f);
}

/* Comments are held to this too: a lone CR or a NUL in one hides the lines behind it. */
static bool check_characters(struct reader *reader, const char *line, size_t length)
{
	size_t at, n;
	uint32_t code = 0;

	for (at = 0; at < length; at += n) {
		n = read_character(line + at, length - at, &code);
		if (n > 0 && !is_control(code))
			continue;
		if (n == 0)
			mistake(reader, "byte %zu of the line (0x%02x) is not UTF-8", at + 1, (unsigned char)line[at]);
		else if (code == 0)
			mistake(reader, "byte %zu of the line is NUL; this is no text", at + 1);
		else
			mistake(reader, "byte %zu of the line begins a control character (0x%02x)", at + 1, code);
		return false;
	}
	return true;
}

static const struct ini_entry *find_section(const struct ini_file *file, const char *section)
{
	size_t i;

	for (i = 0; i < file->count; i++)
		if (file->entries[i].key == NULL && strcmp(file->entries[i].section, section) == 0)
			return &file->entries[i];
	return NULL;
}

static const struct ini_entry *find_key(const struct reader *reader, const char *key, size_t length)
{
	const struct ini_file *file = reader->file;
	size_t i;

	for (i = reader->section_first + 1; i < file->count; i++)
		if (strncmp(file->entries[i].key, key, length) == 0 && file->entries[i].key[length] == '\0')
			return &file->entries[i];
	return NULL;
}

static bool check_section_name(struct reader *reader, const char *name)
{
	size_t length = strlen(name);
	const struct ini_entry *before;

	if (length == 0) {
		mistake(reader, "a section header [] without a name");
		return false;
	}
	if (is_blank(name[0]) || is_blank(name[length - 1])) {
		mistake(reader, "the section name in [%s] begins or ends with a blank", name);
		return false;
	}
	if (length > NAME_MOST) {
		mistake(reader, "the section name \"%s\" has %zu bytes, more than %d", name, length, NAME_MOST);
		return false;
	}
	before = find_section(reader->file, name);
	if (before != NULL) {
		mistake(reader, "section [%s] stands in line %d already; put the keys of both into one", name,
			before->line);
		return false;
	}
	return true;
}

/* "[alert gpu-hot]". A malformed header leaves no section to put keys into: they are passed over, not misplaced. */
static void take_header(struct reader *reader, char *line)
{
	char *close = strchr(line, ']');

	if (close == NULL) {
		mistake(reader, "the section header \"%s\" has no closing ]", line);
		return;
	}
	if (close[1] != '\0') {
		mistake(reader, "\"%s\" stands after the section header; give it a line of its own",
			close + 1 + strspn(close + 1, " \t"));
		return;
	}
	*close = '\0';
	if (!check_section_name(reader, line + 1))
		return;
	snprintf(reader->section, sizeof(reader->section), "%s", line + 1);
	reader->section_first = reader->file->count;
	reader->skip = false;
	add_entry(reader, NULL, NULL);
}

/* A comment behind a value would be cut off by inih (;) or taken for a part of the value (#). */
static bool check_value(struct reader *reader, const char *value)
{
	const char *c;

	for (c = value; *c != '\0'; c++) {
		if ((*c == ';' || *c == '#') && c > value && is_blank(c[-1])) {
			mistake(reader,
				"a comment cannot stand behind a value; give \"%s\" a line of its own, or, where it is "
				"meant "
				"as a part of the value, take the blank before the %c away",
				c, *c);
			return false;
		}
	}
	return true;
}

/* inih ends a key at a colon too, and it takes for a comment what follows a blank and a semicolon. */
static bool check_key(struct reader *reader, const char *key, size_t length)
{
	const struct ini_entry *before;

	if (length == 0) {
		mistake(reader, "\"%s\" has no key before the =", key);
		return false;
	}
	if (strcspn(key, " \t:") < length) {
		mistake(reader, "\"%.*s\" is no key; a key is one word without a colon, followed by =", (int)length,
			key);
		return false;
	}
	if (reader->section[0] == '\0') {
		mistake(reader, "%.*s stands before the first [section]", (int)length, key);
		return false;
	}
	before = find_key(reader, key, length);
	if (before != NULL) {
		mistake(reader, "[%s] %s stands in line %d already", reader->section, before->key, before->line);
		return false;
	}
	return true;
}

static bool check_entry(struct reader *reader, const char *line)
{
	const char *equals = strchr(line, '=');
	size_t length;

	if (equals == NULL) {
		mistake(reader, "\"%s\" is neither `key = value` nor a [section]", line);
		return false;
	}
	for (length = (size_t)(equals - line); length > 0 && is_blank(line[length - 1]); length--)
		;
	return check_key(reader, line, length) && check_value(reader, equals + 1);
}

/* What a line is, as its bytes stand in the file: false for what holds no entry, empty, a comment or a mistake. */
static bool check_bytes(struct reader *reader, const char *line, size_t length, size_t most)
{
	size_t blank = 0;
	bool text = check_characters(reader, line, length);

	while (blank < length && is_blank(line[blank]))
		blank++;
	if (blank == length || line[blank] == '#' || line[blank] == ';')
		return false; /* a comment may be as long as it likes */
	if (line[blank] == '[')
		reader->skip = true; /* until it proves to be a header */
	if (text && length > most)
		mistake(reader, "the line has %zu bytes, more than the %zu that can be read; shorten it", length, most);
	else if (text && blank > 0)
		mistake(reader,
			"\"%.*s\" begins with a blank; write it without (a value cannot go on in a second line)",
			(int)(length - blank), line + blank);
	return text && length <= most && blank == 0;
}

/* Whether inih may see the line: it is one of an entry, and in order. Headers are kept from it. */
static bool take_text(struct reader *reader, char *line, size_t length)
{
	while (length > 0 && is_blank(line[length - 1]))
		line[--length] = '\0';
	if (*line == '[') {
		take_header(reader, line);
		return false;
	}
	return !reader->skip && check_entry(reader, line);
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

/* inih gives as much room as it was built for, in general 200 bytes; the line, its end and the NUL must fit into it, or
 * inih would cut the line in two. A line is made anew in that room, or an empty one in its place. */
static char *read_line(char *to, int size, void *stream)
{
	struct reader *reader = stream;
	size_t most = (size_t)size - 2, length;
	const char *from;

	if (!take_line(reader, &from, &length))
		return NULL;
	to[0] = '\0';
	if (check_bytes(reader, from, length, most)) {
		memcpy(to, from, length);
		to[length] = '\0';
		if (!take_text(reader, to, length))
			to[0] = '\0';
	}
	strcat(to, "\n");
	return to;
}

static int take_entry(void *user, const char *section, const char *key, const char *value)
{
	(void)section; /* inih never saw the headers */
	add_entry(user, key, value);
	return 1;
}

/* What an editor may put before the first line. */
static int take_mark(struct reader *reader)
{
	if (reader->rest_length >= 3 && memcmp(reader->rest, "\xef\xbb\xbf", 3) == 0) {
		reader->rest += 3;
		reader->rest_length -= 3;
	}
	if (reader->rest_length >= 2 &&
	    (memcmp(reader->rest, "\xff\xfe", 2) == 0 || memcmp(reader->rest, "\xfe\xff", 2) == 0)) {
		problem_add(reader->problems, reader->file->name, 1, "the file is UTF-16; save it as UTF-8");
		return -EINVAL;
	}
	return 0;
}

static void parse(struct reader *reader)
{
	int r;

	if (take_mark(reader) < 0)
		return;
	r = ini_parse_stream(read_line, reader, take_entry, reader);
	if (r != 0) /* inih found a mistake that we did not, or (below 0) no memory */
		problem_add(reader->problems, reader->file->name, r > 0 ? r : 0,
			    r > 0 ? "this line is not understood" : "cannot be parsed: out of memory");
}

int ini_file_parse(const char *name, const char *text, struct ini_file *ret, struct problems *problems)
{
	struct reader reader = { .rest = text, .rest_length = strlen(text), .file = ret, .problems = problems };

	*ret = (struct ini_file){ .name = copy(name) };
	parse(&reader);
	return 0;
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
		int r = n < 0 ? -errno : -EFBIG;

		free(bytes);
		return r;
	}
	*ret = bytes;
	*ret_length = length;
	return 0;
}

/* A pipe is refused: waiting for its other end could last for ever, and reading none of it would look like an empty
 * file. */
static int read_path(const char *path, char **ret, size_t *ret_length)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	int r;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		r = -errno;
	else if (S_ISDIR(st.st_mode))
		r = -EISDIR;
	else if (!S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode))
		r = -ESPIPE;
	else
		r = read_all(fd, ret, ret_length);
	close(fd);
	return r;
}

static const char *why_unread(int r)
{
	switch (r) {
	case -EISDIR:
		return "it is a directory, a file is wanted";
	case -ESPIPE:
		return "it is a pipe or a socket, a file is wanted";
	case -EFBIG:
		return "it is larger than 1 MiB";
	default:
		return strerrordesc_np(-r);
	}
}

int ini_file_read(const char *path, struct ini_file *ret, struct problems *problems)
{
	struct reader reader = { .file = ret, .problems = problems };
	char *bytes = NULL;
	int r;

	*ret = (struct ini_file){ .name = copy(path) };
	r = read_path(path, &bytes, &reader.rest_length);
	if (r < 0) {
		problem_add(problems, path, 0, "cannot be read: %s", why_unread(r));
		return r;
	}
	reader.rest = bytes;
	parse(&reader);
	free(bytes);
	return 0;
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
