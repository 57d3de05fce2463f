/* limit - a figure to be held against, fixed or relative to another metric of the same card; and a rule's gate.
 *
 * Where the card has no such other figure the limit is NAN and nothing is judged: no default is made up. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/rules/rule.h"

/* How a person writes a figure of that unit. */
static const char *example_of(enum unit unit)
{
	static const char *const examples[UNIT_COUNT] = {
		[UNIT_NONE] = "3",
		[UNIT_RATIO] = "95%",
		[UNIT_SECONDS] = "10s",
		[UNIT_BYTES] = "16GiB",
		[UNIT_CELSIUS] = "95C",
		[UNIT_JOULES] = "100J",
		[UNIT_WATTS] = "300W",
		[UNIT_HERTZ] = "1.7GHz",
		[UNIT_VOLTS] = "850mV",
		[UNIT_RPM] = "3000rpm",
		[UNIT_TRANSFERS_PER_SECOND] = "16GT/s",
		[UNIT_LANES] = "16",
	};

	return examples[unit];
}

/* Lanes are counted, not measured: a bare number is right for them. */
static bool fits(enum unit have, enum unit wanted)
{
	return have == wanted || (have == UNIT_NONE && wanted == UNIT_LANES);
}

int limit_figure(const char *key, const char *text, enum unit unit, const char *of, const struct rule_place *place,
		 double *ret)
{
	enum unit have;
	double value;

	if (value_quantity(text, &value, &have) < 0) {
		rule_mistake(place, "%s = %s: not a figure; write it like %s", key, text, example_of(unit));
		return -EINVAL;
	}
	if (!fits(have, unit)) {
		rule_mistake(place, "%s = %s: %s %s%s, which this figure does not fit; write it like %s", key, text, of,
			     unit == UNIT_NONE ? "is a bare number" : "is in ", unit_suffix(unit), example_of(unit));
		return -EINVAL;
	}
	*ret = value;
	return 0;
}

void limit_take(struct limit *limit, const char *text, const struct rule_place *place)
{
	rule_replace(&limit->text, text);
	limit->line = place->line;
}

void limit_fini(struct limit *limit)
{
	free(limit->text);
	limit->text = NULL;
}

static const char *skip_spaces(const char *text)
{
	while (*text == ' ' || *text == '\t')
		text++;
	return text;
}

/* Finds the row with that name beside each row of the rule. */
static int find_beside(const char *key, const char *text, const char *name, size_t length, const struct rule *rule,
		       const struct rule_place *place, int16_t *ret)
{
	char full[128];
	unsigned int row;

	for (row = 0; row < metrics_count; row++) {
		if (!rule->rows[row])
			continue;
		ret[row] = (int16_t)metric_sibling(name, length, (int)row);
		if (ret[row] >= 0)
			continue;
		rule_mistake(place, "%s = %s: there is no %.*s beside %s; --list-metrics shows what there is", key,
			     text, (int)length, name, metric_name(row, full, sizeof(full)));
		return -EINVAL;
	}
	return 0;
}

/* The first row of a rule; it has one. */
static unsigned int first_row(const struct rule *rule)
{
	unsigned int row = 0;

	while (!rule->rows[row])
		row++;
	return row;
}

/* "95% of NAME…": the share, and where NAME begins. */
static int take_share(struct limit *limit, const char *key, const struct rule_place *place, const char **ret_name)
{
	const char *of = strstr(limit->text, " of ");
	char share[32];
	size_t length;

	limit->scale = 1;
	*ret_name = limit->text;
	if (of == NULL)
		return 0;
	length = (size_t)(of - limit->text);
	if (length >= sizeof(share)) {
		rule_mistake(place, "%s = %s: no share of a metric; write it like 95%% of power_cap", key, limit->text);
		return -EINVAL;
	}
	memcpy(share, limit->text, length);
	share[length] = '\0';
	*ret_name = skip_spaces(of + 4);
	return limit_figure(key, share, UNIT_RATIO, "a share", place, &limit->scale);
}

/* "+ 5C", "- 5C" or nothing. */
static int take_offset(struct limit *limit, const char *key, const char *rest, enum unit unit, const struct rule *rule,
		       const struct rule_place *place)
{
	double offset = 0;
	int r;

	rest = skip_spaces(rest);
	if (*rest == '\0') {
		limit->offset = 0;
		return 0;
	}
	if (*rest != '+' && *rest != '-') {
		rule_mistake(place, "%s = %s: \"%s\" is not understood; write it like temperature_critical - 5C", key,
			     limit->text, rest);
		return -EINVAL;
	}
	r = limit_figure(key, skip_spaces(rest + 1), unit, rule->metric, place, &offset);
	limit->offset = *rest == '-' ? -offset : offset;
	return r;
}

static int resolve_relative(struct limit *limit, const char *key, const struct rule *rule,
			    const struct rule_place *place)
{
	unsigned int first = first_row(rule);
	const char *name, *end;

	if (take_share(limit, key, place, &name) < 0)
		return -EINVAL;
	for (end = name; isalnum((unsigned char)*end) || *end == '_'; end++)
		;
	if (end == name) {
		rule_mistake(place, "%s = %s: a share of what? Write it like 95%% of power_cap", key, limit->text);
		return -EINVAL;
	}
	if (find_beside(key, limit->text, name, (size_t)(end - name), rule, place, limit->beside) < 0)
		return -EINVAL;
	if (metrics[limit->beside[first]].unit != metrics[first].unit) {
		rule_mistake(place, "%s = %s: %.*s is in %s, but %s in %s", key, limit->text, (int)(end - name), name,
			     unit_suffix(metrics[limit->beside[first]].unit), rule->metric,
			     unit_suffix(metrics[first].unit));
		return -EINVAL;
	}
	return take_offset(limit, key, end, metrics[first].unit, rule, place);
}

int limit_resolve(struct limit *limit, const char *key, const struct rule *rule, const struct rule_place *place)
{
	struct rule_place here = *place;

	here.line = limit->line;
	limit->relative = isalpha((unsigned char)limit->text[0]) || strstr(limit->text, " of ") != NULL;
	if (limit->relative)
		return resolve_relative(limit, key, rule, &here);
	return limit_figure(key, limit->text, metrics[first_row(rule)].unit, rule->metric, &here, &limit->offset);
}

double limit_value(const struct limit *limit, int row, const struct sample *sample)
{
	if (!limit->relative)
		return limit->offset;
	return limit->scale * sample->value[limit->beside[row]] + limit->offset;
}

bool limit_always_above(const struct limit *a, const struct limit *b)
{
	if (a->relative != b->relative)
		return false; /* depends on the card */
	if (a->relative && memcmp(a->beside, b->beside, sizeof(a->beside)) != 0)
		return false;
	return a->scale >= b->scale && a->offset >= b->offset && (a->scale > b->scale || a->offset > b->offset);
}

int gate_resolve(struct gate *gate, const struct rule *rule, const struct rule_place *place)
{
	const char *above = strstr(gate->text, " above "), *below = strstr(gate->text, " below ");
	const char *middle = above != NULL ? above : below;
	struct rule_place here = *place;
	char of[64];

	here.line = gate->line;
	if (middle == NULL || (above != NULL && below != NULL)) {
		rule_mistake(&here, "when = %s: not a condition; write it like memory_total above 4GiB", gate->text);
		return -EINVAL;
	}
	gate->below = above == NULL;
	if (find_beside("when", gate->text, gate->text, (size_t)(middle - gate->text), rule, &here, gate->beside) < 0)
		return -EINVAL;
	snprintf(of, sizeof(of), "%.*s", (int)(middle - gate->text), gate->text);
	return limit_figure("when", skip_spaces(middle + 7), metrics[gate->beside[first_row(rule)]].unit, of, &here,
			    &gate->bound);
}

enum verdict gate_judge(const struct gate *gate, int row, const struct sample *sample)
{
	double value;

	if (gate->text == NULL)
		return VERDICT_GOOD;
	value = sample->value[gate->beside[row]];
	if (isnan(value))
		return VERDICT_NO_DATA;
	return (gate->below ? value < gate->bound : value > gate->bound) ? VERDICT_GOOD : VERDICT_BAD;
}
