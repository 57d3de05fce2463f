/* keys - the keys that rules of all kinds have: each takes its value, or tells what is wrong with it. */
#include <string.h>

#include "daemon/rules/rule.h"
#include "daemon/rules/words.h"

static void take_kind(struct rule *rule, const char *value, const struct rule_place *place)
{
	size_t count, i;
	const struct rule_kind *const *kinds = rule_kinds(&count);
	const char *names[KEYS_MAX];
	char near[WORDS_SIZE];

	if (rule->kind != NULL || rule_kind_find(value) != NULL)
		return; /* read before all others */
	for (i = 0; i < count && i < KEYS_MAX; i++)
		names[i] = kinds[i]->name;
	words_nearest(value, names, i, near, sizeof(near));
	rule_mistake(place, "kind = %s: no such kind%s", value,
		     near[0] != '\0' ? near : "; threshold, increase or absent");
}

static void take_metric(struct rule *rule, const char *value, const struct rule_place *place)
{
	const char *families[METRICS_MAX];
	char family[128], near[WORDS_SIZE];
	unsigned int row;
	int n = metric_select(value, rule->rows);

	rule_replace(&rule->metric, value);
	rule->metric_line = place->line;
	rule->rows_count = n > 0 ? (unsigned int)n : 0;
	if (n > 0)
		return;
	if (n < 0) {
		memset(rule->rows, 0, sizeof(rule->rows));
		rule_mistake(
			place,
			"metric = %s: not a selection; write it like amdgpu_temperature_celsius{sensor=\"junction\"}",
			value);
		return;
	}
	for (row = 0; row < metrics_count; row++)
		families[row] = metrics[row].family;
	snprintf(family, sizeof(family), "%.*s", (int)strcspn(value, "{"), value);
	for (row = 0; row < metrics_count && strcmp(families[row], family) != 0; row++)
		;
	if (row < metrics_count)
		rule_mistake(place, "metric = %s: %s has no such labels; --list-metrics shows what there is", value,
			     family);
	else
		rule_mistake(place, "metric = %s: no such metric%s", value,
			     words_nearest(family, families, metrics_count, near, sizeof(near)));
}

static void take_span(const char *key, const char *value, const struct rule_place *place, uint64_t *ret)
{
	if (value_duration(value, ret) < 0)
		rule_mistake(place, "%s = %s: not a span of time; write it like 10s or 5m", key, value);
}

static void take_for(struct rule *rule, const char *value, const struct rule_place *place)
{
	rule->for_line = place->line;
	take_span("for", value, place, &rule->for_ns);
}

static void take_clear_for(struct rule *rule, const char *value, const struct rule_place *place)
{
	take_span("clear_for", value, place, &rule->clear_for_ns);
}

static void take_severity(struct rule *rule, const char *value, const struct rule_place *place)
{
	enum severity severity;

	for (severity = SEVERITY_INFO; severity <= SEVERITY_CRITICAL; severity++)
		if (strcmp(value, severity_name(severity)) == 0) {
			rule->severity = severity;
			return;
		}
	rule_mistake(place, "severity = %s: critical, warning or info", value);
}

static const char *const summary_words[RULE_WORDS] = { "gpu", "pci", "name", "value", "limit", "metric", "for" };

/* Which placeholder "{…}" begins here: its number, with its length in *ret_length; or -1. */
static int placeholder(const char *text, size_t *ret_length)
{
	int i;

	for (i = 0; i < RULE_WORDS; i++) {
		size_t length = strlen(summary_words[i]);

		*ret_length = length + 2;
		if (text[0] == '{' && strncmp(text + 1, summary_words[i], length) == 0 && text[length + 1] == '}')
			return i;
	}
	return -1;
}

static void take_summary(struct rule *rule, const char *value, const struct rule_place *place)
{
	const char *brace = value;
	size_t length;

	rule_replace(&rule->summary, value);
	for (; (brace = strchr(brace, '{')) != NULL; brace++)
		if (placeholder(brace, &length) < 0) {
			rule_mistake(place,
				     "summary = %s: at \"%s\": {gpu} {pci} {name} {value} {limit} {metric} {for} are "
				     "filled in",
				     value, brace);
			return;
		}
}

static void take_runbook(struct rule *rule, const char *value, const struct rule_place *place)
{
	(void)place;
	rule_replace(&rule->runbook, value);
}

static void take_enabled(struct rule *rule, const char *value, const struct rule_place *place)
{
	if (value_bool(value, &rule->enabled) < 0)
		rule_mistake(place, "enabled = %s: yes or no", value);
}

static void take_unless(struct rule *rule, const char *value, const struct rule_place *place)
{
	rule_replace(&rule->unless, value);
	rule->unless_line = place->line;
}

static void take_when(struct rule *rule, const char *value, const struct rule_place *place)
{
	rule_replace(&rule->when.text, value);
	rule->when.line = place->line;
}

const struct rule_key common_keys[] = {
	{ "kind", take_kind },
	{ "metric", take_metric },
	{ "for", take_for },
	{ "clear_for", take_clear_for },
	{ "severity", take_severity },
	{ "summary", take_summary },
	{ "runbook", take_runbook },
	{ "enabled", take_enabled },
	{ "unless", take_unless },
	{ "when", take_when },
	{ NULL, NULL },
};

void rule_expand(const char *summary, const char *const words[RULE_WORDS], char *to, size_t size)
{
	size_t used = 0;

	while (*summary != '\0' && used + 1 < size) {
		size_t length;
		int word = placeholder(summary, &length);

		if (word < 0) {
			to[used++] = *summary++;
			continue;
		}
		used += (size_t)snprintf(to + used, size - used, "%s", words[word]);
		summary += length;
	}
	to[used < size ? used : size - 1] = '\0';
}
