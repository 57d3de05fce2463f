/* rules - the set of rules in force: the shipped ones, overridden or switched off by those of a directory. */
#ifndef DAEMON_RULES_RULES_H
#define DAEMON_RULES_RULES_H

#include "daemon/rules/rule.h"

/* A file of rules that stands in the binary. */
struct rule_text {
	const char *name, *text;
};

/* config/rules.d, made into C when the daemon is built. */
extern const struct rule_text rules_pack[];
extern const size_t rules_pack_count;

/* In order of judging: a rule that silences others stands before them. Only enabled ones. */
struct rules {
	struct rule **list;
	size_t count;
};

/* Reads `shipped_count` texts, then each *.conf of rules_dir in order of names (NULL, or no such directory: none). A
 * rule of the directory replaces the shipped one of the same name as a whole, or switches it off with `enabled = no`.
 * Returns 0, or -EINVAL with every mistake in `problems` and *ret NULL. */
int rules_load(const struct rule_text *shipped, size_t shipped_count, const char *rules_dir, struct rules **ret,
	       struct problems *problems);
void rules_free(struct rules *rules);

/* One sentence per rule with its effective limits, and where it stands (--list-rules). */
void rules_print(const struct rules *rules, FILE *to);

#endif
