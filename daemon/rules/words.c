/* words - see the header. */
#include "daemon/rules/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "collectors/metric.h"

#define SECOND 1000000000u
#define MINUTE 60u
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define LONGEST 64 /* of the words compared */

/* "4m 10s", or "4m" where the rest is nothing. */
static void two_parts(uint64_t seconds, uint64_t large, char large_name, uint64_t small, char small_name, char *to,
		      size_t size)
{
	uint64_t rest = seconds % large / small;

	if (rest == 0)
		snprintf(to, size, "%" PRIu64 "%c", seconds / large, large_name);
	else
		snprintf(to, size, "%" PRIu64 "%c %" PRIu64 "%c", seconds / large, large_name, rest, small_name);
}

char *words_duration(uint64_t ns, char *to, size_t size)
{
	uint64_t seconds = ns / SECOND;

	if (seconds == 0 && ns > 0)
		snprintf(to, size, "%" PRIu64 " ms", ns / 1000000);
	else if (seconds < MINUTE)
		snprintf(to, size, "%" PRIu64 " s", seconds);
	else if (seconds < HOUR)
		two_parts(seconds, MINUTE, 'm', 1, 's', to, size);
	else if (seconds < DAY)
		two_parts(seconds, HOUR, 'h', MINUTE, 'm', to, size);
	else
		two_parts(seconds, DAY, 'd', HOUR, 'h', to, size);
	return to;
}

/* Appends the values of `a="x",b="y"`, each with a space after it. */
static size_t put_label_values(const char *labels, char *to, size_t size)
{
	size_t length = 0;

	while ((labels = strchr(labels, '"')) != NULL) {
		const char *close = strchr(++labels, '"');

		if (close == NULL || length + (size_t)(close - labels) + 2 > size)
			break;
		memcpy(to + length, labels, (size_t)(close - labels));
		length += (size_t)(close - labels);
		to[length++] = ' ';
		labels = close + 1;
	}
	return length;
}

/* Takes "_end" off a text, where it has that. */
static void strip_suffix(char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	if (end_length > 0 && length > end_length + 1 && text[length - end_length - 1] == '_' &&
	    strcmp(text + length - end_length, end) == 0)
		text[length - end_length - 1] = '\0';
}

char *words_metric(unsigned int row, char *to, size_t size)
{
	static const char prefix[] = "amdgpu_";
	const char *family = metrics[row].family;
	size_t length = put_label_values(metrics[row].labels, to, size);
	char *c;

	if (strncmp(family, prefix, strlen(prefix)) == 0)
		family += strlen(prefix);
	snprintf(to + length, size - length, "%s", family);
	strip_suffix(to + length, "total");
	strip_suffix(to + length, unit_suffix(metrics[row].unit));
	for (c = to + length; *c != '\0'; c++)
		if (*c == '_')
			*c = ' ';
	return to;
}

/* How many letters must be put, taken or changed to make b of a. */
static size_t distance(const char *a, const char *b)
{
	size_t row[LONGEST + 1], length = strlen(b), i, j;

	if (length > LONGEST)
		return SIZE_MAX;
	for (j = 0; j <= length; j++)
		row[j] = j;
	for (i = 0; a[i] != '\0'; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (j = 0; j < length; j++) {
			size_t best = diagonal + (a[i] != b[j]);

			diagonal = row[j + 1];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j + 1] + 1 < best)
				best = row[j + 1] + 1;
			row[j + 1] = best;
		}
	}
	return row[length];
}

char *words_nearest(const char *wrong, const char *const *words, size_t count, char *to, size_t size)
{
	size_t nearest = strlen(wrong) / 3 + 2, i;
	const char *found = NULL;

	for (i = 0; i < count; i++) {
		size_t d = distance(wrong, words[i]);

		if (d < nearest) {
			nearest = d;
			found = words[i];
		}
	}
	to[0] = '\0';
	if (found != NULL)
		snprintf(to, size, "; did you mean \"%s\"?", found);
	return to;
}
