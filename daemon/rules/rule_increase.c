/* rule_increase - a counter grew: at all, or by so much, since the sample before or within a window.
 *
 * The first reading is the baseline. One that is lower than the last began at 0 when the driver was loaded anew: all of
 * it is growth, as Prometheus's increase() counts too.
 * Growth while readings were missing shows with the next reading: the driver went on counting. Once the rule fires, any
 * further growth keeps it firing, and the value is all the growth of this alert. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/rules/rule.h"
#include "daemon/rules/words.h"

#define PARTS 32 /* of a window: growth is forgotten a part at a time */
#define CLEAR_FOR_NS (15 * 60 * 1000000000ull)

struct increase {
	char by_text[32];
	int by_line;
	double by;          /* 0: any growth */
	uint64_t window_ns; /* 0: since the sample before */
};

struct increase_memory {
	bool counting; /* there is a last reading */
	double last;
	double grown;    /* in this alert */
	uint64_t newest; /* number of the newest part of the window, in parts since the clock began */
	double parts[PARTS];
};

static void take_by(struct rule *rule, const char *value, const struct rule_place *place)
{
	struct increase *own = rule->own;

	snprintf(own->by_text, sizeof(own->by_text), "%s", value);
	own->by_line = place->line;
}

static void take_window(struct rule *rule, const char *value, const struct rule_place *place)
{
	struct increase *own = rule->own;

	if (value_duration(value, &own->window_ns) < 0 || own->window_ns < PARTS)
		rule_mistake(place, "window = %s: not a span of time; write it like 1h", value);
}

static const struct rule_key keys[] = {
	{ "by", take_by },
	{ "window", take_window },
	{ NULL, NULL },
};

static unsigned int first_row(const struct rule *rule)
{
	unsigned int row = 0;

	while (!rule->rows[row])
		row++;
	return row;
}

static void increase_check(struct rule *rule, const struct rule_place *place)
{
	struct increase *own = rule->own;
	struct rule_place here = *place;
	unsigned int row;

	if (rule->rows_count == 0)
		return;
	row = first_row(rule);
	if (metrics[row].type != METRIC_COUNTER) {
		here.line = rule->metric_line;
		rule_mistake(&here, "metric = %s: not a counter, so it does not grow; use kind = threshold",
			     rule->metric);
	}
	if (own->by_text[0] == '\0')
		return;
	here.line = own->by_line;
	if (limit_figure("by", own->by_text, metrics[row].unit, rule->metric, &here, &own->by) == 0 && own->by <= 0)
		rule_mistake(&here, "by = %s: must be above 0; leave it out for any growth", own->by_text);
}

/* Growth since the reading before. */
static double step(struct increase_memory *memory, double reading)
{
	double growth = 0;

	if (memory->counting)
		growth = reading >= memory->last ? reading - memory->last : reading;

	memory->counting = true;
	memory->last = reading;
	return growth;
}

/* Adds growth to the window that ends now. Returns the growth within it. */
static double window_add(const struct increase *own, struct increase_memory *memory, uint64_t now_ns, double growth)
{
	uint64_t part = now_ns / (own->window_ns / PARTS), i;
	double sum = 0;

	if (part - memory->newest >= PARTS)
		memset(memory->parts, 0, sizeof(memory->parts));
	else
		for (i = memory->newest + 1; i <= part; i++)
			memory->parts[i % PARTS] = 0;
	memory->newest = part;
	memory->parts[part % PARTS] += growth;
	for (i = 0; i < PARTS; i++)
		sum += memory->parts[i];
	return sum;
}

static bool is_enough(const struct increase *own, double growth)
{
	return own->by > 0 ? growth >= own->by : growth > 0;
}

static void increase_judge(const struct rule *rule, const struct rule_look *look, void *memory_, struct judgement *ret)
{
	const struct increase *own = rule->own;
	struct increase_memory *memory = memory_;
	double growth;

	ret->limit = own->by;
	ret->reading = look->sample->value[look->row];
	if (isnan(ret->reading))
		return;
	growth = step(memory, ret->reading);
	if (look->firing) {
		memset(memory->parts, 0, sizeof(memory->parts)); /* what fired once does not fire twice */
		memory->grown += growth;
		ret->verdict = growth > 0 ? VERDICT_BAD : VERDICT_GOOD;
	} else {
		memory->grown = own->window_ns > 0 ? window_add(own, memory, look->now_ns, growth) : growth;
		ret->verdict = is_enough(own, memory->grown) ? VERDICT_BAD : VERDICT_GOOD;
	}
	ret->value = memory->grown;
}

static void increase_describe(const struct rule *rule, FILE *to)
{
	const struct increase *own = rule->own;
	char span[WORDS_SIZE];

	if (own->by > 0)
		fprintf(to, "growing by %s or more", own->by_text);
	else
		fputs("growing", to);
	if (own->window_ns > 0)
		fprintf(to, " within %s", words_duration(own->window_ns, span, sizeof(span)));
}

static void increase_say(const struct rule *rule, const struct rule_finding *finding, char *to, size_t size)
{
	const struct increase *own = rule->own;
	enum unit unit = metrics[finding->row].unit;
	char name[WORDS_SIZE], span[WORDS_SIZE], grown[32], reading[32];

	words_metric((unsigned int)finding->row, name, sizeof(name));
	unit_format(unit, finding->judgement.value, grown, sizeof(grown));
	unit_format(unit, finding->judgement.reading, reading, sizeof(reading));
	if (finding->resolved) {
		words_duration(finding->duration_ns, span, sizeof(span));
		snprintf(to, size, "%s resolved after %s: grew by %s, no further", name, span, grown);
	} else if (own->window_ns > 0) {
		words_duration(own->window_ns, span, sizeof(span));
		snprintf(to, size, "%s grew by %s within %s, to %s", name, grown, span, reading);
	} else {
		snprintf(to, size, "%s grew by %s, to %s", name, grown, reading);
	}
}

static const struct rule_kind rule_increase = {
	.name = "increase",
	.has_metric = true,
	.clear_for_ns = CLEAR_FOR_NS,
	.own_size = sizeof(struct increase),
	.memory_size = sizeof(struct increase_memory),
	.keys = keys,
	.check = increase_check,
	.judge = increase_judge,
	.describe = increase_describe,
	.say = increase_say,
};

RULE_KIND(rule_increase);
