/* value - see the header. Nothing here asks the locale of the process: letters, blanks and digits are those of ASCII,
 * and the two calls that know a decimal point are given the C locale. */
#include "config/value.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* How a unit may be written, and what one of it is in the base unit. */
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
	{ "min", UNIT_SECONDS, 60 },
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

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static const char *skip_space(const char *text)
{
	while (is_blank(*text))
		text++;
	return text;
}

/* Digits with at most one point among them and maybe a minus before: what follows it, or NULL. */
static const char *decimal_end(const char *text)
{
	bool digits = false;

	text += *text == '-';
	for (; is_digit(*text); text++)
		digits = true;
	if (*text == '.')
		for (text++; is_digit(*text); text++)
			digits = true;
	return digits ? text : NULL;
}

/* A decimal number, infinite where it is too large. Where strtod sees more in the text than its digits, an exponent or
 * hexadecimal, it is none. Returns where it ends, or NULL. */
static const char *parse_decimal(const char *text, double *ret)
{
	const char *end = decimal_end(text);
	locale_t plain;
	char *stopped;

	if (end == NULL)
		return NULL;
	plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (plain == (locale_t)0)
		return NULL;
	*ret = strtod_l(text, &stopped, plain);
	freelocale(plain);
	return stopped == end ? end : NULL;
}

static size_t trimmed_length(const char *text)
{
	size_t length = strlen(text);

	while (length > 0 && is_blank(text[length - 1]))
		length--;
	return length;
}

static bool is_same(const char *text, size_t length, const char *word)
{
	size_t i;

	for (i = 0; i < length && word[i] != '\0'; i++)
		if (lower(text[i]) != lower(word[i]))
			return false;
	return i == length && word[i] == '\0';
}

/* The unit as written: first to the letter, then without regard to case. But a large M is never a milli or a minute:
 * 5MW must not become 5 mW. */
static int find_unit(const char *text, size_t length)
{
	int found = -1;
	size_t i;

	for (i = 0; i < SPELLINGS; i++) {
		const char *spelling = spellings[i].text;

		if (!is_same(text, length, spelling))
			continue;
		if (memcmp(text, spelling, length) == 0)
			return (int)i;
		if (text[0] != 'M' || spelling[0] != 'm')
			found = (int)i;
	}
	return found;
}

int value_quantity(const char *text, double *ret, enum unit *ret_unit)
{
	enum unit unit = UNIT_NONE;
	double number;
	size_t length;
	int i;

	text = parse_decimal(skip_space(text), &number);
	if (text == NULL)
		return -EINVAL;
	text = skip_space(text);
	length = trimmed_length(text);
	if (length > 0) {
		i = find_unit(text, length);
		if (i < 0)
			return -EINVAL;
		/* Divided where the scale is a fraction: 95 % is 0.95 then, and not 0.9500000000000001. */
		number = spellings[i].scale < 1 ? number / round(1 / spellings[i].scale) : number * spellings[i].scale;
		unit = spellings[i].unit;
	}
	if (!isfinite(number))
		return -ERANGE;
	*ret = number;
	*ret_unit = unit;
	return 0;
}

/* One part of a duration, "10m" or "10 m": its nanoseconds. Returns where it ends, or NULL. */
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
	text = skip_space(text);
	for (length = 0; lower(text[length]) >= 'a' && lower(text[length]) <= 'z'; length++)
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
	bool too_large = false;
	uint64_t value = 0;

	text = skip_space(text);
	if (!is_digit(*text))
		return -EINVAL;
	for (; is_digit(*text); text++)
		too_large = too_large || __builtin_mul_overflow(value, 10u, &value) ||
			    __builtin_add_overflow(value, (uint64_t)(*text - '0'), &value);
	if (*skip_space(text) != '\0')
		return -EINVAL;
	if (too_large)
		return -ERANGE;
	*ret = value;
	return 0;
}

int value_int64(const char *text, int64_t *ret)
{
	bool negative;
	uint64_t size;
	int r;

	text = skip_space(text);
	negative = *text == '-';
	text += negative;
	if (!is_digit(*text))
		return -EINVAL;
	r = value_uint64(text, &size);
	if (r < 0)
		return r;
	if (size > (uint64_t)INT64_MAX + negative)
		return -ERANGE;
	/* The least number has no positive twin, so it is reached from the one above it. */
	*ret = !negative ? (int64_t)size : size == 0 ? 0 : -(int64_t)(size - 1) - 1;
	return 0;
}

int value_bool(const char *text, bool *ret)
{
	static const char *const words[] = { "no", "yes", "false", "true", "off", "on", "0", "1" };
	size_t length, i;

	text = skip_space(text);
	length = trimmed_length(text);
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!is_same(text, length, words[i]))
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

static char *format_plainly(enum unit unit, double value, char *to, size_t size)
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

char *unit_format(enum unit unit, double value, char *to, size_t size)
{
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	locale_t before = uselocale(plain); /* of this thread alone */

	format_plainly(unit, value, to, size);
	uselocale(before);
	if (plain != (locale_t)0)
		freelocale(plain);
	return to;
}
