/* problems - see the header. */
#include "config/problems.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void problems_fini(struct problems *problems)
{
	size_t i;

	for (i = 0; i < problems->count; i++) {
		free(problems->list[i].file);
		free(problems->list[i].text);
	}
	free(problems->list);
	*problems = (struct problems){ 0 };
}

/* Without memory to name a mistake there is nothing useful left to do. */
static void *or_die(void *memory)
{
	if (memory == NULL) {
		fputs("rocwatchd: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	return memory;
}

void problem_add(struct problems *problems, const char *file, int line, const char *format, ...)
{
	struct problem *problem;
	va_list arguments;
	char *text = NULL;
	int n;

	va_start(arguments, format);
	n = vasprintf(&text, format, arguments);
	va_end(arguments);
	problems->list = or_die(realloc(problems->list, (problems->count + 1) * sizeof(*problems->list)));
	problem = &problems->list[problems->count++];
	problem->file = or_die(strdup(file));
	problem->line = line;
	problem->text = or_die(n < 0 ? NULL : text);
}

void problems_print(const struct problems *problems, FILE *to)
{
	size_t i;

	for (i = 0; i < problems->count; i++) {
		const struct problem *problem = &problems->list[i];

		if (problem->line > 0)
			fprintf(to, "%s:%d: %s\n", problem->file, problem->line, problem->text);
		else
			fprintf(to, "%s: %s\n", problem->file, problem->text);
	}
}
