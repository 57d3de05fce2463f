/* alert_row - see the header. */
#include "daemon/alert_row.h"

/* How long the row must go on with what it is judged now, before its state changes. */
static uint64_t hold_time(const struct alert_row *row, const struct rule *rule)
{
	return row->state == ALERT_FIRING ? rule->clear_for_ns : rule->for_ns;
}

/* Sums up how long the verdict has been the same. */
static void hold(struct alert_row *row, const struct rule *rule, enum verdict verdict, uint64_t now_ns, uint64_t gap_ns)
{
	uint64_t passed = now_ns > row->judged_ns ? now_ns - row->judged_ns : 0;
	uint64_t needed = hold_time(row, rule);
	bool gap = row->hole || passed > gap_ns;
	bool too_long = gap && passed > needed && passed - needed > gap_ns;

	if (verdict != row->verdict || too_long) {
		row->held_ns = 0;
		if (row->state != ALERT_FIRING)
			row->bad_since_ns = now_ns;
	} else if (!gap) {
		row->held_ns += passed;
	}
	row->verdict = verdict;
	row->judged_ns = now_ns;
	row->hole = false;
}

static bool enter(struct alert_row *row, enum alert_state to, uint64_t now_ns)
{
	row->state = to;
	row->held_ns = 0;
	if (to == ALERT_FIRING)
		row->firing_since_ns = now_ns;
	return true;
}

bool alert_row_step(struct alert_row *row, const struct rule *rule, const struct judgement *judgement, uint64_t now_ns,
		    uint64_t gap_ns)
{
	bool held;

	if (judgement->verdict == VERDICT_NO_DATA) {
		row->hole = true;
		return false;
	}
	hold(row, rule, judgement->verdict, now_ns, gap_ns);
	row->last = *judgement;
	held = row->held_ns >= hold_time(row, rule);
	if (judgement->verdict == VERDICT_GOOD) {
		if (row->state == ALERT_PENDING || (row->state == ALERT_FIRING && held))
			return enter(row, ALERT_INACTIVE, now_ns);
		return false;
	}
	if (row->state == ALERT_INACTIVE && !held)
		return enter(row, ALERT_PENDING, now_ns);
	if (row->state != ALERT_FIRING && held)
		return enter(row, ALERT_FIRING, now_ns);
	return false;
}

bool alert_row_silence(struct alert_row *row)
{
	row->hole = true;
	if (row->state == ALERT_FIRING)
		return false;
	row->verdict = VERDICT_NO_DATA;
	return row->state == ALERT_PENDING && enter(row, ALERT_INACTIVE, 0);
}
