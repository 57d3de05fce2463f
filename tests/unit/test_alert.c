/* test_alert - the engine and the kinds as pictures: a line of readings above a line of states. */
#include "tests/unit/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/alert.h"

#define SECOND 1000000000ull
#define GAP (3 * SECOND)
#define EVENTS_MAX 64

/* What the sink heard. */
struct heard {
	size_t count;
	struct {
		char rule[64], text[ALERT_TEXT_SIZE];
		enum alert_state to;
		enum alert_cause cause;
		struct judgement judgement;
		int row;
	} event[EVENTS_MAX];
};

static void hear(void *arg, const struct alert_event *event)
{
	struct heard *heard = arg;

	assert_true(heard->count < EVENTS_MAX);
	snprintf(heard->event[heard->count].rule, sizeof(heard->event[0].rule), "%s", event->rule->name);
	alert_describe(event, heard->event[heard->count].text, sizeof(heard->event[0].text));
	heard->event[heard->count].to = event->to;
	heard->event[heard->count].cause = event->cause;
	heard->event[heard->count].judgement = event->judgement;
	heard->event[heard->count].row = event->row;
	heard->count++;
}

static struct rules *load(const char *text)
{
	struct rule_text shipped = { "test.conf", text };
	struct problems problems = { 0 };
	struct rules *rules;

	if (rules_load(&shipped, 1, NULL, &rules, &problems) < 0) {
		problems_print(&problems, stderr);
		fail_msg("the rules of the test have mistakes");
	}
	problems_fini(&problems);
	return rules;
}

/* A GPU that plays readings into an engine, one a second. */
struct play {
	struct rules *rules;
	struct alerts *alerts;
	struct heard heard;
	struct alert_gpu gpu;
	struct sample sample;
	uint64_t now_ns;
};

static void play_begin(struct play *play, const char *text)
{
	unsigned int row;

	memset(play, 0, sizeof(*play));
	play->rules = load(text);
	play->alerts = alerts_new(play->rules, GAP);
	assert_non_null(play->alerts);
	play->gpu = (struct alert_gpu){ .index = 3, .pci = "0000:c3:00.0", .name = "Instinct MI210", .state = GPU_OK };
	play->now_ns = 1000 * SECOND;
	for (row = 0; row < METRICS_MAX; row++) {
		play->sample.value[row] = NAN;
		play->sample.reason[row] = READ_UNSUPPORTED;
	}
}

static void play_end(struct play *play)
{
	alerts_free(play->alerts);
	rules_free(play->rules);
}

/* NAN: the reading fails. */
static void put(struct play *play, enum quantity quantity, int selector, double value)
{
	int row = metric_row(quantity, selector);

	assert_true(row >= 0);
	play->sample.value[row] = value;
	play->sample.reason[row] = isnan(value) ? READ_ERROR : READ_OK;
}

static void judge(struct play *play)
{
	play->sample.sequence++;
	play->sample.monotonic_ns = play->now_ns;
	play->sample.realtime_ns = play->now_ns + 1;
	alerts_judge(play->alerts, &play->gpu, &play->sample, hear, &play->heard);
}

static void tick(struct play *play, enum gpu_state state, uint64_t age_ns)
{
	play->gpu.state = state;
	play->gpu.age_ns = age_ns;
	alerts_tick(play->alerts, &play->gpu, play->now_ns, hear, &play->heard);
}

struct look_for {
	const char *rule;
	struct alert_view found;
};

static void keep_view(void *arg, const struct alert_view *view)
{
	struct look_for *look = arg;

	if (view->gpu == 3 && strcmp(view->rule->name, look->rule) == 0)
		look->found = *view;
}

static struct alert_view view_of(const struct play *play, const char *rule)
{
	struct look_for look = { .rule = rule };

	alerts_each(play->alerts, keep_view, &look);
	assert_non_null(look.found.rule);
	return look.found;
}

/* '.' inactive, 'p' pending, 'F' firing; without data '?', 'q', 'f'. */
static char letter(const struct play *play, const char *rule)
{
	struct alert_view view = view_of(play, rule);

	return (view.no_data ? "?qf" : ".pF")[view.state];
}

/* Plays readings separated by spaces ('-' fails, '_' is no sample at all) and gives the line of states. */
static char *states(struct play *play, enum quantity quantity, int selector, const char *readings)
{
	static char line[256];
	char text[512], *rest = text, *word;
	size_t n = 0;

	snprintf(text, sizeof(text), "%s", readings);
	while ((word = strsep(&rest, " ")) != NULL) {
		if (word[0] == '\0')
			continue;
		play->now_ns += SECOND;
		if (word[0] != '_') {
			put(play, quantity, selector, word[0] == '-' && word[1] == '\0' ? NAN : strtod(word, NULL));
			judge(play);
		}
		line[n++] = letter(play, "r");
	}
	line[n] = '\0';
	return line;
}

#define JUNCTION "metric = amdgpu_temperature_celsius{sensor=\"junction\"}\n"
#define RULE "[alert r]\n"
#define picture(...) compare(__VA_ARGS__) /* arguments may be macros that hold two */
#define compare(play, quantity, selector, readings, expected) \
	assert_string_equal(states(play, quantity, selector, readings), expected)

struct transition_of {
	const char *rule;
	enum alert_state to;
	uint64_t count;
};

static void keep_count(void *arg, const struct rule *rule, enum alert_state to, uint64_t count)
{
	struct transition_of *wanted = arg;

	if (strcmp(rule->name, wanted->rule) == 0 && to == wanted->to)
		wanted->count = count;
}

static uint64_t transitions(const struct play *play, const char *rule, enum alert_state to)
{
	struct transition_of wanted = { .rule = rule, .to = to };

	alerts_each_transition(play->alerts, keep_count, &wanted);
	return wanted.count;
}

/* ---- threshold ---- */

static void threshold_at_once(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = threshold\n" JUNCTION "above = 95C\n");
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "94 95 96 97 95 96 94",
						       "..FF.F.");
	assert_int_equal(play.heard.count, 4);
	assert_int_equal(transitions(&play, "r", ALERT_FIRING), 2);
	assert_int_equal(transitions(&play, "r", ALERT_INACTIVE), 2);
	assert_int_equal(transitions(&play, "r", ALERT_PENDING), 0);
	play_end(&play);
}

static void threshold_below(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = threshold\nmetric = amdgpu_power_watts\nbelow = 50W\nclear = 60W\n");
	picture(&play, Q_POWER, 0, "55 49 55 59 60 55 49",
				   ".FFF..F");
	play_end(&play);
}

static void threshold_holds(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = threshold\n" JUNCTION "above = 95C\nfor = 3s\n");
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "96 96 90 96 96 96 96 96 90 96",
						       "pp.pppFF.p");
	assert_int_equal(play.heard.count, 2);
	assert_int_equal(transitions(&play, "r", ALERT_PENDING), 3);
	play_end(&play);
}

static void threshold_hysteresis(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = threshold\n" JUNCTION "above = 95C\nclear = 90C\n");
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "94 96 94 91 90.5 90 94 95 96",
						       ".FFFF...F");
	play_end(&play);
}

static void threshold_clears_slowly(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = threshold\n" JUNCTION "above = 95C\nclear_for = 2s\n");
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "96 90 90 96 90 90 90 90",
						       "FFFFFF..");
	assert_int_equal(play.heard.count, 2);
	play_end(&play);
}

/* Missing readings never fire a rule, never end one, and count for no hold time. */
static void threshold_missing_data(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = threshold\n" JUNCTION "above = 95C\nfor = 3s\n");
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "- 96 96 - - 96 96 96 - - - 90 -",
						       "?ppqqppFfff.?");
	assert_int_equal(play.heard.count, 2);
	assert_int_equal(transitions(&play, "r", ALERT_NO_DATA), 4);
	play_end(&play);
}

/* A hole longer than the hold time begins anew. */
static void threshold_long_hole(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = threshold\n" JUNCTION "above = 95C\nfor = 3s\n");
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "96 96 96 _ _ _ _ _ _ _ 96 96 96 96",
						       "pppppppppppppF");
	assert_non_null(strstr(play.heard.event[0].text, "for 3 s"));
	play_end(&play);
}

static void threshold_relative(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = threshold\n" JUNCTION "above = temperature_critical - 5C\nclear = temperature_critical - 10C\n");
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "90 120 120", "???"); /* no such limit: no verdict */
	put(&play, Q_TEMPERATURE_CRITICAL, SENSOR_JUNCTION, 110);
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "105 105.5 101 100", ".FF.");
	put(&play, Q_TEMPERATURE_CRITICAL, SENSOR_JUNCTION, 100);
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "95 96", ".F");
	assert_true(play.heard.event[2].judgement.limit == 95);
	assert_int_equal(play.heard.count, 3);
	play_end(&play);
}

static void threshold_share(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = threshold\nmetric = amdgpu_power_watts\nabove = 95% of power_cap\n");
	put(&play, Q_POWER_CAP, CAP_CURRENT, 300);
	picture(&play, Q_POWER, 0, "284 285 286", "..F");
	play_end(&play);
}

/* A card that the rule is not about is not without data. */
static void threshold_gate(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = threshold\nmetric = amdgpu_memory_used_bytes{pool=\"vram\"}\n"
			       "above = 95% of memory_total\nwhen = memory_total above 1GiB\n");
	picture(&play, Q_MEMORY_USED, POOL_VRAM, "536870000", "?");
	put(&play, Q_MEMORY_TOTAL, POOL_VRAM, 536870912);
	picture(&play, Q_MEMORY_USED, POOL_VRAM, "536870000 536870000", "..");
	put(&play, Q_MEMORY_TOTAL, POOL_VRAM, 68719476736);
	picture(&play, Q_MEMORY_USED, POOL_VRAM, "536870000 68000000000", ".F");
	play_end(&play);
}

static void rows_have_their_own_state(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = threshold\nmetric = amdgpu_temperature_celsius\nabove = 95C\n");
	put(&play, Q_TEMPERATURE, SENSOR_EDGE, 50);
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "96", "F");
	put(&play, Q_TEMPERATURE, SENSOR_MEMORY, 99);
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "96", "F");
	assert_int_equal(alerts_firing_count(play.alerts), 2);
	put(&play, Q_TEMPERATURE, SENSOR_MEMORY, 90);
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "96 90", "F.");
	assert_int_equal(alerts_firing_count(play.alerts), 0);
	assert_int_equal(play.heard.count, 4);
	assert_int_equal(play.heard.event[1].row, metric_row(Q_TEMPERATURE, SENSOR_MEMORY));
	assert_int_equal(play.heard.event[2].row, metric_row(Q_TEMPERATURE, SENSOR_MEMORY));
	play_end(&play);
}

/* A row that the GPU has and that fails is missed, also beside others that can be read. */
static void one_row_without_data_shows(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = threshold\nmetric = amdgpu_temperature_celsius\nabove = 95C\n");
	put(&play, Q_TEMPERATURE, SENSOR_EDGE, 50);
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "60 - 60", ".?.");
	play_end(&play);
}

/* ---- increase ---- */

#define UMC_UE Q_ECC_ERRORS, ECC_SELECTOR(BLOCK_UMC, ECC_UNCORRECTABLE)
#define ECC "metric = amdgpu_ecc_errors_total{block=\"umc\",severity=\"uncorrectable\"}\n"

static void increase_any(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = increase\n" ECC "clear_for = 3s\n");
	picture(&play, UMC_UE, "7 7 8 8 8 10 10 10 10 10 10 11",
			       "..FFFFFFF..F");
	assert_int_equal(play.heard.count, 3);
	assert_true(play.heard.event[0].judgement.value == 1);
	assert_true(play.heard.event[1].judgement.value == 3); /* all of this alert */
	assert_string_equal(play.heard.event[0].text,
			    "GPU 3 (0000:c3:00.0) umc uncorrectable ecc errors grew by 1, to 8 [rule r]");
	assert_string_equal(play.heard.event[1].text,
			    "GPU 3 (0000:c3:00.0) umc uncorrectable ecc errors resolved after 7 s: grew by 3, no further [rule r]");
	play_end(&play);
}

static void increase_counter_reset(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = increase\n" ECC "clear_for = 1s\n");
	picture(&play, UMC_UE, "7 0 0 1 1 1 0",
			       "...FF..");
	play_end(&play);
	/* What a counter shows after a reset, it counted since the reset. */
	play_begin(&play, RULE "kind = increase\n" ECC "clear_for = 1s\n");
	picture(&play, UMC_UE, "7 2 2 2",
			       ".FF.");
	play_end(&play);
}

/* The driver counts on while readings are missing. */
static void increase_over_missing_data(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = increase\n" ECC "clear_for = 1s\n");
	picture(&play, UMC_UE, "7 - - 9 - - - 9 9",
			       ".??FfffF.");
	play_end(&play);
}

static void increase_by_within_window(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = increase\n" ECC "by = 3\nwindow = 4s\nclear_for = 2s\n");
	picture(&play, UMC_UE, "0 1 1 1 1 1 2 3 4 4 4 4 5 6 7",
			       "........FFF...F");
	assert_int_equal(play.heard.count, 3);
	play_end(&play);
}

static void increase_by_since_last(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = increase\n" ECC "by = 3\nclear_for = 1s\n");
	picture(&play, UMC_UE, "0 2 4 7 7 7", "...FF.");
	play_end(&play);
}

static void increase_clears_after_a_quarter_of_an_hour(void **state)
{
	struct play play;
	int i;

	(void)state;
	play_begin(&play, RULE "kind = increase\n" ECC);
	picture(&play, UMC_UE, "0 1", ".F");
	for (i = 0; i < 15 * 60; i++)
		picture(&play, UMC_UE, "1", "F");
	picture(&play, UMC_UE, "1 1", "..");
	assert_non_null(strstr(play.heard.event[1].text, "resolved after 15m"));
	play_end(&play);
}

/* ---- absent ---- */

/* One tick per second: o ok, s suspended, h hung, l lost, e readings fail (age stays young); digits: ok, sample so old. */
static char *ticks(struct play *play, const char *line)
{
	static char result[256];
	size_t n;

	for (n = 0; line[n] != '\0'; n++) {
		play->now_ns += SECOND;
		if (line[n] >= '0' && line[n] <= '9')
			tick(play, GPU_OK, (uint64_t)(line[n] - '0') * SECOND);
		else
			tick(play, line[n] == 's' ? GPU_SUSPENDED : line[n] == 'h' ? GPU_HUNG : line[n] == 'l' ? GPU_LOST :
				   line[n] == 'e' ? GPU_ERROR : GPU_OK, SECOND / 2);
		result[n] = letter(play, "r");
	}
	result[n] = '\0';
	return result;
}

static void absent_states(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = absent\nafter = 4s\nclear_for = 2s\n");
	assert_string_equal(ticks(&play, "oosshhoooo"
					 "llooleeooo"
					 "eeeeeeeooo"
					 "0123456000"),
					 "....FFFF.."
					 "FFFFFFFFF."
					 "....FFFFF."
					 "....FFFFF.");
	assert_int_equal(play.heard.count, 8);
	play_end(&play);
}

/* A sampler needs time to load the library before there is a first sample. */
static void absent_before_the_first_sample(void **state)
{
	struct play play;
	int i;

	(void)state;
	play_begin(&play, RULE "kind = absent\nafter = 5s\n");
	for (i = 0; i < 14; i++) {
		play.now_ns += SECOND;
		tick(&play, GPU_ERROR, UINT64_MAX);
	}
	assert_int_equal(play.heard.count, 0);
	for (i = 0; i < 3; i++) {
		play.now_ns += SECOND;
		tick(&play, GPU_ERROR, UINT64_MAX);
	}
	assert_int_equal(play.heard.count, 1);
	assert_non_null(strstr(play.heard.event[0].text, "it never gave a sample"));
	play_end(&play);
}

static void absent_words(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = absent\n");
	tick(&play, GPU_HUNG, 7 * SECOND);
	play.now_ns += 250 * SECOND;
	tick(&play, GPU_OK, SECOND / 2);
	tick(&play, GPU_LOST, SECOND / 2);
	assert_string_equal(play.heard.event[0].text, "GPU 3 (0000:c3:00.0) hung: a reading of the driver does not return; "
						      "the last sample is 7 s old [rule r]");
	assert_string_equal(play.heard.event[1].text, "GPU 3 (0000:c3:00.0) answers again, resolved after 4m 10s [rule r]");
	assert_non_null(strstr(play.heard.event[2].text, "lost: the PCI bus does not show it any more"));
	play_end(&play);
}

/* Ticks may be further apart than samples. */
static void absent_with_slow_ticks(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = absent\nclear_for = 5s\n");
	tick(&play, GPU_LOST, SECOND);
	play.now_ns += 10 * SECOND;
	tick(&play, GPU_OK, 0);
	play.now_ns += 10 * SECOND;
	tick(&play, GPU_OK, 0);
	assert_int_equal(play.heard.count, 2);
	play_end(&play);
}

/* ---- unless ---- */

static void lost_gpu_silences_its_other_rules(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = threshold\n" JUNCTION "above = 95C\nfor = 2s\nunless = gone\n"
			       "[alert gone]\nkind = absent\n");
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "96", "p");
	tick(&play, GPU_LOST, SECOND);
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "96 96 96 96", "....");
	assert_true(view_of(&play, "r").silenced);
	assert_int_equal(play.heard.count, 1);
	tick(&play, GPU_OK, 0);
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "96 96 96", "ppF");
	tick(&play, GPU_LOST, SECOND);
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "50 50", "FF"); /* what fires stays as it is */
	tick(&play, GPU_OK, 0);
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "50", ".");
	play_end(&play);
}

/* The one that silences is judged first, wherever it stands in the file. */
static void silenced_within_the_same_sample(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = threshold\n" JUNCTION "above = 80C\nunless = hotter\n"
			       "[alert hotter]\nkind = threshold\n" JUNCTION "above = 90C\n");
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "95 85", ".F");
	assert_int_equal(play.heard.count, 3);
	assert_string_equal(play.heard.event[0].rule, "hotter");
	play_end(&play);
}

/* ---- reload ---- */

static void reload(struct play *play, const char *text)
{
	struct rules *rules = load(text);
	struct alerts *alerts = alerts_new(rules, GAP);

	alerts_adopt(alerts, play->alerts, play->now_ns, hear, &play->heard);
	alerts_free(play->alerts);
	rules_free(play->rules);
	play->rules = rules;
	play->alerts = alerts;
}

#define HOT RULE "kind = threshold\n" JUNCTION "above = 95C\nfor = 2s\n"
#define HOT_OTHER_ORDER RULE "summary = words\nfor = 2s\nabove = 95C\n" JUNCTION "kind = threshold\n"
#define OTHER "[alert other]\nkind = absent\n"

static void reload_keeps_what_did_not_change(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, HOT OTHER);
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "96 96", "pp");
	reload(&play, OTHER HOT);
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "96 96", "FF");
	reload(&play, HOT_OTHER_ORDER);
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "96", "F");
	assert_int_equal(play.heard.count, 1);
	assert_int_equal(alerts_firing_count(play.alerts), 1);
	assert_int_equal(transitions(&play, "r", ALERT_FIRING), 1);
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "90", ".");
	assert_int_equal(play.heard.count, 2);
	play_end(&play);
}

static void reload_keeps_the_memory_of_counters(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, RULE "kind = increase\n" ECC);
	picture(&play, UMC_UE, "5", ".");
	reload(&play, OTHER RULE "kind = increase\n" ECC);
	picture(&play, UMC_UE, "6", "F");
	play_end(&play);
}

static void reload_ends_what_is_gone(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, HOT);
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "96 96 96", "ppF");
	reload(&play, OTHER);
	assert_int_equal(play.heard.count, 2);
	assert_int_equal(play.heard.event[1].to, ALERT_INACTIVE);
	assert_int_equal(play.heard.event[1].cause, ALERT_REMOVED);
	assert_non_null(strstr(play.heard.event[1].text, "because the rule was removed"));
	assert_int_equal(alerts_firing_count(play.alerts), 0);
	play_end(&play);
}

static void reload_begins_anew_with_what_changed(void **state)
{
	struct play play;

	(void)state;
	play_begin(&play, HOT);
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "96 96 96", "ppF");
	reload(&play, RULE "kind = threshold\n" JUNCTION "above = 90C\nfor = 2s\n");
	assert_int_equal(play.heard.event[1].cause, ALERT_CHANGED);
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "96 96 96", "ppF");
	assert_int_equal(play.heard.count, 3);
	play_end(&play);
}

/* ---- words ---- */

static void words_of_an_alert(void **state)
{
	struct play play;
	char limit[32], before[32], after[32], expected[256];

	(void)state;
	play_begin(&play, HOT "summary = {name} at {pci} is GPU {gpu}\n");
	unit_format(UNIT_CELSIUS, 95, limit, sizeof(limit));
	unit_format(UNIT_CELSIUS, 96.5, before, sizeof(before));
	unit_format(UNIT_CELSIUS, 81, after, sizeof(after));
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "96.5 96.5 96.5 81", "ppF.");
	snprintf(expected, sizeof(expected), "GPU 3 (0000:c3:00.0) junction temperature %s, above %s for 2 s [rule r]: "
		 "Instinct MI210 at 0000:c3:00.0 is GPU 3", before, limit);
	assert_string_equal(play.heard.event[0].text, expected);
	snprintf(expected, sizeof(expected), "GPU 3 (0000:c3:00.0) junction temperature resolved after 1 s: %s, the limit is %s "
		 "[rule r]", after, limit);
	assert_string_equal(play.heard.event[1].text, expected);
	play_end(&play);
}

static void words_of_a_flag(void **state)
{
	bool rows[METRICS_MAX];
	struct play play;
	int row = 0;

	(void)state;
	play_begin(&play, RULE "kind = threshold\nmetric = amdgpu_throttled{class=\"thermal\"}\nabove = 0\nfor = 1s\n");
	assert_int_equal(metric_select("amdgpu_throttled{class=\"thermal\"}", rows), 1);
	while (!rows[row])
		row++;
	picture(&play, Q_THROTTLE_CLASS, metrics[row].selector, "0 1 1 0", ".pF.");
	assert_string_equal(play.heard.event[0].text, "GPU 3 (0000:c3:00.0) thermal throttled for 1 s [rule r]");
	assert_string_equal(play.heard.event[1].text, "GPU 3 (0000:c3:00.0) thermal throttled resolved after 1 s [rule r]");
	play_end(&play);
}

static void a_long_summary_is_cut_whole(void **state)
{
	char text[1024] = HOT "summary = ", small[40];
	struct play play;
	size_t i;

	(void)state;
	for (i = 0; i < 85; i++) /* as long as a line may be */
		strcat(text, "°");
	strcat(text, "\n");
	play_begin(&play, text);
	picture(&play, Q_TEMPERATURE, SENSOR_JUNCTION, "96 96 96", "ppF");
	assert_true(strlen(play.heard.event[0].text) < ALERT_TEXT_SIZE);
	for (i = 20; i < sizeof(small); i++) {
		struct alert_event event = { .rule = play.rules->list[0], .gpu = 3, .pci = "°°°°°°°°°°°", .gpu_name = "",
					     .row = metric_row(Q_TEMPERATURE, SENSOR_JUNCTION), .to = ALERT_INACTIVE };

		alert_describe(&event, small, i);
		assert_true(strlen(small) < i);
		assert_true((unsigned char)small[strlen(small) - 1] < 0xc0);
	}
	play_end(&play);
}

static void a_gpu_never_seen_is_not_shown(void **state)
{
	struct play play;
	struct look_for look = { .rule = "r" };

	(void)state;
	play_begin(&play, HOT);
	alerts_each(play.alerts, keep_view, &look);
	assert_null(look.found.rule);
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threshold_at_once),
		cmocka_unit_test(threshold_below),
		cmocka_unit_test(threshold_holds),
		cmocka_unit_test(threshold_hysteresis),
		cmocka_unit_test(threshold_clears_slowly),
		cmocka_unit_test(threshold_missing_data),
		cmocka_unit_test(threshold_long_hole),
		cmocka_unit_test(threshold_relative),
		cmocka_unit_test(threshold_share),
		cmocka_unit_test(threshold_gate),
		cmocka_unit_test(rows_have_their_own_state),
		cmocka_unit_test(one_row_without_data_shows),
		cmocka_unit_test(increase_any),
		cmocka_unit_test(increase_counter_reset),
		cmocka_unit_test(increase_over_missing_data),
		cmocka_unit_test(increase_by_within_window),
		cmocka_unit_test(increase_by_since_last),
		cmocka_unit_test(increase_clears_after_a_quarter_of_an_hour),
		cmocka_unit_test(absent_states),
		cmocka_unit_test(absent_before_the_first_sample),
		cmocka_unit_test(absent_words),
		cmocka_unit_test(absent_with_slow_ticks),
		cmocka_unit_test(lost_gpu_silences_its_other_rules),
		cmocka_unit_test(silenced_within_the_same_sample),
		cmocka_unit_test(reload_keeps_what_did_not_change),
		cmocka_unit_test(reload_keeps_the_memory_of_counters),
		cmocka_unit_test(reload_ends_what_is_gone),
		cmocka_unit_test(reload_begins_anew_with_what_changed),
		cmocka_unit_test(words_of_an_alert),
		cmocka_unit_test(words_of_a_flag),
		cmocka_unit_test(a_long_summary_is_cut_whole),
		cmocka_unit_test(a_gpu_never_seen_is_not_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
