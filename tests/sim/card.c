/* card - see the header. */
#include "tests/sim/card.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/dump.h"
#include "tests/sim/gpu.h"
#include "tests/sim/host.h"
#include "tests/sim/machine.h"
#include "tests/sim/profile.h"
#include "tests/sim/tree.h"

static void own(struct gpu *gpu, struct node *node)
{
	gpu->owned = realloc(gpu->owned, (gpu->owned_count + 1) * sizeof(node));
	if (!gpu->owned)
		abort();
	gpu->owned[gpu->owned_count++] = node;
}

/* Where a file really lies: "hwmon/x" is "hwmon/hwmonN/x". */
static void place_of(const struct gpu *gpu, const char *key, char *ret, size_t size)
{
	if (strncmp(key, "hwmon/", 6) == 0)
		snprintf(ret, size, "hwmon/hwmon%d/%s", gpu->hwmon, key + 6);
	else
		snprintf(ret, size, "%s", key);
}

bool card_has(const struct gpu *gpu, const struct record *record)
{
	char path[300];

	place_of(gpu, record->key, path, sizeof(path));
	return gpu->present && gpu->dir && tree_find(gpu->dir, path);
}

/* One file as the profile or the dump has it. */
static struct node *file_make(struct gpu *gpu, const char *key)
{
	const struct setting *setting = NULL;
	struct node *node;
	char path[300];

	place_of(gpu, key, path, sizeof(path));
	if (gpu->profile)
		setting = profile_find(gpu->profile, gpu_is_second(gpu), "file", key);
	if (!setting)
		return dump_file(gpu, key, path);
	node = tree_file(gpu->dir, path, setting->value, setting->value_size);
	node->live = true;
	return node;
}

void card_apply(struct gpu *gpu, struct record *record)
{
	struct node *node;
	char path[300];

	if (!gpu->present)
		return;
	place_of(gpu, record->key, path, sizeof(path));
	node = tree_find(gpu->dir, path);
	if (record->deleted) {
		if (node)
			tree_remove(node);
		return;
	}
	if (!node)
		node = file_make(gpu, record->key);
	if (record->pinned && !node) {
		node = tree_file(gpu->dir, path, "", 0);
		record->created = true;
	}
	if (node && !record->pinned && record->created) {
		tree_remove(node);
		record->created = false;
		return;
	}
	if (node)
		node->record = record;
}

static void files_build(struct gpu *gpu)
{
	struct record *record;
	size_t i;

	for (i = 0; gpu->profile && i < gpu->profile->count; i++)
		if (strcmp(gpu->profile->settings[i].kind, "file") == 0)
			gpu_record(gpu, gpu->profile->settings[i].name);
	if (gpu->dump)
		dump_records(gpu);
	for (record = gpu->records; record; record = record->next)
		card_apply(gpu, record);
}

static void connectors_build(struct machine *machine, struct gpu *gpu, struct node *card)
{
	const char *names = profile_text(gpu->profile, "", "connectors",
					 gpu->dump ? "DP-1 HDMI-A-1" : "");
	char copy[128], *words = copy, *word, name[160];
	struct node *dir;

	snprintf(copy, sizeof(copy), "%s", names);
	while ((word = text_word(&words))) {
		snprintf(name, sizeof(name), "card%d-%s", gpu->card, word);
		dir = tree_dir(card, name);
		tree_text(dir, "status", "disconnected");
		tree_text(dir, "enabled", "disabled");
		tree_text(dir, "dpms", "Off");
		tree_link(dir, "device", card);
		own(gpu, tree_link(tree_dir(machine->root, "class/drm"), name, dir));
	}
}

static struct node *drm_build(struct machine *machine, struct gpu *gpu, struct node *device,
			      int partition)
{
	char name[32], path[64];

	snprintf(name, sizeof(name), "renderD%d", gpu->minor + partition);
	own(gpu, host_drm(machine, device, name, gpu->minor + partition));
	snprintf(name, sizeof(name), "card%d", gpu->card + partition);
	own(gpu, host_drm(machine, device, name, gpu->card + partition));
	snprintf(path, sizeof(path), "drm/%s", name);
	return tree_find(device, path);
}

/* Partitions but the first are platform devices with nothing but drm minors. */
static void partition_build(struct machine *machine, struct gpu *gpu, int partition)
{
	struct node *dir, *root = machine->root;
	int number = 0, i;
	char path[64];

	for (i = 0; i < gpu->index; i++)
		number += machine->gpus[i]->partitions - 1;
	number += partition - 1;
	snprintf(path, sizeof(path), "devices/platform/amdgpu_xcp_%d", number);
	dir = tree_dir(root, path);
	tree_text(dir, "uevent", "MODALIAS=platform:amdgpu_xcp");
	tree_text(dir, "modalias", "platform:amdgpu_xcp");
	tree_text(dir, "driver_override", "(null)");
	tree_text(dir, "power/runtime_status", "unsupported");
	tree_link(dir, "subsystem", tree_dir(root, "bus/platform"));
	own(gpu, dir);
	snprintf(path, sizeof(path), "bus/platform/devices/amdgpu_xcp_%d", number);
	own(gpu, tree_link(root, path, dir));
	drm_build(machine, gpu, dir, partition);
}

static void hwmon_build(struct machine *machine, struct gpu *gpu)
{
	struct node *dir;
	char path[64];

	snprintf(path, sizeof(path), "hwmon/hwmon%d", gpu->hwmon);
	dir = tree_find(gpu->dir, path);
	if (!dir)
		return;
	tree_link(dir, "device", gpu->dir);
	tree_link(dir, "subsystem", tree_dir(machine->root, "class/hwmon"));
	snprintf(path, sizeof(path), "class/hwmon/hwmon%d", gpu->hwmon);
	own(gpu, tree_link(machine->root, path, dir));
}

static void bus_build(struct machine *machine, struct gpu *gpu)
{
	const char *driver = gpu->dump ? dump_driver(gpu) : "amdgpu";
	struct node *root = machine->root;
	char path[64];

	snprintf(path, sizeof(path), "bus/pci/drivers/%s", driver);
	tree_link(gpu->dir, "driver", tree_dir(root, path));
	tree_link(gpu->dir, "subsystem", tree_dir(root, "bus/pci"));
	snprintf(path, sizeof(path), "bus/pci/drivers/%s/%s", driver, gpu->bdf);
	own(gpu, tree_link(root, path, gpu->dir));
	snprintf(path, sizeof(path), "bus/pci/devices/%s", gpu->bdf);
	own(gpu, tree_link(root, path, gpu->dir));
}

static void tag(struct node *node, struct gpu *gpu)
{
	node->gpu = gpu;
	for (node = node->child; node; node = node->next)
		tag(node, gpu);
}

void card_build(struct machine *machine, struct gpu *gpu)
{
	struct node *card;
	int partition;

	gpu->dir = host_pci(machine, gpu->domain, gpu->bus, gpu->bdf);
	gpu->dir->gpu = gpu;
	files_build(gpu);
	hwmon_build(machine, gpu);
	bus_build(machine, gpu);
	card = drm_build(machine, gpu, gpu->dir, 0);
	connectors_build(machine, gpu, card);
	if (gpu->dump)
		dump_drm(gpu, card);
	for (partition = 1; partition < gpu->partitions; partition++)
		partition_build(machine, gpu, partition);
	tag(gpu->dir, gpu);
	own(gpu, gpu->dir);
}

void card_remove(struct gpu *gpu)
{
	size_t i;

	for (i = 0; i < gpu->owned_count; i++)
		tree_remove(gpu->owned[i]);
	gpu->owned_count = 0;
	gpu->dir = NULL;
}
