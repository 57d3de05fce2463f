/* alert - see the header; alert_row.c has the state machine of one row. */
#include "daemon/alert.h"

#include <assert.h>
#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/alert_row.h"

/* One rule on one GPU. */
struct alert_cell {
	unsigned int firing; /* rows */
	bool no_data;
};

struct alert_card {
	bool seen;
	char pci[PCI_SIZE];
	char name[80];
};

struct alerts {
	const struct rules *rules;
	uint64_t gap_ns;
	size_t *first;     /* per rule: its first row in a card's rows; one more: how many rows a card has */
	size_t *memory_at; /* per rule: where its kind's memory begins in a card's memory; one more: the size */
	struct alert_card cards[GPUS_MAX];
	struct alert_cell *cells;              /* per card and rule */
	struct alert_row *rows;                /* per card: first[rules] */
	char *memory;                          /* per card: memory_at[rules] */
	uint64_t (*transitions)[ALERT_STATES]; /* per rule */
	unsigned int firing;
};

/* What one step needs to know, so that it need not be handed down in ten arguments. */
struct step {
	struct alerts *alerts;
	size_t rule;
	unsigned int gpu;
	int row;
	struct alert_row *state;
	struct alert_cell *cell;
	uint64_t now_ns, realtime_ns, gap_ns;
	alert_sink *sink;
	void *arg;
};

const char *alert_state_name(enum alert_state state)
{
	static const char *const names[ALERT_STATES] = { "inactive", "pending", "firing", "no_data" };

	return names[state];
}

/* ---- memory ---- */

static size_t aligned(size_t size)
{
	return (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
}

/* Where the rows and the memory of each rule begin. */
static void lay_out(struct alerts *alerts)
{
	const struct rules *rules = alerts->rules;
	size_t i;

	for (i = 0; i < rules->count; i++) {
		const struct rule *rule = rules->list[i];

		alerts->first[i + 1] = alerts->first[i] + rule->rows_count;
		alerts->memory_at[i + 1] = alerts->memory_at[i] + rule->rows_count * aligned(rule->kind->memory_size);
	}
}

/* Zeroed memory of cards that were never seen is never touched, and so costs nothing. */
struct alerts *alerts_new(const struct rules *rules, uint64_t gap_ns)
{
	struct alerts *alerts = calloc(1, sizeof(*alerts));
	size_t count = rules->count;

	if (alerts == NULL)
		return NULL;
	alerts->rules = rules;
	alerts->gap_ns = gap_ns;
	alerts->first = calloc(count + 1, sizeof(*alerts->first));
	alerts->memory_at = calloc(count + 1, sizeof(*alerts->memory_at));
	alerts->transitions = calloc(count + 1, sizeof(*alerts->transitions));
	alerts->cells = calloc(GPUS_MAX * count + 1, sizeof(*alerts->cells));
	if (alerts->first != NULL && alerts->memory_at != NULL) {
		lay_out(alerts);
		alerts->rows = calloc(GPUS_MAX * alerts->first[count] + 1, sizeof(*alerts->rows));
		alerts->memory = calloc(GPUS_MAX * alerts->memory_at[count] + 1, 1);
	}
	if (alerts->transitions != NULL && alerts->cells != NULL && alerts->rows != NULL && alerts->memory != NULL)
		return alerts;
	alerts_free(alerts);
	return NULL;
}

void alerts_free(struct alerts *alerts)
{
	if (alerts == NULL)
		return;
	free(alerts->first);
	free(alerts->memory_at);
	free(alerts->transitions);
	free(alerts->cells);
	free(alerts->rows);
	free(alerts->memory);
	free(alerts);
}

static struct alert_cell *cell_of(const struct alerts *alerts, unsigned int gpu, size_t rule)
{
	return &alerts->cells[gpu * alerts->rules->count + rule];
}

/* The n-th row of a rule on a card. */
static struct alert_row *row_of(const struct alerts *alerts, unsigned int gpu, size_t rule, size_t n)
{
	return &alerts->rows[gpu * alerts->first[alerts->rules->count] + alerts->first[rule] + n];
}

static char *memory_of(const struct alerts *alerts, unsigned int gpu, size_t rule, size_t n)
{
	return alerts->memory + gpu * alerts->memory_at[alerts->rules->count] + alerts->memory_at[rule] +
	       n * aligned(alerts->rules->list[rule]->kind->memory_size);
}

/* ---- one step of one row ---- */

static void tell(const struct step *step, enum alert_state from, enum alert_cause cause)
{
	const struct alert_row *state = step->state;
	const struct alert_card *card = &step->alerts->cards[step->gpu];
	uint64_t since = state->state == ALERT_FIRING ? state->bad_since_ns : state->firing_since_ns;
	struct alert_event event = {
		.rule = step->alerts->rules->list[step->rule],
		.gpu = step->gpu,
		.pci = card->pci,
		.gpu_name = card->name,
		.row = step->row,
		.from = from,
		.to = state->state,
		.cause = cause,
		.judgement = state->last,
		.since_ns = since,
		.duration_ns = step->now_ns > since ? step->now_ns - since : 0,
		.realtime_ns = step->realtime_ns,
	};

	step->sink(step->arg, &event);
}

/* Counts the row's new state, and tells those that a person wants to hear of. */
static void note_change(const struct step *step, enum alert_state from)
{
	enum alert_state to = step->state->state;
	int more = (to == ALERT_FIRING) - (from == ALERT_FIRING);

	step->alerts->transitions[step->rule][to]++;
	step->cell->firing += (unsigned int)more;
	step->alerts->firing += (unsigned int)more;
	if (more != 0)
		tell(step, from, ALERT_JUDGED);
}

/* ---- rules on a GPU ---- */

static bool is_silenced(const struct alerts *alerts, unsigned int gpu, size_t rule)
{
	int by = alerts->rules->list[rule]->unless_index;

	return by >= 0 && cell_of(alerts, gpu, (size_t)by)->firing > 0;
}

/* Notes whether the rule has what it needs on this GPU: some row has data, and no row has lost it. */
static void note_data(struct step *step, unsigned int with, unsigned int lost)
{
	bool no_data = lost > 0 || with == 0;

	if (no_data && !step->cell->no_data)
		step->alerts->transitions[step->rule][ALERT_NO_DATA]++;
	step->cell->no_data = no_data;
}

/* What the rows of a rule had to go by. */
struct evidence {
	unsigned int with, lost; /* rows with data; rows that the GPU has and that gave none */
};

static void judge_row(struct step *step, struct rule_look *look, size_t n, struct evidence *evidence)
{
	struct alerts *alerts = step->alerts;
	const struct rule *rule = alerts->rules->list[step->rule];
	enum alert_state from = step->state->state;
	struct judgement judgement;

	look->firing = from == ALERT_FIRING;
	rule_judge(rule, look, memory_of(alerts, step->gpu, step->rule, n), &judgement);
	if (judgement.verdict != VERDICT_NO_DATA)
		evidence->with++;
	else if (look->sample != NULL && look->sample->reason[look->row] != READ_UNSUPPORTED)
		evidence->lost++;
	if (alert_row_step(step->state, rule, &judgement, step->now_ns, step->gap_ns))
		note_change(step, from);
}

static void judge_rule(struct step *step, struct rule_look *look)
{
	struct alerts *alerts = step->alerts;
	const struct rule *rule = alerts->rules->list[step->rule];
	bool silenced = is_silenced(alerts, step->gpu, step->rule);
	struct evidence evidence = { 0 };
	unsigned int n = 0, row;

	for (row = 0; n < rule->rows_count; row++) {
		if (rule->kind->has_metric && !rule->rows[row])
			continue;
		step->row = look->row = rule->kind->has_metric ? (int)row : -1;
		step->state = row_of(alerts, step->gpu, step->rule, n);
		if (!silenced)
			judge_row(step, look, n, &evidence);
		else if (alert_row_silence(step->state))
			note_change(step, ALERT_PENDING);
		n++;
	}
	if (!silenced)
		note_data(step, evidence.with, evidence.lost);
}

static void meet(struct alerts *alerts, const struct alert_gpu *gpu)
{
	struct alert_card *card = &alerts->cards[gpu->index];

	assert(gpu->index < GPUS_MAX);
	card->seen = true;
	snprintf(card->pci, sizeof(card->pci), "%s", gpu->pci);
	snprintf(card->name, sizeof(card->name), "%s", gpu->name);
}

void alerts_judge(struct alerts *alerts, const struct alert_gpu *gpu, const struct sample *sample, alert_sink *sink,
		  void *arg)
{
	struct rule_look look = {
		.sample = sample, .state = gpu->state, .age_ns = gpu->age_ns, .now_ns = sample->monotonic_ns
	};
	struct step step = { .alerts = alerts,
			     .gpu = gpu->index,
			     .now_ns = sample->monotonic_ns,
			     .realtime_ns = sample->realtime_ns,
			     .gap_ns = alerts->gap_ns,
			     .sink = sink,
			     .arg = arg };

	meet(alerts, gpu);
	for (step.rule = 0; step.rule < alerts->rules->count; step.rule++) {
		step.cell = cell_of(alerts, gpu->index, step.rule);
		if (alerts->rules->list[step.rule]->kind->has_metric)
			judge_rule(&step, &look);
	}
}

void alerts_tick(struct alerts *alerts, const struct alert_gpu *gpu, uint64_t now_ns, alert_sink *sink, void *arg)
{
	struct rule_look look = { .state = gpu->state, .age_ns = gpu->age_ns, .now_ns = now_ns };
	struct step step = { .alerts = alerts,
			     .gpu = gpu->index,
			     .now_ns = now_ns,
			     .gap_ns = UINT64_MAX, /* a state is as sure after a long tick as after a short one */
			     .sink = sink,
			     .arg = arg };

	meet(alerts, gpu);
	for (step.rule = 0; step.rule < alerts->rules->count; step.rule++) {
		step.cell = cell_of(alerts, gpu->index, step.rule);
		if (!alerts->rules->list[step.rule]->kind->has_metric)
			judge_rule(&step, &look);
	}
}

/* ---- reload ---- */

/* Which of the new rules has that name, or -1. */
static int same_name(const struct rules *rules, const struct rule *wanted)
{
	size_t i;

	for (i = 0; i < rules->count; i++)
		if (strcmp(rules->list[i]->name, wanted->name) == 0)
			return (int)i;
	return -1;
}

static void take_over(struct alerts *alerts, size_t to, const struct alerts *old, size_t from, unsigned int gpu)
{
	const struct rule *rule = alerts->rules->list[to];

	*cell_of(alerts, gpu, to) = *cell_of(old, gpu, from);
	alerts->firing += cell_of(old, gpu, from)->firing;
	memcpy(row_of(alerts, gpu, to, 0), row_of(old, gpu, from, 0), rule->rows_count * sizeof(struct alert_row));
	memcpy(memory_of(alerts, gpu, to, 0), memory_of(old, gpu, from, 0),
	       rule->rows_count * aligned(rule->kind->memory_size));
}

/* Tells the end of what fires and is not taken over. */
static void let_go(struct step *step, enum alert_cause cause)
{
	const struct rule *rule = step->alerts->rules->list[step->rule];
	unsigned int row = 0, n;

	for (n = 0; n < rule->rows_count; n++, row++) {
		struct alert_row ended = *row_of(step->alerts, step->gpu, step->rule, n);

		while (rule->kind->has_metric && !rule->rows[row])
			row++;
		if (ended.state != ALERT_FIRING)
			continue;
		ended.state = ALERT_INACTIVE;
		step->row = rule->kind->has_metric ? (int)row : -1;
		step->state = &ended;
		tell(step, ALERT_FIRING, cause);
	}
}

void alerts_adopt(struct alerts *alerts, struct alerts *old, uint64_t now_ns, alert_sink *sink, void *arg)
{
	size_t from;
	unsigned int gpu;

	memcpy(alerts->cards, old->cards, sizeof(alerts->cards));
	for (from = 0; from < old->rules->count; from++) {
		const struct rule *rule = old->rules->list[from];
		int to = same_name(alerts->rules, rule);
		bool same = to >= 0 && alerts->rules->list[to]->definition == rule->definition;
		/* The event is told of the old rule, which is the one that fired. */
		struct step step = { .alerts = old, .rule = from, .now_ns = now_ns, .sink = sink, .arg = arg };

		if (to >= 0)
			memcpy(alerts->transitions[to], old->transitions[from], sizeof(alerts->transitions[to]));
		for (gpu = 0; gpu < GPUS_MAX; gpu++) {
			step.gpu = gpu;
			if (!old->cards[gpu].seen)
				continue;
			if (same)
				take_over(alerts, (size_t)to, old, from, gpu);
			else
				let_go(&step, to < 0 ? ALERT_REMOVED : ALERT_CHANGED);
		}
	}
}

/* ---- what the page shows ---- */

unsigned int alerts_firing_count(const struct alerts *alerts)
{
	return alerts->firing;
}

/* State and since of a rule on a GPU, from its rows. */
static void sum_up(const struct alerts *alerts, unsigned int gpu, size_t rule, struct alert_view *view)
{
	unsigned int n;

	for (n = 0; n < alerts->rules->list[rule]->rows_count; n++) {
		const struct alert_row *row = row_of(alerts, gpu, rule, n);

		if (row->state > view->state)
			view->state = row->state;
		if (row->state == ALERT_FIRING && (view->since_ns == 0 || row->firing_since_ns < view->since_ns))
			view->since_ns = row->firing_since_ns;
	}
}

void alerts_each(const struct alerts *alerts, void (*each)(void *arg, const struct alert_view *view), void *arg)
{
	unsigned int gpu;
	size_t rule;

	for (gpu = 0; gpu < GPUS_MAX; gpu++) {
		if (!alerts->cards[gpu].seen)
			continue;
		for (rule = 0; rule < alerts->rules->count; rule++) {
			struct alert_view view = {
				.rule = alerts->rules->list[rule],
				.gpu = gpu,
				.no_data = cell_of(alerts, gpu, rule)->no_data,
				.silenced = is_silenced(alerts, gpu, rule),
			};

			sum_up(alerts, gpu, rule, &view);
			each(arg, &view);
		}
	}
}

void alerts_each_transition(const struct alerts *alerts,
			    void (*each)(void *arg, const struct rule *rule, enum alert_state to, uint64_t count),
			    void *arg)
{
	size_t rule;
	int to;

	for (rule = 0; rule < alerts->rules->count; rule++)
		for (to = 0; to < ALERT_STATES; to++)
			each(arg, alerts->rules->list[rule], (enum alert_state)to, alerts->transitions[rule][to]);
}
