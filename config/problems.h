/* problems - mistakes found in settings and rules, collected so that all can be shown at once. */
#ifndef CONFIG_PROBLEMS_H
#define CONFIG_PROBLEMS_H

#include <stddef.h>
#include <stdio.h>

struct problem {
	char *file; /* as the user named it; never NULL */
	int line;   /* from 1; 0: the file as a whole */
	char *text; /* names the setting, the value and what would be right */
};

/* Zero-initialised is an empty list. One thread at a time. */
struct problems {
	struct problem *list;
	size_t count;
};

void problems_fini(struct problems *problems);

/* Adds one mistake. Running out of memory ends the process: nothing useful can follow. */
void problem_add(struct problems *problems, const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Writes "file:line: text" lines (no ":line" where it is 0). */
void problems_print(const struct problems *problems, FILE *to);

#endif
