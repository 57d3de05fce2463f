/* rule_threshold - a reading is above or below a limit. Once the rule fires, `clear` is the limit: hysteresis. */
#include <math.h>
#include <stdio.h>

#include "daemon/rules/rule.h"
#include "daemon/rules/words.h"

struct threshold {
	struct limit above, below, clear;
};

static void take_above(struct rule *rule, const char *value, const struct rule_place *place)
{
	limit_take(&((struct threshold *)rule->own)->above, value, place);
}

static void take_below(struct rule *rule, const char *value, const struct rule_place *place)
{
	limit_take(&((struct threshold *)rule->own)->below, value, place);
}

static void take_clear(struct rule *rule, const char *value, const struct rule_place *place)
{
	limit_take(&((struct threshold *)rule->own)->clear, value, place);
}

static const struct rule_key keys[] = {
	{ "above", take_above },
	{ "below", take_below },
	{ "clear", take_clear },
	{ NULL, NULL },
};

static bool is_above(const struct threshold *own)
{
	return own->above.text != NULL;
}

static const struct limit *limit_of(const struct threshold *own)
{
	return is_above(own) ? &own->above : &own->below;
}

static void check_clear(struct threshold *own, const struct rule *rule, const struct rule_place *place)
{
	const struct limit *limit = limit_of(own);
	struct rule_place here = *place;

	if (limit_resolve(&own->clear, "clear", rule, place) < 0)
		return;
	here.line = own->clear.line;
	if (is_above(own) && limit_always_above(&own->clear, limit))
		rule_mistake(&here,
			     "clear = %s: lies above the limit %s, so the alert would end while it is still bad; clear "
			     "must not exceed above",
			     own->clear.text, limit->text);
	if (!is_above(own) && limit_always_above(limit, &own->clear))
		rule_mistake(&here,
			     "clear = %s: lies below the limit %s, so the alert would end while it is still bad; below "
			     "must not exceed clear",
			     own->clear.text, limit->text);
}

static void threshold_check(struct rule *rule, const struct rule_place *place)
{
	struct threshold *own = rule->own;
	struct limit *limit = is_above(own) ? &own->above : &own->below;
	struct rule_place here = *place;

	if (limit->text == NULL) {
		rule_mistake(place, "[alert %s]: has no limit; give above or below, e.g. above = 95C", rule->name);
		return;
	}
	if (own->above.text != NULL && own->below.text != NULL) {
		here.line = own->below.line;
		rule_mistake(&here, "below = %s: the rule has above = %s too; make two rules of it", own->below.text,
			     own->above.text);
		return;
	}
	if (rule->rows_count == 0 || limit_resolve(limit, is_above(own) ? "above" : "below", rule, place) < 0)
		return;
	if (own->clear.text != NULL)
		check_clear(own, rule, place);
}

static void threshold_fini(struct rule *rule)
{
	struct threshold *own = rule->own;

	limit_fini(&own->above);
	limit_fini(&own->below);
	limit_fini(&own->clear);
}

/* The limit that is in force: while the rule fires it is `clear`, unless that lies on the wrong side on this card. */
static double limit_now(const struct threshold *own, const struct rule_look *look, double limit)
{
	double clear;

	if (!look->firing || own->clear.text == NULL)
		return limit;
	clear = limit_value(&own->clear, look->row, look->sample);
	return is_above(own) ? fmin(clear, limit) : fmax(clear, limit);
}

static void threshold_judge(const struct rule *rule, const struct rule_look *look, void *memory, struct judgement *ret)
{
	const struct threshold *own = rule->own;
	double now;

	(void)memory;
	ret->value = ret->reading = look->sample->value[look->row];
	ret->limit = limit_value(limit_of(own), look->row, look->sample);
	if (isnan(ret->value) || isnan(ret->limit))
		return;
	now = limit_now(own, look, ret->limit);
	ret->verdict = (is_above(own) ? ret->value > now : ret->value < now) ? VERDICT_BAD : VERDICT_GOOD;
}

static void threshold_describe(const struct rule *rule, FILE *to)
{
	const struct threshold *own = rule->own;

	fprintf(to, "%s %s", is_above(own) ? "above" : "below", limit_of(own)->text);
	if (own->clear.text != NULL)
		fprintf(to, " (ends %s %s)", is_above(own) ? "at or below" : "at or above", own->clear.text);
}

/* A metric that is 0 or 1 says with its name all there is to say. */
static bool is_flag(const struct metric *metric)
{
	return metric->unit == UNIT_NONE && metric->min == 0 && metric->max == 1;
}

static void threshold_say(const struct rule *rule, const struct rule_finding *finding, char *to, size_t size)
{
	const struct threshold *own = rule->own;
	const struct metric *metric = &metrics[finding->row];
	char name[WORDS_SIZE], span[WORDS_SIZE], value[32], limit[32];
	const char *side = is_above(own) ? "above" : "below";

	words_metric((unsigned int)finding->row, name, sizeof(name));
	words_duration(finding->duration_ns, span, sizeof(span));
	unit_format(metric->unit, finding->judgement.value, value, sizeof(value));
	unit_format(metric->unit, finding->judgement.limit, limit, sizeof(limit));
	if (finding->resolved && (is_flag(metric) || isnan(finding->judgement.value)))
		snprintf(to, size, "%s resolved after %s", name, span);
	else if (finding->resolved)
		snprintf(to, size, "%s resolved after %s: %s, the limit is %s", name, span, value, limit);
	else if (is_flag(metric) && is_above(own))
		snprintf(to, size, "%s%s%s", name, finding->duration_ns > 0 ? " for " : "",
			 finding->duration_ns > 0 ? span : "");
	else
		snprintf(to, size, "%s %s, %s %s%s%s", name, value, side, limit,
			 finding->duration_ns > 0 ? " for " : "", finding->duration_ns > 0 ? span : "");
}

static const struct rule_kind rule_threshold = {
	.name = "threshold",
	.has_metric = true,
	.has_for = true,
	.own_size = sizeof(struct threshold),
	.keys = keys,
	.check = threshold_check,
	.fini = threshold_fini,
	.judge = threshold_judge,
	.describe = threshold_describe,
	.say = threshold_say,
};

RULE_KIND(rule_threshold);
