/* rules - see the header. Two lists are read, the shipped one and the directory's, and then made one. */
#include "daemon/rules/rules.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/rules/words.h"

/* Takes the rule into the list, which grows by one. */
static void rules_add(struct rules *rules, struct rule *rule)
{
	struct rule **list = reallocarray(rules->list, rules->count + 1, sizeof(struct rule *));

	if (list == NULL)
		abort();
	rules->list = list;
	rules->list[rules->count++] = rule;
}

static struct rule *rules_find(const struct rules *rules, const char *name)
{
	size_t i;

	for (i = 0; i < rules->count; i++)
		if (strcmp(rules->list[i]->name, name) == 0)
			return rules->list[i];
	return NULL;
}

static void rules_fini(struct rules *rules)
{
	size_t i;

	for (i = 0; i < rules->count; i++)
		rule_free(rules->list[i]);
	free(rules->list);
	rules->list = NULL;
	rules->count = 0;
}

void rules_free(struct rules *rules)
{
	if (rules == NULL)
		return;
	rules_fini(rules);
	free(rules);
}

/* ---- reading ---- */

/* Adds a rule unless its name is taken. A section that stands twice in one file was told by the reader of the file. */
static void add_once(struct rules *rules, struct rule *rule, struct problems *problems)
{
	const struct rule *before = rules_find(rules, rule->name);

	if (before == NULL) {
		rules_add(rules, rule);
		return;
	}
	if (strcmp(before->file, rule->file) != 0)
		problem_add(problems, rule->file, rule->line,
			    "[alert %s]: stands in %s:%d already; give one of them another name", rule->name,
			    before->file, before->line);
	rule_free(rule);
}

static void add_file(struct rules *rules, const struct ini_file *file, struct problems *problems)
{
	size_t i = 0, end;

	while (i < file->count) {
		const struct ini_entry *entry = &file->entries[i];

		if (entry->key != NULL) {
			problem_add(problems, file->name, entry->line,
				    "%s: stands before the first section [alert NAME]", entry->key);
			i++;
			continue;
		}
		for (end = i + 1; end < file->count && file->entries[end].key != NULL; end++)
			;
		add_once(rules, rule_read(file, i, end, problems), problems);
		i = end;
	}
}

static void read_texts(const struct rule_text *texts, size_t count, struct rules *rules, struct problems *problems)
{
	size_t i;

	for (i = 0; i < count; i++) {
		struct ini_file file;

		ini_file_parse(texts[i].name, texts[i].text, &file, problems);
		add_file(rules, &file, problems);
		ini_file_fini(&file);
	}
}

static int is_rules_file(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return entry->d_name[0] != '.' && length > 5 && strcmp(entry->d_name + length - 5, ".conf") == 0;
}

/* Not alphasort(): the order must not depend on the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void read_path(const char *directory, const char *name, struct rules *rules, struct problems *problems)
{
	struct ini_file file;
	char *path;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		abort();
	ini_file_read(path, &file, problems);
	add_file(rules, &file, problems);
	ini_file_fini(&file);
	free(path);
}

static void read_directory(const char *directory, struct rules *rules, struct problems *problems)
{
	struct dirent **names;
	int n, i;

	if (directory == NULL)
		return;
	n = scandir(directory, &names, is_rules_file, by_name);
	if (n < 0) {
		if (errno != ENOENT)
			problem_add(problems, directory, 0, "cannot be read as the directory of rules: %s",
				    strerrordesc_np(errno));
		return;
	}
	for (i = 0; i < n; i++) {
		read_path(directory, names[i]->d_name, rules, problems);
		free(names[i]);
	}
	free(names);
}

/* ---- two lists become one ---- */

/* The rule that is in force where the shipped one has that name. Takes it out of `local`. */
static struct rule *take_local(struct rules *local, const char *name)
{
	size_t i;

	for (i = 0; i < local->count; i++) {
		struct rule *rule = local->list[i];

		if (strcmp(rule->name, name) != 0)
			continue;
		memmove(&local->list[i], &local->list[i + 1], (--local->count - i) * sizeof(struct rule *));
		return rule;
	}
	return NULL;
}

/* A replacement stands where the rule stood that it replaces. */
static void replace_shipped(struct rules *shipped, struct rules *local)
{
	size_t i;

	for (i = 0; i < shipped->count; i++) {
		struct rule *rule = take_local(local, shipped->list[i]->name);

		if (rule != NULL) {
			rule_free(shipped->list[i]);
			shipped->list[i] = rule;
		}
	}
}

/* Words for a name that is none of the rules. */
static char *nearest_rule(const struct rules *rules, const char *name, char *to, size_t size)
{
	const char **names = rule_alloc((rules->count + 1) * sizeof(*names));
	size_t i, count = 0;

	for (i = 0; i < rules->count; i++)
		if (strcmp(rules->list[i]->name, name) != 0)
			names[count++] = rules->list[i]->name;
	words_nearest(name, names, count, to, size);
	free(names);
	return to;
}

/* A rule that only says `enabled = no` must mean one that is there. */
static void append_local(struct rules *rules, struct rules *local, bool with_shipped, struct problems *problems)
{
	char near[WORDS_SIZE];
	size_t i;

	for (i = 0; i < local->count; i++) {
		struct rule *rule = local->list[i];

		if (with_shipped && !rule->enabled && rule->kind == NULL)
			problem_add(problems, rule->file, rule->line,
				    "[alert %s]: there is no such rule to switch off%s", rule->name,
				    nearest_rule(rules, rule->name, near, sizeof(near)));
		rules_add(rules, rule);
	}
	local->count = 0;
}

/* ---- who silences whom ---- */

static void check_unless(const struct rules *rules, const struct rule *rule, struct problems *problems)
{
	const struct rule *at = rule;
	char near[WORDS_SIZE];
	size_t steps;

	if (rule->unless == NULL)
		return;
	if (rules_find(rules, rule->unless) == NULL) {
		problem_add(problems, rule->file, rule->unless_line, "unless = %s: no such rule%s", rule->unless,
			    nearest_rule(rules, rule->unless, near, sizeof(near)));
		return;
	}
	for (steps = 0; at != NULL && at->unless != NULL && steps <= rules->count; steps++)
		at = rules_find(rules, at->unless);
	if (steps > rules->count)
		problem_add(problems, rule->file, rule->unless_line,
			    "unless = %s: leads back to itself, so none of these rules could be relied on",
			    rule->unless);
}

static void drop_disabled(struct rules *rules)
{
	size_t i, kept = 0;

	for (i = 0; i < rules->count; i++) {
		if (rules->list[i]->enabled)
			rules->list[kept++] = rules->list[i];
		else
			rule_free(rules->list[i]);
	}
	rules->count = kept;
}

/* How many rules stand above this one. There is no circle here. */
static size_t depth(const struct rules *rules, const struct rule *rule)
{
	size_t n = 0;

	while (rule->unless != NULL && (rule = rules_find(rules, rule->unless)) != NULL)
		n++;
	return n;
}

/* By depth, else as it was. */
static void order(struct rules *rules)
{
	struct rule **ordered = rule_alloc((rules->count + 1) * sizeof(struct rule *));
	size_t placed = 0, wanted, i;

	for (wanted = 0; placed < rules->count; wanted++)
		for (i = 0; i < rules->count; i++)
			if (depth(rules, rules->list[i]) == wanted)
				ordered[placed++] = rules->list[i];
	free(rules->list);
	rules->list = ordered;
}

static void resolve_unless(struct rules *rules)
{
	size_t i, j;

	for (i = 0; i < rules->count; i++)
		for (j = 0; j < i; j++)
			if (rules->list[i]->unless != NULL && strcmp(rules->list[j]->name, rules->list[i]->unless) == 0)
				rules->list[i]->unless_index = (int)j;
}

int rules_load(const struct rule_text *shipped, size_t shipped_count, const char *rules_dir, struct rules **ret,
	       struct problems *problems)
{
	struct rules *rules = rule_alloc(sizeof(*rules));
	struct rules local = { 0 };
	size_t before = problems->count, i;

	read_texts(shipped, shipped_count, rules, problems);
	read_directory(rules_dir, &local, problems);
	replace_shipped(rules, &local);
	append_local(rules, &local, shipped_count > 0, problems);
	rules_fini(&local);
	for (i = 0; i < rules->count; i++)
		check_unless(rules, rules->list[i], problems);
	*ret = NULL;
	if (problems->count > before) {
		rules_free(rules);
		return -EINVAL;
	}
	drop_disabled(rules);
	order(rules);
	resolve_unless(rules);
	*ret = rules;
	return 0;
}

/* ---- --list-rules ---- */

static void print_rule(const struct rule *rule, FILE *to)
{
	char span[WORDS_SIZE];

	fprintf(to, "%s (%s): fires when %s is ", rule->name, severity_name(rule->severity),
		rule->metric != NULL ? rule->metric : "the GPU");
	rule->kind->describe(rule, to);
	if (rule->for_ns > 0)
		fprintf(to, " for %s", words_duration(rule->for_ns, span, sizeof(span)));
	if (rule->when.text != NULL)
		fprintf(to, ", on cards with %s", rule->when.text);
	if (rule->unless != NULL)
		fprintf(to, ", unless %s fires%s", rule->unless, rule->unless_index < 0 ? " (switched off)" : "");
	if (rule->clear_for_ns > 0)
		fprintf(to, "; ends after %s without", words_duration(rule->clear_for_ns, span, sizeof(span)));
	fprintf(to, ".\n    %s:%d\n", rule->file, rule->line);
}

void rules_print(const struct rules *rules, FILE *to)
{
	size_t i;

	for (i = 0; i < rules->count; i++)
		print_rule(rules->list[i], to);
}
