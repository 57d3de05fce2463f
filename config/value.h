/* value - the one place where text becomes a number: "95C", "300W", "95%", "16GiB", "10m", "true".
 *
 * The locale never matters. Every function returns 0, or -EINVAL where the text is not such a value, or -ERANGE where
 * it is one but too large; *ret is untouched on error. White space around the value is accepted, trailing text is not.
 */
#ifndef CONFIG_VALUE_H
#define CONFIG_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Base units, as Prometheus names them. */
enum unit {
	UNIT_NONE, /* a bare number: a count, a state, 0 or 1 */
	UNIT_RATIO,
	UNIT_SECONDS,
	UNIT_BYTES,
	UNIT_CELSIUS,
	UNIT_JOULES,
	UNIT_WATTS,
	UNIT_HERTZ,
	UNIT_VOLTS,
	UNIT_RPM,
	UNIT_TRANSFERS_PER_SECOND,
	UNIT_LANES,
	UNIT_COUNT
};

/* "celsius", "bytes", "transfers_per_second"…: the suffix that a metric's name carries; "" for UNIT_NONE. */
const char *unit_suffix(enum unit unit);

/* Writes a value as a person reads it: "96.5 °C", "63.2 GiB", "97 %", "1.70 GHz". Returns `to`. */
char *unit_format(enum unit unit, double value, char *to, size_t size);

/* A number with its unit, in base units: 95C, 300W, 95% (ratio 0.95), 16GiB, 16GB, 10m, 1.7GHz, 900MHz, 850mV, 12.5J,
 * 3000rpm, 16GT/s; a bare number gives UNIT_NONE. Case of the unit matters only where it changes the meaning: M is
 * never a milli (5MW, 5M are refused). */
int value_quantity(const char *text, double *ret, enum unit *ret_unit);

/* A span of time: "500ms", "1s", "10m", "1h30m", "24h", "7d". A bare number other than 0 is refused: the unit is the
 * point. */
int value_duration(const char *text, uint64_t *ret_ns);

/* A whole number in decimal, no sign. */
int value_uint64(const char *text, uint64_t *ret);

/* A whole number in decimal, with a minus or without. */
int value_int64(const char *text, int64_t *ret);

/* true/false, yes/no, on/off, 1/0. */
int value_bool(const char *text, bool *ret);

#endif
