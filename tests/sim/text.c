/* text - see the header. */
#include "tests/sim/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *text_zalloc(size_t size)
{
	void *memory = calloc(1, size ? size : 1);

	if (!memory) {
		fprintf(stderr, "rocwatch-sim: out of memory\n");
		abort();
	}
	return memory;
}

char *text_dup(const void *bytes, size_t size)
{
	char *copy = text_zalloc(size + 1);

	if (size)
		memcpy(copy, bytes, size);
	return copy;
}

static void reserve(struct text *text, size_t more)
{
	char *grown;

	if (text->size + more + 1 <= text->room)
		return;
	text->room = (text->size + more + 1) * 2;
	grown = text_zalloc(text->room);
	if (text->size)
		memcpy(grown, text->bytes, text->size);
	free(text->bytes);
	text->bytes = grown;
}

void text_add(struct text *text, const void *bytes, size_t size)
{
	reserve(text, size);
	if (size)
		memcpy(text->bytes + text->size, bytes, size);
	text->size += size;
	text->bytes[text->size] = '\0';
}

void text_vput(struct text *text, const char *format, va_list args)
{
	char *line;
	int size = vasprintf(&line, format, args);

	if (size < 0)
		abort();
	text_add(text, line, size);
	free(line);
}

void text_put(struct text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text_vput(text, format, args);
	va_end(args);
}

void text_insert(struct text *text, const char *front)
{
	size_t size = strlen(front);

	reserve(text, size);
	memmove(text->bytes + size, text->bytes, text->size + 1);
	memcpy(text->bytes, front, size);
	text->size += size;
}

void text_fini(struct text *text)
{
	free(text->bytes);
	*text = (struct text){ 0 };
}

char *text_trim(char *string)
{
	size_t size;

	string += strspn(string, " \t\r\n");
	size = strlen(string);
	while (size && strchr(" \t\r\n", string[size - 1]))
		string[--size] = '\0';
	return string;
}

char *text_word(char **string)
{
	char *word = *string + strspn(*string, " \t");
	size_t size = strcspn(word, " \t");

	if (!size)
		return NULL;
	*string = word + size;
	if (word[size]) {
		word[size] = '\0';
		(*string)++;
	}
	return word;
}

size_t text_unescape(char *string)
{
	char *from = string, *to = string;

	for (; *from; from++) {
		if (*from != '\\' || !from[1]) {
			*to++ = *from;
			continue;
		}
		from++;
		*to++ = *from == 'n' ? '\n' : *from == 't' ? '\t' : *from == '0' ? '\0' : *from;
	}
	*to = '\0';
	return to - string;
}

bool text_number(const char *string, int64_t *ret)
{
	char *end;

	if (!*string || strchr(" \t", *string))
		return false;
	errno = 0;
	*ret = strncmp(string, "0x", 2) == 0 ? (int64_t)strtoull(string, &end, 16)
					     : strtoll(string, &end, 10);
	return errno == 0 && !*end;
}

int text_load(const char *path, struct text *ret)
{
	char chunk[65536];
	ssize_t got;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	while ((got = read(fd, chunk, sizeof(chunk))) > 0)
		text_add(ret, chunk, got);
	if (got < 0)
		got = -errno;
	close(fd);
	return got;
}

uint64_t text_hash(uint64_t a, uint64_t b, uint64_t c)
{
	const uint64_t parts[] = { a, b, c };
	uint64_t mix = 0x9e3779b97f4a7c15;
	int i;

	for (i = 0; i < 3; i++) {
		mix ^= parts[i] + 0x9e3779b97f4a7c15 + (mix << 6) + (mix >> 2);
		mix ^= mix >> 30;
		mix *= 0xbf58476d1ce4e5b9;
		mix ^= mix >> 27;
		mix *= 0x94d049bb133111eb;
		mix ^= mix >> 31;
	}
	return mix;
}
