/* device - which GPU this is: found without reading a file, identified by its collector's thread. */
#ifndef COLLECTORS_DEVICE_H
#define COLLECTORS_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#define GPUS_MAX 128 /* 8 packages in 8 partitions, twice */

/* What exactly one of is true at a time. */
enum gpu_state { GPU_OK, GPU_SUSPENDED, GPU_HUNG, GPU_LOST, GPU_ERROR, GPU_STATES };

/* "ok", "suspended", "hung", "lost", "error". */
const char *gpu_state_name(enum gpu_state state);

/* PCI address "0000:c3:00.0" with its end. */
#define PCI_SIZE 16

/* A GPU as the PCI bus shows it: from names and links alone, which cannot hang. */
struct device_place {
	char pci[PCI_SIZE]; /* the key */
	int card;           /* N of /sys/class/drm/cardN, -1 unknown */
	int render;         /* N of /sys/class/drm/renderDN, -1 unknown */
	uint64_t node;      /* of its directory: a card that was away has another, with the same numbers too */
};

/* Identity, read once per attach by the collector's thread. Empty text or 0: unknown, and its label is left out. */
struct device_identity {
	char name[80];
	char unique_id[24];
	char serial[32];
	char vbios[48];
	char vram_vendor[16];
	uint32_t device_id;          /* PCI device id, e.g. 0x740f */
	uint32_t gfx_target_version; /* KFD's number, e.g. 90010 for gfx90a */
	uint32_t kfd_gpu_id;
	uint32_t compute_units;
	int32_t numa_node; /* -1 none */
	int32_t kfd_node;  /* -1 none */
};

/* Finds the GPUs of the amdgpu and radeon drivers, sorted by PCI address. `sysfs` is the root, "/sys". Returns how many
 * (at most `max`), or -errno. Reads directories and links only. */
int devices_scan(const char *sysfs, struct device_place *ret, size_t max);

/* Reads who the device is, from its own files and KFD's. May block for ever on a hung GPU: collector's thread only. */
void device_identify(const char *sysfs, const struct device_place *place, struct device_identity *ret);

#endif
