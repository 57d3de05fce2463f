/* device - see the header. Scanning follows names and links only; identifying reads files. */
#include "collectors/device.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/sysfs.h"
#include "config/value.h"

const char *gpu_state_name(enum gpu_state state)
{
	static const char *const names[GPU_STATES] = {
		[GPU_OK] = "ok",     [GPU_SUSPENDED] = "suspended", [GPU_HUNG] = "hung",
		[GPU_LOST] = "lost", [GPU_ERROR] = "error",
	};

	return names[state];
}

/* "0000:c3:00.0": hexadecimal digits, two colons, a dot. */
static bool is_pci_address(const char *name)
{
	unsigned int domain, bus, slot, function;
	int end = 0;

	return sscanf(name, "%x:%2x:%2x.%1x%n", &domain, &bus, &slot, &function, &end) == 4 && name[end] == '\0' &&
	       end < PCI_SIZE;
}

/* The PCI addresses that a driver has taken, appended to `ret`. */
static size_t scan_driver(const char *sysfs, const char *driver, struct device_place *ret, size_t n, size_t max)
{
	char path[256];
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/bus/pci/drivers/%s", sysfs, driver);
	dir = opendir(path);
	if (dir == NULL)
		return n;
	while (n < max && (entry = readdir(dir)) != NULL) {
		if (!is_pci_address(entry->d_name))
			continue;
		memset(&ret[n], 0, sizeof(ret[n]));
		snprintf(ret[n].pci, sizeof(ret[n].pci), "%.15s", entry->d_name);
		n++;
	}
	closedir(dir);
	return n;
}

static int by_pci(const void *a, const void *b)
{
	return strcmp(((const struct device_place *)a)->pci, ((const struct device_place *)b)->pci);
}

int devices_scan(const char *sysfs, struct device_place *ret, size_t max)
{
	size_t n = scan_driver(sysfs, "amdgpu", ret, 0, max);
	size_t i;

	n = scan_driver(sysfs, "radeon", ret, n, max);
	qsort(ret, n, sizeof(*ret), by_pci);
	for (i = 0; i < n; i++) {
		struct stat st;
		char path[256];
		int fd;

		snprintf(path, sizeof(path), "%s/bus/pci/devices/%s", sysfs, ret[i].pci);
		fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
		ret[i].card = fd < 0 ? -1 : sysfs_find_numbered(fd, "drm", "card");
		ret[i].render = fd < 0 ? -1 : sysfs_find_numbered(fd, "drm", "renderD");
		ret[i].node = fd >= 0 && fstat(fd, &st) == 0 ? (uint64_t)st.st_ino : 0;
		if (fd >= 0)
			close(fd);
	}
	return (int)n;
}

/* The value of one line "name value" in a KFD properties file. */
static bool property(const char *text, const char *name, uint64_t *ret)
{
	size_t length = strlen(name);

	for (; text != NULL; text = strchr(text, '\n')) {
		char number[24];

		text += *text == '\n';
		if (strncmp(text, name, length) != 0 || text[length] != ' ')
			continue;
		snprintf(number, sizeof(number), "%.*s", (int)strcspn(text + length + 1, "\n"), text + length + 1);
		return value_uint64(number, ret) == 0;
	}
	return false;
}

/* location_id of KFD: bus << 8 | device << 3 | function. */
static uint64_t location_of(const char *pci, uint64_t *ret_domain)
{
	unsigned int domain = 0, bus = 0, slot = 0, function = 0;

	sscanf(pci, "%x:%x:%x.%x", &domain, &bus, &slot, &function);
	*ret_domain = domain;
	return bus << 8 | slot << 3 | function;
}

static bool identify_kfd_node(int nodes, int node, const struct device_place *place, struct device_identity *ret)
{
	uint64_t domain, location = location_of(place->pci, &domain), got, simds = 0, per_cu = 0;
	char path[64], text[4096];
	int64_t gpu_id;

	snprintf(path, sizeof(path), "%d/properties", node);
	if (sysfs_text(nodes, path, text, sizeof(text)) < 0 || !property(text, "location_id", &got) ||
	    got != location || (property(text, "domain", &got) && got != domain))
		return false;
	snprintf(path, sizeof(path), "%d/gpu_id", node);
	if (sysfs_int64(nodes, path, &gpu_id) < 0 || gpu_id == 0)
		return false;
	ret->kfd_gpu_id = (uint32_t)gpu_id;
	ret->kfd_node = node;
	if (property(text, "gfx_target_version", &got))
		ret->gfx_target_version = (uint32_t)got;
	if (property(text, "simd_count", &simds) && property(text, "simd_per_cu", &per_cu) && per_cu > 0)
		ret->compute_units = (uint32_t)(simds / per_cu);
	return true;
}

static void identify_kfd(const char *sysfs, const struct device_place *place, struct device_identity *ret)
{
	char path[256];
	int node, nodes;

	snprintf(path, sizeof(path), "%s/class/kfd/kfd/topology/nodes", sysfs);
	nodes = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (nodes < 0)
		return;
	/* Node numbers have no gaps; a removed GPU may leave one for a moment. */
	for (node = 0; node < 2 * GPUS_MAX; node++)
		if (identify_kfd_node(nodes, node, place, ret))
			break;
	close(nodes);
}

static void identify_text(int dir, const char *file, char *to, size_t size)
{
	char text[4096];

	/* "unknown" is what the driver writes for a memory vendor that it does not know. */
	if (sysfs_text(dir, file, text, sizeof(text)) < 0 || strcmp(text, "unknown") == 0)
		return;
	snprintf(to, size, "%.*s", (int)(size - 1), text);
}

void device_identify(const char *sysfs, const struct device_place *place, struct device_identity *ret)
{
	char path[256];
	int64_t number;
	int dir;

	memset(ret, 0, sizeof(*ret));
	ret->numa_node = ret->kfd_node = -1;
	snprintf(path, sizeof(path), "%s/bus/pci/devices/%s", sysfs, place->pci);
	dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return;
	identify_text(dir, "product_name", ret->name, sizeof(ret->name));
	identify_text(dir, "unique_id", ret->unique_id, sizeof(ret->unique_id));
	identify_text(dir, "serial_number", ret->serial, sizeof(ret->serial));
	identify_text(dir, "vbios_version", ret->vbios, sizeof(ret->vbios));
	identify_text(dir, "mem_info_vram_vendor", ret->vram_vendor, sizeof(ret->vram_vendor));
	if (sysfs_int64(dir, "device", &number) == 0 && number > 0)
		ret->device_id = (uint32_t)number;
	if (sysfs_int64(dir, "numa_node", &number) == 0 && number >= 0 && number < 1024)
		ret->numa_node = (int32_t)number;
	close(dir);
	identify_kfd(sysfs, place, ret);
}
