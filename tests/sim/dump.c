/* dump - see the header. */
#include "tests/sim/dump.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/sim/gpu.h"
#include "tests/sim/tree.h"

static bool is_directory(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* N of the first PREFIXN directory, or -1. */
static int numbered(const char *dir, const char *prefix)
{
	struct dirent *found;
	DIR *stream = opendir(dir);
	int number = -1;
	char rest;

	while (stream && number < 0 && (found = readdir(stream)))
		if (strncmp(found->d_name, prefix, strlen(prefix)) != 0 ||
		    sscanf(found->d_name + strlen(prefix), "%d%c", &number, &rest) != 1)
			number = -1;
	if (stream)
		closedir(stream);
	return number;
}

/* The line "KEY=value" or "KEY value" of a text; false if there is none. */
static bool line_of(const char *text, const char *key, char *ret, size_t size)
{
	const char *at = strstr(text, key);

	if (!at)
		return false;
	at += strlen(key) + 1;
	snprintf(ret, size, "%.*s", (int)strcspn(at, "\n"), at);
	return true;
}

/* Path of a device's file in the dump; some dumps have part of them at the top. */
static bool source_of(const struct gpu *gpu, const char *key, char *ret, size_t size)
{
	struct stat status;
	char device[2048], hwmon[2064];

	snprintf(device, sizeof(device), "%s/card%d/device", gpu->dump,
		 numbered(gpu->dump, "card"));
	snprintf(hwmon, sizeof(hwmon), "%s/hwmon", device);
	if (strncmp(key, "hwmon/", 6) == 0)
		snprintf(ret, size, "%s/hwmon%d/%s", hwmon, numbered(hwmon, "hwmon"), key + 6);
	else
		snprintf(ret, size, "%s/%s", device, key);
	if (stat(ret, &status) == 0 && S_ISREG(status.st_mode))
		return true;
	snprintf(ret, size, "%s/%s", gpu->dump, key);
	return !strchr(key, '/') && stat(ret, &status) == 0 && S_ISREG(status.st_mode);
}

static bool uevent_line(const struct gpu *gpu, const char *key, char *ret, size_t size)
{
	char path[PATH_MAX];
	struct text text = { 0 };
	bool found;

	if (!source_of(gpu, "uevent", path, sizeof(path)) || text_load(path, &text) < 0)
		return false;
	found = text.size && line_of(text.bytes, key, ret, size);
	text_fini(&text);
	return found;
}

/* Properties of the node that stands for the GPU. */
static void kfd_find(struct gpu *gpu)
{
	char path[PATH_MAX], value[32];
	struct text text;
	int i;

	for (i = 0; i < 16 && !gpu->dump_kfd; i++) {
		text = (struct text){ 0 };
		snprintf(path, sizeof(path), "%s/kfd/topology/nodes/%d/properties", gpu->dump, i);
		if (text_load(path, &text) == 0 && text.size &&
		    line_of(text.bytes, "simd_count", value, sizeof(value)) &&
		    strcmp(value, "0") != 0)
			gpu->dump_kfd = text_dup(text.bytes, text.size);
		text_fini(&text);
	}
}

int dump_open(struct gpu *gpu, const char *dir)
{
	char path[PATH_MAX], slot[64];

	gpu->dump = dir;
	gpu->card = numbered(dir, "card");
	if (gpu->card < 0) {
		fprintf(stderr, "rocwatch-sim: %s: %s\n", dir,
			is_directory(dir) ? "no cardN directory in it" : strerror(errno));
		return -ENOENT;
	}
	if (!uevent_line(gpu, "PCI_SLOT_NAME", slot, sizeof(slot)) ||
	    sscanf(slot, "%x:%x:%x.%x", &gpu->domain, &gpu->bus, &gpu->device, &gpu->function) !=
		    4) {
		fprintf(stderr, "rocwatch-sim: %s: card%d/device/uevent names no PCI_SLOT_NAME\n",
			dir, gpu->card);
		return -EINVAL;
	}
	snprintf(path, sizeof(path), "%s/card%d/device/hwmon", dir, gpu->card);
	gpu->hwmon = numbered(path, "hwmon");
	kfd_find(gpu);
	return 0;
}

static void records_below(struct gpu *gpu, const char *dir, const char *key, bool is_deep)
{
	char path[PATH_MAX], name[300];
	struct dirent *found;
	DIR *stream = opendir(dir);

	while (stream && (found = readdir(stream))) {
		if (*found->d_name == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, found->d_name);
		snprintf(name, sizeof(name), "%s%s%s", key, *key ? "/" : "", found->d_name);
		if (!is_directory(path) && (is_deep || !strchr(found->d_name, '.')))
			gpu_record(gpu, name);
		else if (is_deep && is_directory(path))
			records_below(gpu, path, name, true);
	}
	if (stream)
		closedir(stream);
}

void dump_records(struct gpu *gpu)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/card%d/device", gpu->dump, numbered(gpu->dump, "card"));
	records_below(gpu, path, "", true);
	records_below(gpu, gpu->dump, "", false);
	gpu_record(gpu, "device");
	gpu_record(gpu, "power/runtime_status");
}

/* What every device has and a dump may lack. */
static struct node *missing_file(struct gpu *gpu, const char *key, const char *path)
{
	char id[64];

	if (strcmp(key, "power/runtime_status") == 0) {
		struct node *node = tree_file(gpu->dir, path, "$status", 7);

		node->live = true;
		return node;
	}
	if (strcmp(key, "device") == 0 && uevent_line(gpu, "PCI_ID", id, sizeof(id)) &&
	    strchr(id, ':')) {
		char *c;

		for (c = id; *c; c++)
			*c |= *c >= 'A' && *c <= 'F' ? 0x20 : 0;
		return tree_text(gpu->dir, path, "0x%s", strchr(id, ':') + 1);
	}
	return NULL;
}

/* A second card of the same address was moved to another domain: its uevent must follow. */
static void uevent_move(const struct gpu *gpu, struct text *text)
{
	char *at = text->size ? strstr(text->bytes, "PCI_SLOT_NAME=") : NULL;

	if (at && strlen(at) >= 14 + strlen(gpu->bdf))
		memcpy(at + 14, gpu->bdf, strlen(gpu->bdf));
}

struct node *dump_file(struct gpu *gpu, const char *key, const char *path)
{
	struct text text = { 0 };
	char source[PATH_MAX];
	struct node *node = NULL;

	if (!gpu->dump)
		return NULL;
	if (!source_of(gpu, key, source, sizeof(source)))
		return missing_file(gpu, key, path);
	if (text_load(source, &text) == 0) {
		if (strcmp(key, "uevent") == 0)
			uevent_move(gpu, &text);
		node = tree_file(gpu->dir, path, text.bytes, text.size);
	}
	text_fini(&text);
	return node;
}

void dump_drm(struct gpu *gpu, struct node *card)
{
	static const char *const names[] = { "boot_display" };
	char path[PATH_MAX];
	struct text text;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		text = (struct text){ 0 };
		snprintf(path, sizeof(path), "%s/card%d/%s", gpu->dump, numbered(gpu->dump, "card"),
			 names[i]);
		if (text_load(path, &text) == 0)
			tree_file(card, names[i], text.bytes, text.size);
		text_fini(&text);
	}
}

const char *dump_driver(const struct gpu *gpu)
{
	char driver[32];

	return uevent_line(gpu, "DRIVER", driver, sizeof(driver)) && strcmp(driver, "radeon") == 0
		       ? "radeon"
		       : "amdgpu";
}
