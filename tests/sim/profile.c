/* profile - see the header. */
#include "tests/sim/profile.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/sim/text.h"

static int file_read(struct profile *profile, const char *dir, const char *name);

static struct setting *setting_find(const struct profile *profile, bool second, const char *kind,
				    const char *name)
{
	size_t i;

	for (i = profile->count; i-- > 0;) {
		struct setting *setting = &profile->settings[i];

		if (setting->second == second && strcmp(setting->kind, kind) == 0 &&
		    strcmp(setting->name, name) == 0)
			return setting;
	}
	return NULL;
}

static void setting_add(struct profile *profile, bool second, const char *kind, const char *name,
			const char *value)
{
	struct setting *setting = setting_find(profile, second, kind, name);

	if (setting) {
		free(setting->value);
	} else {
		profile->settings = realloc(profile->settings,
					    (profile->count + 1) * sizeof(*profile->settings));
		if (!profile->settings)
			abort();
		setting = &profile->settings[profile->count++];
		setting->second = second;
		setting->kind = text_dup(kind, strlen(kind));
		setting->name = text_dup(name, strlen(name));
	}
	setting->value = text_dup(value, strlen(value));
	setting->value_size = text_unescape(setting->value);
}

static void setting_drop(struct profile *profile, const char *kind, const char *name)
{
	struct setting *setting = setting_find(profile, false, kind, name);

	if (!setting)
		return;
	free(setting->kind);
	free(setting->name);
	free(setting->value);
	profile->count--;
	memmove(setting, setting + 1,
		(char *)(profile->settings + profile->count) - (char *)setting);
}

/* "second" KIND NAME = VALUE, "drop" KIND NAME, "include" FILE; 0 or -EINVAL. */
static int line_read(struct profile *profile, const char *dir, char *line)
{
	char *equals = strchr(line, '='), *words = line, *first, *name, *value = "";
	bool second = false;

	if (equals) {
		*equals = '\0';
		value = text_trim(equals + 1);
	}
	first = text_word(&words);
	if (!first)
		return -EINVAL;
	name = text_word(&words);
	if (!equals && name && strcmp(first, "include") == 0)
		return file_read(profile, dir, name);
	if (!equals && name && strcmp(first, "drop") == 0) {
		words = text_trim(words);
		setting_drop(profile, name, words);
		return 0;
	}
	if (!equals)
		return -EINVAL;
	if (name && strcmp(first, "second") == 0) {
		second = true;
		first = name;
		name = text_word(&words);
	}
	setting_add(profile, second, name ? first : "", name ? name : first, value);
	return text_word(&words) ? -EINVAL : 0;
}

static int file_read(struct profile *profile, const char *dir, const char *name)
{
	char path[PATH_MAX], *line, *rest;
	struct text text = { 0 };
	int r, number = 0;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	r = text_load(path, &text);
	if (r < 0) {
		fprintf(stderr, "rocwatch-sim: %s: %s\n", path, strerror(-r));
		return r;
	}
	rest = text.bytes;
	while (r == 0 && (line = strsep(&rest, "\n"))) {
		number++;
		line = text_trim(line);
		if (!*line || *line == '#')
			continue;
		r = line_read(profile, dir, line);
		if (r == -EINVAL)
			fprintf(stderr, "rocwatch-sim: %s:%d: not a line of a profile\n", path,
				number);
	}
	text_fini(&text);
	return r;
}

struct profile *profile_read(const char *dir, const char *name)
{
	struct profile *profile = text_zalloc(sizeof(*profile));
	char file[128];

	snprintf(profile->name, sizeof(profile->name), "%s", name);
	snprintf(file, sizeof(file), "%s.profile", profile->name);
	if (strchr(name, '/') || file_read(profile, dir, file) < 0) {
		profile_free(profile);
		return NULL;
	}
	return profile;
}

void profile_free(struct profile *profile)
{
	size_t i;

	if (!profile)
		return;
	for (i = 0; i < profile->count; i++) {
		free(profile->settings[i].kind);
		free(profile->settings[i].name);
		free(profile->settings[i].value);
	}
	free(profile->settings);
	free(profile);
}

const struct setting *profile_find(const struct profile *profile, bool second, const char *kind,
				   const char *name)
{
	const struct setting *setting = second ? setting_find(profile, true, kind, name) : NULL;

	return setting ? setting : setting_find(profile, false, kind, name);
}

const char *profile_text(const struct profile *profile, const char *kind, const char *name,
			 const char *otherwise)
{
	const struct setting *setting = profile ? setting_find(profile, false, kind, name) : NULL;

	return setting ? setting->value : otherwise;
}

double profile_number(const struct profile *profile, const char *kind, const char *name,
		      double otherwise)
{
	const char *text = profile_text(profile, kind, name, NULL);

	return text ? strtod(text, NULL) : otherwise;
}

static int name_order(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void describe(const char *dir, char *file)
{
	struct profile *profile;

	*strrchr(file, '.') = '\0';
	profile = profile_read(dir, file);
	if (profile)
		printf("%-14s %s\n", file, profile_text(profile, "", "description", ""));
	profile_free(profile);
	free(file);
}

int profile_list(const char *dir)
{
	char *names[256];
	size_t count = 0, i;
	struct dirent *found;
	DIR *stream = opendir(dir);

	if (!stream)
		return -errno;
	while ((found = readdir(stream)) && count < sizeof(names) / sizeof(names[0])) {
		const char *end = strrchr(found->d_name, '.');

		if (end && strcmp(end, ".profile") == 0)
			names[count++] = text_dup(found->d_name, strlen(found->d_name));
	}
	closedir(stream);
	qsort(names, count, sizeof(names[0]), name_order);
	for (i = 0; i < count; i++)
		describe(dir, names[i]);
	return 0;
}

const char *profile_dir(const char *given)
{
	static const char *const beside[] = { "../tests/sim/profiles",
					      "../share/rocwatch-sim/profiles" };
	static char path[PATH_MAX + 64];
	char self[PATH_MAX];
	ssize_t size;
	size_t i;

	if (!given)
		given = getenv("ROCWATCH_SIM_PROFILES");
	if (given)
		return given;
	size = readlink("/proc/self/exe", self, sizeof(self) - 1);
	self[size > 0 ? size : 0] = '\0';
	if (strrchr(self, '/'))
		*strrchr(self, '/') = '\0';
	for (i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", self, beside[i]);
		if (access(path, R_OK) == 0)
			return path;
	}
	return "tests/sim/profiles";
}
