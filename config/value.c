/* value - see the header. */
#include "config/value.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *suffix;
} units[UNIT_COUNT] = {
	[UNIT_NONE] = { "" },
	[UNIT_RATIO] = { "ratio" },
	[UNIT_SECONDS] = { "seconds" },
	[UNIT_BYTES] = { "bytes" },
	[UNIT_CELSIUS] = { "celsius" },
	[UNIT_JOULES] = { "joules" },
	[UNIT_WATTS] = { "watts" },
	[UNIT_HERTZ] = { "hertz" },
	[UNIT_VOLTS] = { "volts" },
	[UNIT_RPM] = { "rpm" },
	[UNIT_TRANSFERS_PER_SECOND] = { "transfers_per_second" },
	[UNIT_LANES] = { "lanes" },
};

const char *unit_suffix(enum unit unit)
{
	return units[unit].suffix;
}

/* How a unit may be written, and what one of it is in the base unit. Case matters only for m and M. */
static const struct {
	const char *text;
	enum unit unit;
	double scale;
} spellings[] = {
	{ "%", UNIT_RATIO, 0.01 },
	{ "ns", UNIT_SECONDS, 1e-9 },
	{ "us", UNIT_SECONDS, 1e-6 },
	{ "ms", UNIT_SECONDS, 1e-3 },
	{ "s", UNIT_SECONDS, 1 },
	{ "m", UNIT_SECONDS, 60 },
	{ "h", UNIT_SECONDS, 3600 },
	{ "d", UNIT_SECONDS, 86400 },
	{ "B", UNIT_BYTES, 1 },
	{ "kB", UNIT_BYTES, 1e3 },
	{ "MB", UNIT_BYTES, 1e6 },
	{ "GB", UNIT_BYTES, 1e9 },
	{ "TB", UNIT_BYTES, 1e12 },
	{ "KiB", UNIT_BYTES, 1024.0 },
	{ "MiB", UNIT_BYTES, 1048576.0 },
	{ "GiB", UNIT_BYTES, 1073741824.0 },
	{ "TiB", UNIT_BYTES, 1099511627776.0 },
	{ "C", UNIT_CELSIUS, 1 },
	{ "°C", UNIT_CELSIUS, 1 },
	{ "J", UNIT_JOULES, 1 },
	{ "kJ", UNIT_JOULES, 1e3 },
	{ "mW", UNIT_WATTS, 1e-3 },
	{ "W", UNIT_WATTS, 1 },
	{ "kW", UNIT_WATTS, 1e3 },
	{ "Hz", UNIT_HERTZ, 1 },
	{ "kHz", UNIT_HERTZ, 1e3 },
	{ "MHz", UNIT_HERTZ, 1e6 },
	{ "GHz", UNIT_HERTZ, 1e9 },
	{ "mV", UNIT_VOLTS, 1e-3 },
	{ "V", UNIT_VOLTS, 1 },
	{ "rpm", UNIT_RPM, 1 },
	{ "GT/s", UNIT_TRANSFERS_PER_SECOND, 1e9 },
	{ "lanes", UNIT_LANES, 1 },
};

#define SPELLINGS (sizeof(spellings) / sizeof(spellings[0]))

static const char *skip_space(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

/* A decimal number by hand: no locale, no hexadecimal, no "inf". Returns where it ends, or NULL. */
static const char *parse_decimal(const char *text, double *ret)
{
	bool negative = *text == '-', digits = false;
	double value = 0, place = 1;

	text += negative;
	for (; isdigit((unsigned char)*text); text++, digits = true)
		value = value * 10 + (*text - '0');
	if (*text == '.')
		for (text++; isdigit((unsigned char)*text); text++, digits = true)
			value += (*text - '0') * (place /= 10);
	if (!digits)
		return NULL;
	*ret = negative ? -value : value;
	return text;
}

static size_t trimmed_length(const char *text)
{
	size_t length = strlen(text);

	while (length > 0 && isspace((unsigned char)text[length - 1]))
		length--;
	return length;
}

static bool spelled(const char *text, size_t length, const char *spelling, bool exact)
{
	if (strlen(spelling) != length)
		return false;
	return exact ? memcmp(text, spelling, length) == 0 : strncasecmp(text, spelling, length) == 0;
}

/* The unit as written: first to the letter, then without regard to case where that leaves no doubt. */
static int find_unit(const char *text, size_t length)
{
	int found = -1;
	size_t i;

	for (i = 0; i < SPELLINGS; i++)
		if (spelled(text, length, spellings[i].text, true))
			return (int)i;
	for (i = 0; i < SPELLINGS; i++) {
		if (!spelled(text, length, spellings[i].text, false))
			continue;
		if (found >= 0)
			return -1;
		found = (int)i;
	}
	/* "M" alone is no minute. */
	return found >= 0 && length == 1 && text[0] == 'M' ? -1 : found;
}

int value_quantity(const char *text, double *ret, enum unit *ret_unit)
{
	double number;
	const char *unit;
	size_t length;
	int i;

	unit = parse_decimal(skip_space(text), &number);
	if (unit == NULL)
		return -EINVAL;
	unit = skip_space(unit);
	length = trimmed_length(unit);
	if (length == 0) {
		*ret = number;
		*ret_unit = UNIT_NONE;
		return 0;
	}
	i = find_unit(unit, length);
	if (i < 0)
		return -EINVAL;
	/* Divided where the scale is a fraction: 95 % is 0.95 then, and not 0.9500000000000001. */
	*ret = spellings[i].scale < 1 ? number / round(1 / spellings[i].scale) : number * spellings[i].scale;
	*ret_unit = spellings[i].unit;
	return 0;
}

/* One part of a duration, "10m": its nanoseconds. Returns where it ends, or NULL. */
static const char *duration_part(const char *text, double *ret_ns)
{
	double number;
	size_t length;
	int i;

	if (*text == '-')
		return NULL;
	text = parse_decimal(text, &number);
	if (text == NULL)
		return NULL;
	for (length = 0; isalpha((unsigned char)text[length]); length++)
		;
	i = length > 0 ? find_unit(text, length) : -1;
	if (i < 0 || spellings[i].unit != UNIT_SECONDS)
		return NULL;
	*ret_ns = number * (spellings[i].scale * 1e9);
	return text + length;
}

int value_duration(const char *text, uint64_t *ret_ns)
{
	double sum = 0, part;
	const char *end;

	text = skip_space(text);
	/* A bare 0 needs no unit to be understood. */
	if (text[0] == '0' && *skip_space(text + 1) == '\0') {
		*ret_ns = 0;
		return 0;
	}
	do {
		end = duration_part(text, &part);
		if (end == NULL)
			return -EINVAL;
		sum += part;
		text = skip_space(end);
	} while (*text != '\0');
	if (sum > 1e18) /* three decades */
		return -ERANGE;
	*ret_ns = (uint64_t)llround(sum);
	return 0;
}

int value_uint64(const char *text, uint64_t *ret)
{
	uint64_t value = 0;

	text = skip_space(text);
	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	for (; isdigit((unsigned char)*text); text++)
		if (__builtin_mul_overflow(value, 10u, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
			return -ERANGE;
	if (*skip_space(text) != '\0')
		return -EINVAL;
	*ret = value;
	return 0;
}

int value_bool(const char *text, bool *ret)
{
	static const char *const words[] = { "no", "yes", "false", "true", "off", "on", "0", "1" };
	size_t length, i;

	text = skip_space(text);
	length = trimmed_length(text);
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!spelled(text, length, words[i], false))
			continue;
		*ret = i % 2 != 0;
		return 0;
	}
	return -EINVAL;
}

/* ---- for people ---- */

/* "63.2 GiB": the largest of these units that leaves at least 1. */
static char *format_scaled(double value, const char *const names[], double step, char *to, size_t size)
{
	size_t i = 0;

	while (fabs(value) >= step && names[i + 1] != NULL) {
		value /= step;
		i++;
	}
	snprintf(to, size, i == 0 ? "%.0f %s" : step > 1000 ? "%.1f %s" : "%.2f %s", value, names[i]);
	return to;
}

static char *format_seconds(double value, char *to, size_t size)
{
	if (value < 10 && value != floor(value))
		snprintf(to, size, "%.1f s", value);
	else if (value < 120)
		snprintf(to, size, "%.0f s", value);
	else if (value < 7200)
		snprintf(to, size, "%.0f min", value / 60);
	else
		snprintf(to, size, "%.1f h", value / 3600);
	return to;
}

char *unit_format(enum unit unit, double value, char *to, size_t size)
{
	static const char *const bytes[] = { "B", "KiB", "MiB", "GiB", "TiB", NULL };
	static const char *const hertz[] = { "Hz", "kHz", "MHz", "GHz", NULL };
	static const char *const transfers[] = { "T/s", "kT/s", "MT/s", "GT/s", NULL };

	switch (unit) {
	case UNIT_RATIO:
		snprintf(to, size, "%.0f %%", value * 100);
		return to;
	case UNIT_SECONDS:
		return format_seconds(value, to, size);
	case UNIT_BYTES:
		return format_scaled(value, bytes, 1024, to, size);
	case UNIT_HERTZ:
		return format_scaled(value, hertz, 1000, to, size);
	case UNIT_TRANSFERS_PER_SECOND:
		return format_scaled(value, transfers, 1000, to, size);
	case UNIT_CELSIUS:
		snprintf(to, size, "%.1f °C", value);
		return to;
	case UNIT_JOULES:
		snprintf(to, size, "%.0f J", value);
		return to;
	case UNIT_WATTS:
		snprintf(to, size, "%.1f W", value);
		return to;
	case UNIT_VOLTS:
		snprintf(to, size, "%.3f V", value);
		return to;
	case UNIT_RPM:
		snprintf(to, size, "%.0f rpm", value);
		return to;
	default:
		snprintf(to, size, "%.15g", value);
		return to;
	}
}
