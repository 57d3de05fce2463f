/* kinds - all kinds of rules that were linked in. There is no list to keep: see RULE_KIND(). */
#include <string.h>

#include "daemon/rules/rule.h"

/* Both ends of the section, as the linker calls them. */
extern const struct rule_kind *const __start_rule_kinds[], *const __stop_rule_kinds[];

const struct rule_kind *const *rule_kinds(size_t *ret_count)
{
	*ret_count = (size_t)(__stop_rule_kinds - __start_rule_kinds);
	return __start_rule_kinds;
}

const struct rule_kind *rule_kind_find(const char *name)
{
	size_t count, i;
	const struct rule_kind *const *kinds = rule_kinds(&count);

	for (i = 0; i < count; i++)
		if (strcmp(kinds[i]->name, name) == 0)
			return kinds[i];
	return NULL;
}
