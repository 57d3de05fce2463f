/* collect_changes - turns failing readings into one sentence per change, never one per pass. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "collectors/collect.h"

/* Appends to a text of that size. */
static void append(char *to, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void append(char *to, size_t size, const char *format, ...)
{
	size_t length = strlen(to);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(to + length, size - length, format, arguments);
	va_end(arguments);
}

/* The worst that the rows of each quantity say now: 0 or -errno. */
static void failing_quantities(const struct collect *collect, int *ret)
{
	unsigned int row;

	memset(ret, 0, Q_QUANTITIES * sizeof(*ret));
	for (row = 0; row < metrics_count; row++) {
		uint8_t reason = collect->sample.reason[row];

		if (reason == READ_ERROR || reason == READ_IMPLAUSIBLE)
			ret[metrics[row].quantity] = collect->error[row];
	}
}

static const char *error_text(int error)
{
	switch (error) {
	case -ERANGE:
		return "implausible values";
	case -ENODATA:
		return "empty file";
	case -EBADMSG:
		return "garbage";
	case -EOPNOTSUPP:
		return "the file is gone";
	default:
		return strerrordesc_np(-error);
	}
}

/* What began to fail: names in `to`. Returns how many, and the first error. */
static int note_failing(struct failures *failures, const int *failing, uint64_t now_ns, char *to, size_t size,
			int *ret_error)
{
	int q, n = 0;

	for (q = 0; q < Q_QUANTITIES; q++) {
		if (failing[q] == 0)
			continue;
		failures->last_bad_ns[q] = now_ns;
		if (failures->since_ns[q] != 0)
			continue;
		failures->since_ns[q] = now_ns;
		if (n++ == 0)
			*ret_error = failing[q];
		append(to, size, "%s%s", to[0] != '\0' ? ", " : "", quantity_name(q));
	}
	return n;
}

static int note_recovered(struct failures *failures, uint64_t now_ns, uint64_t calm_ns, char *to, size_t size)
{
	int q, n = 0;

	for (q = 0; q < Q_QUANTITIES; q++) {
		if (failures->since_ns[q] == 0 || now_ns - failures->last_bad_ns[q] < calm_ns)
			continue;
		failures->since_ns[q] = 0;
		append(to, size, "%s%s", n++ > 0 ? ", " : "", quantity_name(q));
	}
	return n;
}

bool collect_changes(struct collect *collect, uint64_t now_ns, uint64_t calm_ns, char *to, size_t size, bool *ret_bad)
{
	int failing[Q_QUANTITIES], error = 0;
	char names[256] = "";

	if (collect->sample.suspended) /* nothing was asked: nothing is known */
		return false;
	failing_quantities(collect, failing);
	*ret_bad = true;
	if (note_failing(&collect->failures, failing, now_ns, names, sizeof(names), &error) > 0) {
		if (collect->sample.core_failed && !collect->failures.everything) {
			collect->failures.everything = true;
			snprintf(to, size, "no core reading comes any more (%s)", error_text(error));
		} else {
			snprintf(to, size, "no reading of %s (%s)", names, error_text(error));
		}
		return true;
	}
	collect->failures.everything &= collect->sample.core_failed;
	*ret_bad = false;
	if (note_recovered(&collect->failures, now_ns, calm_ns, names, sizeof(names)) == 0)
		return false;
	snprintf(to, size, "readings are back: %s", names);
	return true;
}
