/* select - finds rows of the table by what a person writes: `family{label="value*"}`. */
#include <errno.h>
#include <string.h>

#include "collectors/metric.h"

#define LABELS_MAX 4

/* One `label="value"` of a text; both point into it. */
struct label {
	const char *name, *value;
	size_t name_length, value_length;
};

/* Reads `a="x",b="y"` up to `end`. Returns how many labels, or -EINVAL. */
static int labels_parse(const char *text, const char *end, struct label *ret)
{
	int n = 0;

	while (text < end) {
		const char *equals = memchr(text, '=', (size_t)(end - text));
		const char *close;

		if (n == LABELS_MAX || equals == NULL || equals == text || equals + 1 >= end || equals[1] != '"')
			return -EINVAL;
		close = memchr(equals + 2, '"', (size_t)(end - equals - 2));
		if (close == NULL)
			return -EINVAL;
		ret[n].name = text;
		ret[n].name_length = (size_t)(equals - text);
		ret[n].value = equals + 2;
		ret[n].value_length = (size_t)(close - equals - 2);
		n++;
		text = close + 1;
		if (text < end && *text++ != ',')
			return -EINVAL;
		while (text < end && *text == ' ')
			text++;
	}
	return n;
}

/* The wanted value may end in '*'. */
static bool value_matches(const struct label *wanted, const struct label *have)
{
	size_t length = wanted->value_length;

	if (length > 0 && wanted->value[length - 1] == '*')
		return have->value_length >= length - 1 && memcmp(have->value, wanted->value, length - 1) == 0;
	return have->value_length == length && memcmp(have->value, wanted->value, length) == 0;
}

static bool row_matches(const struct metric *metric, const struct label *wanted, int wanted_count)
{
	struct label have[LABELS_MAX];
	int have_count = labels_parse(metric->labels, metric->labels + strlen(metric->labels), have);
	int i, j;

	for (i = 0; i < wanted_count; i++) {
		for (j = 0; j < have_count; j++)
			if (have[j].name_length == wanted[i].name_length &&
			    memcmp(have[j].name, wanted[i].name, have[j].name_length) == 0)
				break;
		if (j >= have_count || !value_matches(&wanted[i], &have[j]))
			return false;
	}
	return true;
}

int metric_select(const char *selection, bool *ret)
{
	const char *brace = strchr(selection, '{');
	size_t length = brace != NULL ? (size_t)(brace - selection) : strlen(selection);
	struct label wanted[LABELS_MAX];
	int wanted_count = 0, found = 0;
	unsigned int row;

	if (brace != NULL) {
		const char *end = selection + strlen(selection);

		if (end[-1] != '}')
			return -EINVAL;
		wanted_count = labels_parse(brace + 1, end - 1, wanted);
		if (wanted_count < 0)
			return wanted_count;
	}
	for (row = 0; row < metrics_count; row++) {
		const char *family = metrics[row].family;

		ret[row] = strlen(family) == length && memcmp(family, selection, length) == 0 &&
			   row_matches(&metrics[row], wanted, wanted_count);
		found += ret[row];
	}
	return found;
}

/* "temperature_critical" and "amdgpu_temperature_critical_celsius" both name the family. */
static bool family_means(const struct metric *metric, const char *name, size_t length)
{
	static const char prefix[] = "amdgpu_";
	const char *family = metric->family;
	const char *suffix = unit_suffix(metric->unit);

	if (strlen(family) == length && memcmp(family, name, length) == 0)
		return true;
	family += strlen(prefix);
	if (strlen(family) < length || memcmp(family, name, length) != 0)
		return false;
	family += length;
	return *family == '\0' || (*family == '_' && strcmp(family + 1, suffix) == 0);
}

int metric_sibling(const char *name, size_t length, int like)
{
	int lone = -1;
	unsigned int row;

	for (row = 0; row < metrics_count; row++) {
		if (!family_means(&metrics[row], name, length))
			continue;
		if (strcmp(metrics[row].labels, metrics[like].labels) == 0)
			return (int)row;
		if (metrics[row].labels[0] == '\0')
			lone = (int)row;
	}
	return lone;
}
