/* config - THE TABLE of settings: name, kind, default, bounds, meaning. The file, its messages and the command line
 * derive from it; a new setting is a row here and a field in struct config. */
#include "config/config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "config/ini_file.h"
#include "config/value.h"

enum kind { KIND_DURATION, KIND_COUNT, KIND_BOOL, KIND_PATH, KIND_CHOICE, KIND_LISTEN };

struct setting {
	const char *section, *key;
	enum kind kind;
	size_t offset;
	const char *standard; /* as one would write it */
	/* Of durations and counts: the bounds, as one would write them. Of texts: `most` bytes. Of choices: `most` is
	 * the words, in the order of their enumerators. */
	const char *least, *most;
	const char *help; /* lines of the shipped file, without their # */
};

#define FIELD(name) offsetof(struct config, name)

static const struct setting settings[] = {
	{ "sampler", "interval", KIND_DURATION, FIELD(interval_ns), "1s", "100ms", "1m",
	  "Time between two samples of a GPU." },
	{ "sampler", "slow_interval", KIND_DURATION, FIELD(slow_interval_ns), "5s", "100ms", "10m",
	  "Time between two readings of what changes rarely: limits, ECC counts, fan, PCIe link. At least the "
	  "interval." },
	{ "sampler", "history", KIND_DURATION, FIELD(history_ns), "5m", "10s", "1d",
	  "How much of the past is kept for each GPU, in memory: 10 to 100000 intervals. Takes effect at the next "
	  "start." },
	{ "sampler", "stale_after", KIND_DURATION, FIELD(stale_after_ns), "5s", "200ms", "10m",
	  "A sample older than this is not shown, and its GPU counts as not answering. At least twice the interval." },
	{ "sampler", "rescan", KIND_DURATION, FIELD(rescan_ns), "2s", "100ms", "10m",
	  "Time between two looks for GPUs that came or went." },
	{ "sampler", "source", KIND_CHOICE, FIELD(source), "auto", NULL, "auto, rocm_smi, sysfs",
	  "Who is asked: auto (ROCm SMI first, then the driver's files), rocm_smi, or sysfs (the driver's files "
	  "alone)." },
	{ "sampler", "rocm_smi_library", KIND_PATH, FIELD(rocm_smi_library), "", NULL, "255",
	  "librocm_smi64 to load. Empty: /opt/rocm/lib, then librocm_smi64.so.7, .so.6, .so.5, .so.1 where the linker "
	  "looks." },
	{ "sampler", "gpus_expected", KIND_COUNT, FIELD(gpus_expected), "0", "0", "128",
	  "How many GPUs the node should have, for rocwatch_gpus_expected. 0: as many as were seen since the start." },
	{ "web", "listen", KIND_LISTEN, FIELD(listen), "127.0.0.1:10720", NULL, "255",
	  "Where metrics are served: ADDR:PORT or [IPV6]:PORT. There is neither encryption nor a password: keep it on "
	  "the loopback\n"
	  "or behind something that has both. Takes effect at the next start." },
	{ "web", "max_connections", KIND_COUNT, FIELD(max_connections), "64", "4", "1000",
	  "Connections at once; one address may have half of them. Takes effect at the next start." },
	{ "web", "timeout", KIND_DURATION, FIELD(timeout_ns), "10s", "1s", "10m",
	  "A connection that is silent for so long is closed. Takes effect at the next start." },
	{ "alerts", "rules_dir", KIND_PATH, FIELD(rules_dir), "/etc/rocwatch/rules.d", NULL, "255",
	  "Directory of your own rules, *.conf. A rule of the same name replaces a shipped one." },
	{ "alerts", "shipped_rules", KIND_BOOL, FIELD(shipped_rules), "yes", NULL, NULL,
	  "Whether the rules that stand in the binary are judged; rocwatchd --list-rules shows them." },
	{ "alerts", "burst", KIND_COUNT, FIELD(burst), "120", "1", "100000",
	  "Most alert messages to the journal within a minute. What is held back is counted and said later." },
};

#define SETTINGS (sizeof(settings) / sizeof(settings[0]))

/* Where a value comes from, for messages. */
struct place {
	const char *file;
	int line;
	struct problems *problems;
};

#define mistake(place, ...) problem_add((place)->problems, (place)->file, (place)->line, __VA_ARGS__)

static void *field(const struct setting *setting, struct config *config)
{
	return (char *)config + setting->offset;
}

/* ---- one value of each kind: 0, or -EINVAL with the mistake told. What is too large to hold is above every most. ----
 */

static int set_number(const struct setting *setting, uint64_t value, const char *text, uint64_t least, uint64_t most,
		      const struct place *place, uint64_t *ret)
{
	if (value < least) {
		mistake(place, "[%s] %s = \"%s\" is below the least allowed %s", setting->section, setting->key, text,
			setting->least);
		return -EINVAL;
	}
	if (value > most) {
		mistake(place, "[%s] %s = \"%s\" is above the most allowed %s", setting->section, setting->key, text,
			setting->most);
		return -EINVAL;
	}
	*ret = value;
	return 0;
}

static int set_duration(const struct setting *setting, const char *text, const struct place *place, uint64_t *ret)
{
	uint64_t value = UINT64_MAX, least = 0, most = 0;

	if (value_duration(text, &value) == -EINVAL) {
		mistake(place, "[%s] %s = \"%s\" is no span of time; write it as 500ms, 10s, 5m or 1h30m (%s to %s)",
			setting->section, setting->key, text, setting->least, setting->most);
		return -EINVAL;
	}
	value_duration(setting->least, &least);
	value_duration(setting->most, &most);
	return set_number(setting, value, text, least, most, place, ret);
}

static int set_count(const struct setting *setting, const char *text, const struct place *place, uint64_t *ret)
{
	uint64_t value = UINT64_MAX, least = 0, most = 0;

	if (value_uint64(text, &value) == -EINVAL) {
		mistake(place, "[%s] %s = \"%s\" is no whole number from %s to %s", setting->section, setting->key,
			text, setting->least, setting->most);
		return -EINVAL;
	}
	value_uint64(setting->least, &least);
	value_uint64(setting->most, &most);
	return set_number(setting, value, text, least, most, place, ret);
}

static int set_bool(const struct setting *setting, const char *text, const struct place *place, bool *ret)
{
	if (value_bool(text, ret) == 0)
		return 0;
	mistake(place, "[%s] %s = \"%s\" is neither yes nor no", setting->section, setting->key, text);
	return -EINVAL;
}

static int set_choice(const struct setting *setting, const char *text, const struct place *place, int *ret)
{
	const char *word = setting->most;
	int number;

	for (number = 0; *word != '\0'; number++) {
		size_t length = strcspn(word, ",");

		if (strlen(text) == length && memcmp(word, text, length) == 0) {
			*ret = number;
			return 0;
		}
		word += length;
		word += strspn(word, ", ");
	}
	mistake(place, "[%s] %s = \"%s\" is not one of %s", setting->section, setting->key, text, setting->most);
	return -EINVAL;
}

static int set_text(const struct setting *setting, const char *text, const struct place *place, char **ret)
{
	uint64_t most = 0;
	char *copy;

	value_uint64(setting->most, &most);
	if (strlen(text) > most) {
		mistake(place, "[%s] %s = \"%s\" has %zu bytes, more than the %s allowed", setting->section,
			setting->key, text, strlen(text), setting->most);
		return -EINVAL;
	}
	copy = strdup(text);
	if (copy == NULL) {
		mistake(place, "[%s] %s: out of memory", setting->section, setting->key);
		return -EINVAL;
	}
	free(*ret);
	*ret = copy;
	return 0;
}

static int set_path(const struct setting *setting, const char *text, const struct place *place, char **ret)
{
	if (text[0] != '\0' && text[0] != '/' && place->line > 0) {
		mistake(place, "[%s] %s = \"%s\" is no absolute path; it begins with /", setting->section, setting->key,
			text);
		return -EINVAL;
	}
	return set_text(setting, text, place, ret);
}

static bool is_port(const char *text)
{
	uint64_t port;

	return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0' && value_uint64(text, &port) == 0 &&
	       port <= 65535;
}

static bool is_listen(const char *text)
{
	const char *colon = strrchr(text, ':');
	unsigned char address[sizeof(struct in6_addr)];
	char host[64];
	size_t length;

	if (colon == NULL || !is_port(colon + 1))
		return false;
	length = (size_t)(colon - text);
	if (length >= sizeof(host))
		return false;
	memcpy(host, text, length);
	host[length] = '\0';
	if (host[0] != '[')
		return strcmp(host, "localhost") == 0 || inet_pton(AF_INET, host, address) == 1;
	if (host[length - 1] != ']')
		return false;
	host[length - 1] = '\0';
	return inet_pton(AF_INET6, host + 1, address) == 1;
}

static int set_listen(const struct setting *setting, const char *text, const struct place *place, char **ret)
{
	if (is_listen(text))
		return set_text(setting, text, place, ret);
	mistake(place,
		"[%s] %s = \"%s\" is not ADDR:PORT or [IPV6]:PORT with a numeric address or localhost and a port from "
		"0 to 65535",
		setting->section, setting->key, text);
	return -EINVAL;
}

static int set_value(const struct setting *setting, const char *text, const struct place *place, struct config *config)
{
	switch (setting->kind) {
	case KIND_DURATION:
		return set_duration(setting, text, place, field(setting, config));
	case KIND_COUNT:
		return set_count(setting, text, place, field(setting, config));
	case KIND_BOOL:
		return set_bool(setting, text, place, field(setting, config));
	case KIND_CHOICE:
		return set_choice(setting, text, place, field(setting, config));
	case KIND_LISTEN:
		return set_listen(setting, text, place, field(setting, config));
	default:
		return set_path(setting, text, place, field(setting, config));
	}
}

/* ---- the whole ---- */

static bool is_text(const struct setting *setting)
{
	return setting->kind == KIND_PATH || setting->kind == KIND_LISTEN;
}

void config_init(struct config *config)
{
	struct problems problems = { 0 };
	const struct place place = { .file = "defaults", .problems = &problems };
	size_t i;

	memset(config, 0, sizeof(*config));
	for (i = 0; i < SETTINGS; i++)
		set_value(&settings[i], settings[i].standard, &place, config);
	if (problems.count > 0)
		problems_print(&problems, stderr); /* a default out of bounds: the tests see it */
	problems_fini(&problems);
}

void config_fini(struct config *config)
{
	size_t i;

	for (i = 0; i < SETTINGS; i++) {
		char **text = field(&settings[i], config);

		if (!is_text(&settings[i]))
			continue;
		free(*text);
		*text = NULL;
	}
}

static const struct setting *find_setting(const char *section, const char *key)
{
	size_t i;

	for (i = 0; i < SETTINGS; i++)
		if (strcmp(settings[i].section, section) == 0 && strcmp(settings[i].key, key) == 0)
			return &settings[i];
	return NULL;
}

static bool is_section(const char *section)
{
	size_t i;

	for (i = 0; i < SETTINGS; i++)
		if (strcmp(settings[i].section, section) == 0)
			return true;
	return false;
}

/* Appends a name to a list "a, b, c". */
static void append_name(char *to, size_t size, const char *name)
{
	size_t length = strlen(to);

	snprintf(to + length, size - length, "%s%s", length > 0 ? ", " : "", name);
}

static size_t least3(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* How many letters must change to make one word of the other. */
static size_t word_distance(const char *a, const char *b)
{
	size_t row[64], b_length = strlen(b), i, j;

	if (b_length >= sizeof(row) / sizeof(row[0]))
		return b_length;
	for (j = 0; j <= b_length; j++)
		row[j] = j;
	for (i = 0; a[i] != '\0'; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (j = 1; j <= b_length; j++) {
			size_t above = row[j];

			row[j] = least3(above + 1, row[j - 1] + 1, diagonal + (a[i] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[b_length];
}

/* The name that was meant: of a key in that section, or of a section where that is NULL. NULL where none is near. */
static const char *nearest_name(const char *section, const char *name)
{
	const char *nearest = NULL;
	size_t least = 3, i; /* two slips of the finger */

	for (i = 0; i < SETTINGS; i++) {
		const char *candidate = section != NULL ? settings[i].key : settings[i].section;
		size_t distance;

		if (section != NULL && strcmp(settings[i].section, section) != 0)
			continue;
		distance = word_distance(name, candidate);
		if (distance < least) {
			least = distance;
			nearest = candidate;
		}
	}
	return nearest;
}

static void unknown_section(const char *section, const struct place *place)
{
	const char *near = nearest_name(NULL, section);
	char names[128] = "";
	size_t i;

	if (strncmp(section, "alert ", 6) == 0) {
		mistake(place, "[%s]: rules stand in files of their own, *.conf in rules_dir", section);
		return;
	}
	if (near != NULL) {
		mistake(place, "there is no section [%s]; did you mean [%s]?", section, near);
		return;
	}
	for (i = 0; i < SETTINGS; i++)
		if (i == 0 || strcmp(settings[i].section, settings[i - 1].section) != 0)
			append_name(names, sizeof(names), settings[i].section);
	mistake(place, "there is no section [%s]; the sections are %s", section, names);
}

static void unknown_key(const char *section, const char *key, const struct place *place)
{
	const char *near = nearest_name(section, key);
	char names[256] = "";
	size_t i;

	if (near != NULL) {
		mistake(place, "[%s] has no setting %s; did you mean %s?", section, key, near);
		return;
	}
	for (i = 0; i < SETTINGS; i++) {
		if (strcmp(settings[i].key, key) == 0) {
			mistake(place, "[%s] has no setting %s; it belongs to [%s]", section, key, settings[i].section);
			return;
		}
		if (strcmp(settings[i].section, section) == 0)
			append_name(names, sizeof(names), settings[i].key);
	}
	mistake(place, "[%s] has no setting %s; it has %s", section, key, names);
}

/* ---- settings that only make sense together ---- */

/* As value_duration() reads it, in the largest unit that leaves no rest: "90s", "5m". */
static const char *say_duration(uint64_t ns, char *to, size_t size)
{
	static const struct {
		const char *unit;
		uint64_t ns;
	} units[] = {
		{ "d", 86400000000000 }, { "h", 3600000000000 }, { "m", 60000000000 }, { "s", 1000000000 },
		{ "ms", 1000000 },       { "us", 1000 },         { "ns", 1 },
	};
	size_t i = 0;

	while (ns % units[i].ns != 0)
		i++;
	snprintf(to, size, "%llu%s", (unsigned long long)(ns / units[i].ns), units[i].unit);
	return to;
}

/* Times that are bound to the interval: from `least` to `most` of it (0: no bound). */
static const struct tie {
	const char *key;
	size_t offset;
	uint64_t least, most;
} ties[] = {
	{ "slow_interval", FIELD(slow_interval_ns), 1, 0 },
	{ "stale_after", FIELD(stale_after_ns), 2, 0 },
	{ "history", FIELD(history_ns), 10, 100000 },
};

/* The line of a setting; 0 where the file leaves it at its default. */
static int find_line(const struct ini_file *file, const char *section, const char *key)
{
	size_t i;

	for (i = 0; i < file->count; i++)
		if (file->entries[i].key != NULL && strcmp(file->entries[i].section, section) == 0 &&
		    strcmp(file->entries[i].key, key) == 0)
			return file->entries[i].line;
	return 0;
}

/* The line is that of the setting, or where only the interval stands in the file, of that. */
static void mistake_tied(const struct tie *tie, uint64_t ns, uint64_t times, uint64_t interval_ns,
			 const struct ini_file *file, struct problems *problems)
{
	int own_line = find_line(file, "sampler", tie->key);
	int line = own_line > 0 ? own_line : find_line(file, "sampler", "interval");
	char has[32], bound[32], interval[32];
	bool below = ns < times * interval_ns;

	problem_add(problems, file->name, line,
		    "[sampler] %s = %s%s is %s allowed %s, which is %llu × interval = %s; change one of the two",
		    tie->key, say_duration(ns, has, sizeof(has)), own_line > 0 ? "" : " (the default)",
		    below ? "below the least" : "above the most",
		    say_duration(times * interval_ns, bound, sizeof(bound)), (unsigned long long)times,
		    say_duration(interval_ns, interval, sizeof(interval)));
}

static void check_ties(const struct config *config, const struct ini_file *file, struct problems *problems)
{
	size_t i;

	for (i = 0; i < sizeof(ties) / sizeof(ties[0]); i++) {
		const struct tie *tie = &ties[i];
		uint64_t ns, interval_ns = config->interval_ns;

		memcpy(&ns, (const char *)config + tie->offset, sizeof(ns));
		if (ns < tie->least * interval_ns)
			mistake_tied(tie, ns, tie->least, interval_ns, file, problems);
		if (tie->most > 0 && ns > tie->most * interval_ns)
			mistake_tied(tie, ns, tie->most, interval_ns, file, problems);
	}
}

/* ---- the file ---- */

static bool is_quoted(const char *text)
{
	size_t length = strlen(text);

	return length >= 2 && (text[0] == '"' || text[0] == '\'') && text[length - 1] == text[0];
}

static void take_entry(const struct ini_entry *entry, const struct place *place, struct config *config)
{
	const struct setting *setting;

	if (entry->key == NULL) {
		if (!is_section(entry->section))
			unknown_section(entry->section, place);
		return;
	}
	if (!is_section(entry->section))
		return; /* told at its header */
	setting = find_setting(entry->section, entry->key);
	if (setting == NULL)
		unknown_key(entry->section, entry->key, place);
	else if (is_quoted(entry->value))
		mistake(place, "[%s] %s = %s: quotes would be a part of the value; write it without", entry->section,
			entry->key, entry->value);
	else
		set_value(setting, entry->value, place, config);
}

int config_read(const char *path, struct config *ret, struct problems *problems)
{
	struct place place = { .file = path, .problems = problems };
	size_t before = problems->count, i;
	struct ini_file file;
	int r = ini_file_read(path, &file, problems);

	for (i = 0; i < file.count; i++) {
		place.line = file.entries[i].line;
		take_entry(&file.entries[i], &place, ret);
	}
	if (problems->count == before)
		check_ties(ret, &file, problems);
	ini_file_fini(&file);
	return r < 0 ? r : problems->count > before ? -EINVAL : 0;
}

int config_set(struct config *config, const char *section, const char *key, const char *value, const char *where,
	       int line, struct problems *problems)
{
	const struct place place = { .file = where, .line = line, .problems = problems };
	const struct setting *setting = find_setting(section, key);

	if (setting == NULL) {
		if (is_section(section))
			unknown_key(section, key, &place);
		else
			unknown_section(section, &place);
		return -EINVAL;
	}
	return set_value(setting, value, &place, config);
}

static void print_help(const char *help, FILE *to)
{
	const char *end;

	for (; (end = strchr(help, '\n')) != NULL; help = end + 1)
		fprintf(to, "# %.*s\n", (int)(end - help), help);
	fprintf(to, "# %s\n", help);
}

void config_print_defaults(FILE *to)
{
	size_t i;

	fputs("# rocwatch.conf - settings of rocwatchd, each at its default. `rocwatchd --check-config` shows "
	      "mistakes.\n"
	      "#\n"
	      "# A comment has a line of its own. SIGHUP (systemctl reload rocwatchd) takes changes; with a mistake in "
	      "them the\n"
	      "# old settings stay in force.\n",
	      to);
	for (i = 0; i < SETTINGS; i++) {
		if (i == 0 || strcmp(settings[i].section, settings[i - 1].section) != 0)
			fprintf(to, "\n[%s]\n", settings[i].section);
		else
			fputs("\n", to);
		print_help(settings[i].help, to);
		if (settings[i].least != NULL)
			fprintf(to, "# From %s to %s.\n", settings[i].least, settings[i].most);
		fprintf(to, "#%s =%s%s\n", settings[i].key, settings[i].standard[0] != '\0' ? " " : "",
			settings[i].standard);
	}
}
