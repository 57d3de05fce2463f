/* host - see the header. */
#include "tests/sim/host.h"

#include <stdio.h>
#include <string.h>

#include "tests/sim/machine.h"
#include "tests/sim/text.h"
#include "tests/sim/tree.h"

#define DRM_MAJOR 226

/* The host's own CPU lists: programs size their tables by them. */
static void cpus(struct node *root)
{
	static const char *const lists[] = { "online", "possible", "present" };
	struct text text;
	char path[96];
	size_t i;

	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		text = (struct text){ 0 };
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/%s", lists[i]);
		if (text_load(path, &text) == 0)
			tree_file(root, path + 5, text.bytes, text.size);
		text_fini(&text);
	}
}

static void hwmon(struct node *root, int number, const char *device, const char *name, int mdeg)
{
	char path[128];
	struct node *dir;

	snprintf(path, sizeof(path), "%s/hwmon/hwmon%d", device, number);
	dir = tree_dir(root, path);
	tree_text(dir, "name", "%s", name);
	tree_text(dir, "temp1_input", "%d", mdeg);
	tree_text(dir, "temp1_label", "%s", "Tctl");
	tree_link(dir, "device", dir->parent->parent);
	snprintf(path, sizeof(path), "class/hwmon/hwmon%d", number);
	tree_link(root, path, dir);
}

static void modules(struct node *root)
{
	struct node *amdgpu = tree_dir(root, "module/amdgpu");

	tree_text(amdgpu, "initstate", "live");
	tree_text(amdgpu, "refcnt", "%d", 12);
	tree_text(amdgpu, "version", "6.12.12");
	tree_text(amdgpu, "srcversion", "D1C7A05E3FB94CF0A2E8A3B");
	tree_dir(amdgpu, "parameters");
	tree_link(amdgpu, "drivers/pci:amdgpu", tree_dir(root, "bus/pci/drivers/amdgpu"));
	tree_link(root, "bus/pci/drivers/amdgpu/module", amdgpu);
}

void host_build(struct machine *machine)
{
	static const char *const directories[] = {
		"block",
		"bus/pci/devices",
		"bus/event_source/devices",
		"bus/platform/devices",
		"class/drm",
		"class/hwmon",
		"class/power_supply",
		"class/net",
		"dev/char",
		"devices/platform",
		"firmware",
		"fs/cgroup",
		"kernel/debug",
		"power",
	};
	struct node *root = machine->root;
	size_t i;

	for (i = 0; i < sizeof(directories) / sizeof(directories[0]); i++)
		tree_dir(root, directories[i]);
	tree_text(root, "class/drm/version", "drm 1.1.0 20060810");
	cpus(root);
	modules(root);
	tree_link(root, "class/kfd/kfd", tree_dir(root, "devices/virtual/kfd/kfd"));
}

void host_hwmons(struct machine *machine)
{
	static const struct {
		const char *device, *name;
		int mdeg;
	} sensors[HOST_HWMONS] = {
		{ "devices/pci0000:00/0000:00:18.3", "k10temp", 41250 },
		{ "devices/pci0000:00/0000:00:1d.0/0000:1f:00.0/nvme/nvme0", "nvme", 36850 },
	};
	int i, number = 0;

	for (i = 0; i < HOST_HWMONS; i++, number++) {
		while (machine_hwmon_taken(machine, NULL, number))
			number++;
		machine->host_hwmon[i] = number;
		hwmon(machine->root, number, sensors[i].device, sensors[i].name, sensors[i].mdeg);
	}
}

struct node *host_pci(struct machine *machine, unsigned int domain, unsigned int bus,
		      const char *bdf)
{
	unsigned int first = bus & 0xe0, depth = bus - first > 2 ? 2 : 0, i;
	struct node *node;
	char path[64];

	snprintf(path, sizeof(path), "devices/pci%04x:%02x/%04x:%02x:%02x.1", domain, first, domain,
		 first, bus - first > 0 ? (bus - first) % 32 : 1);
	node = tree_dir(machine->root, path);
	for (i = 0; i <= depth; i++) { /* root port, then the card's own switch */
		if (i > 0) {
			snprintf(path, sizeof(path), "%04x:%02x:00.0", domain, bus - 3 + i);
			node = tree_dir(node, path);
		}
		tree_text(node, "class", "0x060400");
		tree_text(node, "vendor", i > 0 ? "0x1002" : "0x1022");
		tree_text(node, "current_link_width", "16");
	}
	return tree_dir(node, bdf);
}

struct node *host_drm(struct machine *machine, struct node *device, const char *name, int minor)
{
	struct node *dir, *class = tree_dir(machine->root, "class/drm");
	char path[64];

	snprintf(path, sizeof(path), "drm/%s", name);
	dir = tree_dir(device, path);
	tree_text(dir, "dev", "%d:%d", DRM_MAJOR, minor);
	tree_text(dir, "uevent", "MAJOR=%d\nMINOR=%d\nDEVNAME=dri/%s\nDEVTYPE=drm_minor", DRM_MAJOR,
		  minor, name);
	tree_link(dir, "device", device);
	tree_link(dir, "subsystem", class);
	return tree_link(class, name, dir);
}

void host_display(struct machine *machine)
{
	static const char bdf[] = "0000:02:00.0";
	struct node *root = machine->root, *dir, *connector;
	char name[32];
	int card = 0;

	while (machine_card_taken(machine, NULL, card, 1))
		card++;
	machine->display_card = card;
	dir = tree_dir(root, "devices/pci0000:00/0000:00:1c.0/0000:02:00.0");
	tree_text(dir, "vendor", "0x1a03");
	tree_text(dir, "device", "0x2000");
	tree_text(dir, "class", "0x030000");
	tree_text(dir, "revision", "0x52");
	tree_text(dir, "uevent", "DRIVER=ast\nPCI_CLASS=30000\nPCI_ID=1A03:2000\nPCI_SLOT_NAME=%s",
		  bdf);
	tree_link(dir, "driver", tree_dir(root, "bus/pci/drivers/ast"));
	tree_link(dir, "subsystem", tree_dir(root, "bus/pci"));
	tree_link(root, "bus/pci/devices/0000:02:00.0", dir);
	tree_link(root, "bus/pci/drivers/ast/0000:02:00.0", dir);
	snprintf(name, sizeof(name), "card%d", card);
	host_drm(machine, dir, name, card);
	connector = tree_child(tree_child(dir, "drm"), name);
	snprintf(name, sizeof(name), "card%d-VGA-1", card);
	connector = tree_dir(connector, name);
	tree_text(connector, "status", "disconnected");
	tree_link(tree_dir(root, "class/drm"), name, connector);
}
