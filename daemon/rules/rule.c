/* rule - one section of a rules file becomes a rule.
 *
 * Keys may stand in any order, so they are taken first and checked against each other when the
 * section is over. */
#include "daemon/rules/rule.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/rules/words.h"

#define CLEAR_FOR_DEFAULT UINT64_MAX

void *rule_alloc(size_t size)
{
	void *room = calloc(1, size > 0 ? size : 1);

	if (room == NULL)
		abort();
	return room;
}

static char *copy(const char *text)
{
	return strcpy(rule_alloc(strlen(text) + 1), text);
}

void rule_replace(char **text, const char *by)
{
	free(*text);
	*text = copy(by);
}

const char *severity_name(enum severity severity)
{
	static const char *const names[] = {
		[SEVERITY_INFO] = "info",
		[SEVERITY_WARNING] = "warning",
		[SEVERITY_CRITICAL] = "critical",
	};

	return names[severity];
}

/* ---- a section ---- */

static const struct rule_key *key_find(const struct rule_key *keys, const char *name)
{
	for (; keys != NULL && keys->name != NULL; keys++)
		if (strcmp(keys->name, name) == 0)
			return keys;
	return NULL;
}

static size_t key_names(const struct rule_key *keys, const char **names, size_t count)
{
	for (; keys != NULL && keys->name != NULL && count < KEYS_MAX; keys++)
		names[count++] = keys->name;
	return count;
}

static void unknown_key(const struct rule *rule, const char *key, const struct rule_place *place)
{
	const char *names[KEYS_MAX];
	char near[WORDS_SIZE];
	size_t count = key_names(common_keys, names, 0);

	if (rule->kind == NULL)
		return; /* it may be right for the kind that is missing */
	count = key_names(rule->kind->keys, names, count);
	rule_mistake(place, "%s: no such key for kind %s%s", key, rule->kind->name,
		     words_nearest(key, names, count, near, sizeof(near)));
}

static void take_entry(struct rule *rule, const struct ini_entry *entry, const struct rule_place *place)
{
	const struct rule_key *key = key_find(common_keys, entry->key);

	if (key == NULL && rule->kind != NULL)
		key = key_find(rule->kind->keys, entry->key);
	if (key == NULL)
		unknown_key(rule, entry->key, place);
	else if (entry->value[0] == '\0')
		rule_mistake(place, "%s: has no value", entry->key);
	else
		key->take(rule, entry->value, place);
}

/* FNV-1a of "key=value"; the sum over all keys does not depend on their order. */
static uint64_t hash(const char *text, uint64_t so_far)
{
	for (; *text != '\0'; text++)
		so_far = (so_far ^ (unsigned char)*text) * 0x100000001b3u;
	return so_far;
}

static uint64_t hash_entry(const struct ini_entry *entry)
{
	static const char *const words_only[] = { "summary", "runbook", "enabled" };
	size_t i;

	for (i = 0; i < sizeof(words_only) / sizeof(words_only[0]); i++)
		if (strcmp(entry->key, words_only[i]) == 0)
			return 0;
	return hash(entry->value, hash("=", hash(entry->key, 0xcbf29ce484222325u)));
}

static void check_metric(struct rule *rule, const struct rule_place *place)
{
	if (!rule->kind->has_metric) {
		if (rule->metric != NULL || rule->when.text != NULL)
			rule_mistake(place, "[alert %s]: a rule of kind %s takes no metric and no when", rule->name,
				     rule->kind->name);
		rule->rows_count = 1;
		return;
	}
	if (rule->metric == NULL)
		rule_mistake(place, "[alert %s]: metric is missing, e.g. metric = amdgpu_power_watts", rule->name);
}

/* The keys against each other. A rule that is only there to switch another off needs nothing. */
static void check(struct rule *rule, const struct rule_place *place, bool kind_given)
{
	struct rule_place at_for = *place;

	if (rule->kind == NULL) {
		if (rule->enabled && !kind_given)
			rule_mistake(place, "[alert %s]: kind is missing: threshold, increase or absent", rule->name);
		return;
	}
	check_metric(rule, place);
	at_for.line = rule->for_line;
	if (rule->for_line > 0 && !rule->kind->has_for)
		rule_mistake(&at_for, "for: has no meaning for a rule of kind %s", rule->kind->name);
	if (rule->clear_for_ns == CLEAR_FOR_DEFAULT)
		rule->clear_for_ns = rule->kind->clear_for_ns;
	if (rule->when.text != NULL && rule->kind->has_metric && rule->rows_count > 0)
		gate_resolve(&rule->when, rule, place);
	rule->kind->check(rule, place);
}

static struct rule *rule_begin(const char *name, const char *file, int line)
{
	struct rule *rule = rule_alloc(sizeof(*rule));

	rule->name = copy(name);
	rule->file = copy(file);
	rule->line = line;
	rule->enabled = true;
	rule->severity = SEVERITY_WARNING;
	rule->clear_for_ns = CLEAR_FOR_DEFAULT;
	rule->unless_index = -1;
	return rule;
}

/* A name is a label on the page and a field in the journal. */
static bool is_name(const char *name)
{
	size_t length = strlen(name);

	return length > 0 && length <= 64 &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == length;
}

/* The name in "alert NAME"; "" where the section is none. */
static const char *section_name(const char *section)
{
	if (strncmp(section, "alert ", 6) != 0)
		return "";
	section += 6;
	while (*section == ' ')
		section++;
	return section;
}

struct rule *rule_read(const struct ini_file *file, size_t first, size_t end, struct problems *problems)
{
	const struct ini_entry *entries = file->entries;
	struct rule_place place = { problems, file->name, entries[first].line };
	struct rule *rule = rule_begin(section_name(entries[first].section), file->name, entries[first].line);
	bool kind_given = false;
	size_t i;

	if (!is_name(rule->name))
		rule_mistake(
			&place,
			"[%s]: not a rule; a section is [alert NAME], the name of letters, digits, '-', '_' and '.'",
			entries[first].section);
	for (i = first + 1; i < end; i++)
		if (strcmp(entries[i].key, "kind") == 0) {
			rule->kind = rule_kind_find(entries[i].value);
			kind_given = true;
		}
	if (rule->kind != NULL)
		rule->own = rule_alloc(rule->kind->own_size);
	for (i = first + 1; i < end; i++) {
		place.line = entries[i].line;
		take_entry(rule, &entries[i], &place);
		rule->definition += hash_entry(&entries[i]);
	}
	place.line = rule->line;
	if (is_name(rule->name))
		check(rule, &place, kind_given);
	return rule;
}

void rule_free(struct rule *rule)
{
	if (rule == NULL)
		return;
	if (rule->kind != NULL && rule->kind->fini != NULL)
		rule->kind->fini(rule);
	free(rule->own);
	free(rule->name);
	free(rule->file);
	free(rule->metric);
	free(rule->summary);
	free(rule->runbook);
	free(rule->unless);
	free(rule->when.text);
	free(rule);
}

/* ---- use ---- */

void rule_judge(const struct rule *rule, const struct rule_look *look, void *memory, struct judgement *ret)
{
	enum verdict gate = VERDICT_GOOD;

	*ret = (struct judgement){
		.verdict = VERDICT_NO_DATA, .value = NAN, .limit = NAN, .reading = NAN, .state = look->state
	};
	if (look->row >= 0)
		gate = gate_judge(&rule->when, look->row, look->sample);
	if (gate == VERDICT_GOOD)
		rule->kind->judge(rule, look, memory, ret);
	else if (gate == VERDICT_BAD)
		ret->verdict = VERDICT_GOOD; /* not a card that the rule is about */
}
