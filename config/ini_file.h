/* ini_file - an INI file as a flat list of entries that know their line. The only includer of <ini.h> is ini_file.c.
 *
 * Built on inih's stream reader with a line reader of our own, which counts lines and refuses what inih passes over in
 * silence: lines and section names that are too long, NUL bytes, malformed section headers, a directory as path.
 *
 * The text is UTF-8, with or without a byte order mark, its lines end in LF or CRLF. A line is empty, a comment (# or ;
 * first, or first after blanks), a [section], or `key = value`, which begins with its key. Everything behind the = is
 * the value, without the blanks around it: quotes are a part of it, and it may be empty. A value does not go on in a
 * second line, and no comment stands behind it: ` ;` and ` #` in a value are mistakes. Keys below a header that was a
 * mistake are passed over; the header's mistake stands for them. */
#ifndef CONFIG_INI_FILE_H
#define CONFIG_INI_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "config/problems.h"

struct ini_entry {
	char *section; /* the text between the brackets, e.g. "alert gpu-hot"; "" before the first header */
	char *key;     /* NULL: this entry is the section header itself */
	char *value;   /* NULL with key NULL */
	int line;      /* from 1 */
};

struct ini_file {
	char *name; /* the path, or what messages call an embedded text */
	struct ini_entry *entries;
	size_t count;
};

/* Reads a file. Mistakes are added to `problems`, and reading goes on after each of them. Returns 0, or -errno where
 * the file could not be read at all (also added to `problems`; -EISDIR for a directory). `ret` is always safe to
 * ini_file_fini(). A key that a section holds twice and a section that stands twice are mistakes. */
int ini_file_read(const char *path, struct ini_file *ret, struct problems *problems);

/* The same for a text in memory (NUL-terminated). */
int ini_file_parse(const char *name, const char *text, struct ini_file *ret, struct problems *problems);

void ini_file_fini(struct ini_file *file);

#endif
