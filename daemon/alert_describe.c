/* alert_describe - an event as a sentence for a person. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/alert.h"
#include "daemon/rules/words.h"

/* A figure of the event as a person reads it. */
static const char *figure(const struct alert_event *event, double value, char *to, size_t size)
{
	if (isnan(value))
		return "unknown";
	return unit_format(event->row >= 0 ? metrics[event->row].unit : UNIT_SECONDS, value, to, size);
}

static void put_summary(const struct alert_event *event, char *to, size_t size)
{
	char gpu[16], value[32], limit[32], metric[160] = "", span[WORDS_SIZE];
	const char *const words[RULE_WORDS] = {
		gpu,
		event->pci,
		event->gpu_name,
		figure(event, event->judgement.value, value, sizeof(value)),
		figure(event, event->judgement.limit, limit, sizeof(limit)),
		metric,
		words_duration(event->duration_ns, span, sizeof(span)),
	};

	snprintf(gpu, sizeof(gpu), "%u", event->gpu);
	if (event->row >= 0)
		metric_name((unsigned int)event->row, metric, sizeof(metric));
	rule_expand(event->rule->summary, words, to, size);
}

static const char *why(enum alert_cause cause)
{
	switch (cause) {
	case ALERT_REMOVED:
		return " because the rule was removed";
	case ALERT_CHANGED:
		return " because the rule was changed";
	default:
		return "";
	}
}

/* Takes a cut-off character of several bytes off the end. */
static void end_whole(char *text, size_t size)
{
	size_t length = strlen(text), head = length;

	if (length + 1 < size)
		return;
	while (head > 0 && ((unsigned char)text[head - 1] & 0xc0) == 0x80)
		head--;
	if (head > 0 && (unsigned char)text[head - 1] >= 0xc0)
		text[head - 1] = '\0';
}

char *alert_describe(const struct alert_event *event, char *to, size_t size)
{
	struct rule_finding finding = {
		.row = event->row,
		.resolved = event->to != ALERT_FIRING,
		.judgement = event->judgement,
		.duration_ns = event->duration_ns,
	};
	char what[192], summary[256] = "";

	event->rule->kind->say(event->rule, &finding, what, sizeof(what));
	if (!finding.resolved && event->rule->summary != NULL)
		put_summary(event, summary, sizeof(summary));
	snprintf(to, size, "GPU %u (%s) %s%s [rule %s]%s%s", event->gpu, event->pci, what, why(event->cause),
		 event->rule->name, summary[0] != '\0' ? ": " : "", summary);
	end_whole(to, size);
	return to;
}
