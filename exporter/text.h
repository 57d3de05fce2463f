/* text - the Prometheus text format 0.0.4, written into memory. Pure: no clock, no file, no GPU. */
#ifndef EXPORTER_TEXT_H
#define EXPORTER_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#define TEXT_CONTENT_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* Zero-initialised is an empty text. Out of memory sets `failed`, and what follows is left out. */
struct text {
	char *bytes; /* NUL-terminated where not NULL */
	size_t length, room;
	bool failed;
};

void text_fini(struct text *text);

/* "# HELP" and "# TYPE" of a family. `type`: "gauge", "counter", "histogram". Escapes the help. */
void text_family(struct text *text, const char *name, const char *type, const char *help);

/* One series: begin, any number of labels, its value. An empty label value is left out. */
void text_begin(struct text *text, const char *name);
void text_label(struct text *text, const char *name, const char *value);
void text_labels(struct text *text, const char *written); /* `sensor="edge"`, as the table writes them; may be "" */
void text_value(struct text *text, double value);

void text_append(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Shortest text that reads back as the same double; integers as integers; NaN, +Inf, -Inf as Prometheus spells them. */
#define TEXT_NUMBER_SIZE 32
char *text_number(double value, char *to);

#endif
