/* rule - one thing that is watched: the keys that every rule has, and what a kind of rule must be able to do.
 *
 * A kind is one file, rule_NAME.c, which registers itself with RULE_KIND(): its presence is enough. It keeps what it
 * read from its section in rule->own, and what it must remember of one row of one GPU in a piece of zeroed memory that
 * it is given back on each judgement; only its own file knows the shape of either. Pure: no clock, no log, no thread.
 */
#ifndef DAEMON_RULES_RULE_H
#define DAEMON_RULES_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "collectors/device.h"
#include "collectors/sample.h"
#include "config/ini_file.h"
#include "config/problems.h"

/* The order is the rank. */
enum severity { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_CRITICAL };

/* "info", "warning", "critical". */
const char *severity_name(enum severity severity);

/* Missing data is neither good nor bad: it never fires a rule and never ends one. */
enum verdict { VERDICT_NO_DATA, VERDICT_GOOD, VERDICT_BAD };

/* What a rule looks at: one row of one GPU at one moment. */
struct rule_look {
	const struct sample *sample; /* NULL for kinds that are judged by ticks */
	int row;                     /* of the table; -1 for kinds without a metric */
	enum gpu_state state;
	uint64_t age_ns; /* of the GPU's newest sample; UINT64_MAX: it never had one */
	uint64_t now_ns; /* CLOCK_MONOTONIC; with a sample, the sample's own time */
	bool firing;     /* whether the rule fires on that row */
};

/* What it finds. Figures are in the base unit of the row, or seconds for kinds without a metric; NAN: there is none. */
struct judgement {
	enum verdict verdict;
	double value; /* what was held against the limit */
	double limit;
	double reading; /* what the metric itself shows; differs from `value` where growth is judged */
	enum gpu_state state;
};

/* What a message is about. */
struct rule_finding {
	int row;
	bool resolved;
	struct judgement judgement;
	uint64_t duration_ns; /* how long it has been bad; resolved: how long it fired */
};

/* Where a mistake stands, and where it is to be told. */
struct rule_place {
	struct problems *problems;
	const char *file;
	int line;
};

#define rule_mistake(place, ...) problem_add((place)->problems, (place)->file, (place)->line, __VA_ARGS__)

/* A figure to be held against: `95C`, `temperature_critical - 5C`, `95% of memory_total`. */
struct limit {
	char *text; /* as written; NULL: not given */
	int line;
	bool relative;
	double scale, offset;        /* value = scale * other row + offset, or offset alone */
	int16_t beside[METRICS_MAX]; /* the other row, for each row of the rule */
};

/* On which cards a rule is judged at all: `memory_total above 4GiB`. */
struct gate {
	char *text; /* NULL: on all */
	int line;
	bool below;
	double bound;
	int16_t beside[METRICS_MAX];
};

struct rule {
	char *name;
	char *file; /* where it stands */
	int line;
	bool enabled;
	const struct rule_kind *kind;
	enum severity severity;
	char *metric; /* the selection as written; NULL for kinds without */
	int metric_line;
	bool rows[METRICS_MAX];        /* the rows that it selects, each with a state of its own */
	unsigned int rows_count;       /* 1 for kinds without a metric */
	uint64_t for_ns;               /* it must be bad for so long before it fires */
	uint64_t clear_for_ns;         /* it must be good for so long before it ends */
	char *summary, *runbook;       /* NULL: none */
	char *unless;                  /* name of the rule that silences this one on the same GPU; NULL */
	int unless_line, unless_index; /* -1: none, or that rule is switched off */
	int for_line;                  /* 0: not given */
	struct gate when;
	uint64_t definition; /* hash of all that decides on states: equal for equal rules */
	void *own;           /* of the kind */
};

struct rule_key {
	const char *name;
	void (*take)(struct rule *rule, const char *value, const struct rule_place *place);
};

struct rule_kind {
	const char *name;
	const char *subject;   /* for kinds without a metric: the family on the page that shows what they are about */
	bool has_metric;       /* needs `metric`, is judged on each sample, each row; else judged by ticks */
	bool has_for;          /* takes `for` */
	uint64_t clear_for_ns; /* where the rule does not say */
	size_t own_size, memory_size;
	const struct rule_key *keys; /* the kind's own, ended by a NULL name */

	/* After all keys: limits resolved, mistakes told. The rule's rows are known, or rows_count is 0 after a
	 * mistake. */
	void (*check)(struct rule *rule, const struct rule_place *place);
	void (*fini)(struct rule *rule);
	void (*judge)(const struct rule *rule, const struct rule_look *look, void *memory, struct judgement *ret);

	/* The condition with its limits, the middle of a sentence: "… is above temperature_critical - 5C". */
	void (*describe)(const struct rule *rule, FILE *to);

	/* What happened, after "GPU 3 (0000:c3:00.0) ": "junction temperature 96.5 °C, above 95 °C for 10 s". */
	void (*say)(const struct rule *rule, const struct rule_finding *finding, char *to, size_t size);
};

/* Registers a kind. The linker gathers the pointers of all files in one array. */
#define RULE_KIND(kind) \
	static const struct rule_kind *const kind##_entry __attribute__((used, section("rule_kinds"))) = &(kind)

const struct rule_kind *const *rule_kinds(size_t *ret_count);
const struct rule_kind *rule_kind_find(const char *name);

/* keys.c: the keys that all rules have, ended by a NULL name. */
#define KEYS_MAX 32 /* of a kind, with these */
extern const struct rule_key common_keys[];

/* Reads the section whose header is entry `first`, up to entry `end`. Mistakes go to `problems`; what comes back is
 * never NULL, but with mistakes it is only good for its name. */
struct rule *rule_read(const struct ini_file *file, size_t first, size_t end, struct problems *problems);
void rule_free(struct rule *rule);

/* The rule's gate, then its kind. `memory` has kind->memory_size bytes, zero at first. */
void rule_judge(const struct rule *rule, const struct rule_look *look, void *memory, struct judgement *ret);

/* Expands {gpu} {pci} {name} {value} {limit} {metric} {for} in a summary by words[] in that order. */
#define RULE_WORDS 7
void rule_expand(const char *summary, const char *const words[RULE_WORDS], char *to, size_t size);

/* Zeroed memory, or the end of the process: a watch without rules is of no use. */
void *rule_alloc(size_t size);

/* Puts a copy of a text in the place of another, which is freed. */
void rule_replace(char **text, const char *by);

/* For the kinds: a limit as written, then (in check) made ready against the rows of the rule. -EINVAL: mistakes told.
 */
void limit_take(struct limit *limit, const char *text, const struct rule_place *place);
int limit_resolve(struct limit *limit, const char *key, const struct rule *rule, const struct rule_place *place);
double limit_value(const struct limit *limit, int row, const struct sample *sample); /* NAN where the card has none */
void limit_fini(struct limit *limit);

/* Whether a is above b on every card. */
bool limit_always_above(const struct limit *a, const struct limit *b);

/* A figure in the unit of the rule's metric. -EINVAL: mistake told. */
int limit_figure(const char *key, const char *text, enum unit unit, const char *of, const struct rule_place *place,
		 double *ret);

int gate_resolve(struct gate *gate, const struct rule *rule, const struct rule_place *place);
enum verdict gate_judge(const struct gate *gate, int row, const struct sample *sample); /* GOOD: judge the rule */

#endif
