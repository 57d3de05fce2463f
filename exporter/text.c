/* text - see the header. */
#include "exporter/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_fini(struct text *text)
{
	free(text->bytes);
	memset(text, 0, sizeof(*text));
}

static bool text_reserve(struct text *text, size_t more)
{
	size_t room = text->room;
	char *bytes;

	if (text->failed || text->length + more + 1 <= room)
		return !text->failed;
	while (room < text->length + more + 1)
		room = room == 0 ? 16384 : room * 2;
	bytes = realloc(text->bytes, room);
	if (bytes == NULL) {
		text->failed = true;
		return false;
	}
	text->bytes = bytes;
	text->room = room;
	return true;
}

static void put(struct text *text, const char *bytes, size_t length)
{
	if (!text_reserve(text, length))
		return;
	memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = '\0';
}

static void put_string(struct text *text, const char *string)
{
	put(text, string, strlen(string));
}

void text_append(struct text *text, const char *format, ...)
{
	char line[1024];
	va_list arguments;
	int n;

	va_start(arguments, format);
	n = vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	if (n > 0)
		put(text, line, (size_t)n < sizeof(line) ? (size_t)n : sizeof(line) - 1);
}

/* Backslash and newline always; a quote only within label values. Other control characters have no place in the
 * format and become spaces: a serial number read from a dying EEPROM may hold anything. */
static void put_escaped(struct text *text, const char *string, bool quoted)
{
	for (; *string != '\0'; string++) {
		if (*string == '\\')
			put(text, "\\\\", 2);
		else if (*string == '\n')
			put(text, "\\n", 2);
		else if (*string == '"' && quoted)
			put(text, "\\\"", 2);
		else if ((unsigned char)*string < 0x20 || *string == 0x7f)
			put(text, " ", 1);
		else
			put(text, string, 1);
	}
}

void text_family(struct text *text, const char *name, const char *type, const char *help)
{
	put_string(text, "# HELP ");
	put_string(text, name);
	put_string(text, " ");
	put_escaped(text, help, false);
	put_string(text, "\n# TYPE ");
	put_string(text, name);
	put_string(text, " ");
	put_string(text, type);
	put_string(text, "\n");
}

void text_begin(struct text *text, const char *name)
{
	put_string(text, name);
}

/* The brace opens with the first label: what stands before it is the name's last character. */
static void put_separator(struct text *text)
{
	const char *line;

	if (text->length == 0)
		return;
	line = memrchr(text->bytes, '\n', text->length);
	line = line != NULL ? line + 1 : text->bytes;
	put_string(text, strchr(line, '{') != NULL ? "," : "{");
}

/* Invalid UTF-8 would make the whole page invalid: the first byte of each such sequence becomes a question mark. */
static size_t utf8_length(const char *string)
{
	unsigned char first = (unsigned char)*string;
	size_t length = first < 0x80                  ? 1 :
			first >= 0xc2 && first < 0xe0 ? 2 :
			(first & 0xf0) == 0xe0        ? 3 :
			first >= 0xf0 && first < 0xf5 ? 4 :
							0;
	size_t i;

	for (i = 1; i < length; i++)
		if (((unsigned char)string[i] & 0xc0) != 0x80)
			return 0;
	return length;
}

static void clean_utf8(char *to, size_t size, const char *from)
{
	size_t n = 0;

	while (*from != '\0') {
		size_t length = utf8_length(from);

		if (n + (length > 0 ? length : 1) >= size)
			break;
		if (length == 0) {
			to[n++] = '?';
			from++;
			continue;
		}
		memcpy(to + n, from, length);
		n += length;
		from += length;
	}
	to[n] = '\0';
}

void text_label(struct text *text, const char *name, const char *value)
{
	char clean[256];

	if (value[0] == '\0')
		return;
	clean_utf8(clean, sizeof(clean), value);
	put_separator(text);
	put_string(text, name);
	put_string(text, "=\"");
	put_escaped(text, clean, true);
	put_string(text, "\"");
}

void text_labels(struct text *text, const char *written)
{
	if (written[0] == '\0')
		return;
	put_separator(text);
	put_string(text, written);
}

void text_value(struct text *text, double value)
{
	char number[TEXT_NUMBER_SIZE];

	if (text->length > 0 && text->bytes[text->length - 1] == '"')
		put_string(text, "}");
	put_string(text, " ");
	put_string(text, text_number(value, number));
	put_string(text, "\n");
}

char *text_number(double value, char *to)
{
	int precision;

	if (isnan(value))
		return strcpy(to, "NaN");
	if (isinf(value))
		return strcpy(to, value > 0 ? "+Inf" : "-Inf");
	if (value == trunc(value) && fabs(value) < 9007199254740992.0) {
		snprintf(to, TEXT_NUMBER_SIZE, "%lld", (long long)value);
		return to;
	}
	for (precision = 15; precision <= 17; precision++) {
		snprintf(to, TEXT_NUMBER_SIZE, "%.*g", precision, value);
		if (strtod(to, NULL) == value)
			break;
	}
	return to;
}
