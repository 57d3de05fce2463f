/* rule_absent - a GPU does not answer: lost, hung, without readings, or silent for too long. Suspended is fine.
 *
 * Judged by ticks, as there is no sample to judge. Lost and hung are sure when they are seen (a bus that does not show
 * the card, a pass that never ended) and count at once; the others count after `after`. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "daemon/rules/rule.h"
#include "daemon/rules/words.h"

#define AFTER_NS 5000000000ull
#define FIRST_SAMPLE_NS 15000000000ull /* loading the vendor library may take its time */

struct absent {
	uint64_t after_ns;
};

struct absent_memory {
	uint64_t failing_since_ns; /* 0: not failing */
};

static void take_after(struct rule *rule, const char *value, const struct rule_place *place)
{
	struct absent *own = rule->own;

	if (value_duration(value, &own->after_ns) < 0 || own->after_ns == 0)
		rule_mistake(place, "after = %s: not a span of time; write it like 5s", value);
}

static const struct rule_key keys[] = {
	{ "after", take_after },
	{ NULL, NULL },
};

static void absent_check(struct rule *rule, const struct rule_place *place)
{
	struct absent *own = rule->own;

	(void)place;
	if (own->after_ns == 0)
		own->after_ns = AFTER_NS;
}

/* How long a GPU whose readings fail has done so. */
static uint64_t failing_ns(const struct rule_look *look, struct absent_memory *memory)
{
	if (look->state != GPU_ERROR) {
		memory->failing_since_ns = 0;
		return 0;
	}
	if (memory->failing_since_ns == 0)
		memory->failing_since_ns = look->now_ns;
	return look->now_ns - memory->failing_since_ns;
}

static bool is_absent(const struct rule_look *look, uint64_t failing, uint64_t after_ns)
{
	switch (look->state) {
	case GPU_LOST:
	case GPU_HUNG:
		return true;
	case GPU_SUSPENDED:
		return false;
	default:
		break;
	}
	if (look->firing && look->state == GPU_ERROR)
		return true; /* to be seen on the bus again is not yet to answer */
	if (look->age_ns != UINT64_MAX)
		return look->age_ns >= after_ns || failing >= after_ns;
	return failing >= (after_ns > FIRST_SAMPLE_NS ? after_ns : FIRST_SAMPLE_NS);
}

static void absent_judge(const struct rule *rule, const struct rule_look *look, void *memory, struct judgement *ret)
{
	const struct absent *own = rule->own;
	uint64_t failing = failing_ns(look, memory);

	ret->value = ret->reading = look->age_ns != UINT64_MAX ? (double)look->age_ns / 1e9 : NAN;
	ret->limit = (double)own->after_ns / 1e9;
	ret->verdict = is_absent(look, failing, own->after_ns) ? VERDICT_BAD : VERDICT_GOOD;
}

static void absent_describe(const struct rule *rule, FILE *to)
{
	const struct absent *own = rule->own;
	char span[WORDS_SIZE];

	fprintf(to, "lost or hung, or fails or is silent for %s", words_duration(own->after_ns, span, sizeof(span)));
}

static const char *what_happened(enum gpu_state state)
{
	switch (state) {
	case GPU_LOST:
		return "lost: the PCI bus does not show it any more";
	case GPU_HUNG:
		return "hung: a reading of the driver does not return";
	case GPU_ERROR:
		return "its core readings fail, or none comes any more";
	default:
		return "silent";
	}
}

static void absent_say(const struct rule *rule, const struct rule_finding *finding, char *to, size_t size)
{
	double age = finding->judgement.value;
	char span[WORDS_SIZE];

	(void)rule;
	if (finding->resolved)
		snprintf(to, size, "answers again, resolved after %s",
			 words_duration(finding->duration_ns, span, sizeof(span)));
	else if (isnan(age))
		snprintf(to, size, "%s; it never gave a sample", what_happened(finding->judgement.state));
	else
		snprintf(to, size, "%s; the last sample is %s old", what_happened(finding->judgement.state),
			 words_duration((uint64_t)(age * 1e9), span, sizeof(span)));
}

static const struct rule_kind rule_absent = {
	.name = "absent",
	.subject = "amdgpu_up",
	.own_size = sizeof(struct absent),
	.memory_size = sizeof(struct absent_memory),
	.keys = keys,
	.check = absent_check,
	.judge = absent_judge,
	.describe = absent_describe,
	.say = absent_say,
};

RULE_KIND(rule_absent);
