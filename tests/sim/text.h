/* text - growing byte strings, and the small parsers every text format here needs. Out of memory
 * ends the process. */
#ifndef SIM_TEXT_H
#define SIM_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts as { 0 }. `bytes` has a NUL behind it, which `size` does not count; NULL while nothing was
 * put. */
struct text {
	char *bytes;
	size_t size, room;
};

void text_put(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vput(struct text *text, const char *format, va_list args);
void text_add(struct text *text, const void *bytes, size_t size);
void text_insert(struct text *text, const char *front); /* puts before what is there */
void text_fini(struct text *text);

void *text_zalloc(size_t size);
char *text_dup(const void *bytes, size_t size); /* with a NUL behind */

/* Cuts blanks off both ends, in place. */
char *text_trim(char *string);

/* Cuts the next word off *string and returns it, or NULL at the end. */
char *text_word(char **string);

/* Turns \n, \t, \0, \\ into what they mean, in place; returns the size. */
size_t text_unescape(char *string);

/* A whole number, decimal or 0x…; false unless all of `string` is one. */
bool text_number(const char *string, int64_t *ret);

/* All bytes of a file, or -errno. */
int text_load(const char *path, struct text *ret);

/* A number made from numbers, well mixed: the same for the same ones. */
uint64_t text_hash(uint64_t a, uint64_t b, uint64_t c);

#endif
