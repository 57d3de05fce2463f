/* source_rocm_smi - librocm_smi64 by dlopen, 5.x to 7.x, for what it answers safely.
 *
 * Prototypes are our own: the library's headers differ between versions that share a SONAME, and its structs change
 * size. So only scalar calls are used here, and none of those that
 *  - read the gpu_metrics table (energy, utilization counters, HBM temperatures, gpu_metrics itself): 5.2.3 aborts on
 *    tables from 1.4 on, from 6.0 on two threads corrupt each other;
 *  - fill a struct whose layout moved (clock and PCIe lists);
 *  - parse RAS files (ecc_count: 5.2.3 aborts on a third line; "Query currently inaccessible" is read as numbers);
 *  - from 6.0 on read memory use, which opens /dev/kfd where it finds zeros;
 *  - sleep (pcie throughput), clear what they read (xgmi error), or wake a GPU (market name).
 * The simple getters are safe from several threads on several GPUs in all versions (measured, 5.2.3 to 7.8).
 * A 0 that the library also gives for a failed read is confirmed by the driver's own file.
 *
 * It caches card and hwmon numbers at initialisation: after a driver reload it answers with another GPU's values.
 * begin() and still_same() look at where its path leads, before and after a pass. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/source.h"
#include "collectors/sysfs.h"

#define INIT_THREAD_ONLY_MUTEX 0x0400000000000000u /* from 6.2 on: no lock shared with other processes */

enum { SMI_SUCCESS = 0, SMI_NOT_SUPPORTED = 2, SMI_PERMISSION = 4, SMI_BUSY = 16 };
enum { SMI_TEMP_CURRENT = 0, SMI_TEMP_CRITICAL = 5, SMI_TEMP_EMERGENCY = 7 };

static struct {
	int (*init)(uint64_t flags);
	int (*num_monitor_devices)(uint32_t *ret);
	int (*dev_pci_id_get)(uint32_t index, uint64_t *ret);
	int (*dev_unique_id_get)(uint32_t index, uint64_t *ret);
	int (*dev_busy_percent_get)(uint32_t index, uint32_t *ret);
	int (*dev_memory_busy_percent_get)(uint32_t index, uint32_t *ret);
	int (*dev_memory_total_get)(uint32_t index, int type, uint64_t *ret);
	int (*dev_memory_usage_get)(uint32_t index, int type, uint64_t *ret);
	int (*dev_temp_metric_get)(uint32_t index, uint32_t sensor, int metric, int64_t *ret);
	int (*dev_power_ave_get)(uint32_t index, uint32_t sensor, uint64_t *ret);
	int (*dev_current_socket_power_get)(uint32_t index, uint64_t *ret);
	int (*dev_power_cap_get)(uint32_t index, uint32_t sensor, uint64_t *ret);
	int (*dev_power_cap_default_get)(uint32_t index, uint64_t *ret);
	int (*dev_power_cap_range_get)(uint32_t index, uint32_t sensor, uint64_t *ret_max, uint64_t *ret_min);
	int (*dev_fan_rpms_get)(uint32_t index, uint32_t sensor, int64_t *ret);
	int (*dev_fan_speed_get)(uint32_t index, uint32_t sensor, int64_t *ret);
	int (*dev_fan_speed_max_get)(uint32_t index, uint32_t sensor, uint64_t *ret);
	int (*dev_pci_replay_counter_get)(uint32_t index, uint64_t *ret);
	int (*version_get)(void *version);
	void *since_6_0; /* rsmi_dev_activity_metric_get: there from 6.0 on */
} smi;

static const struct {
	const char *name;
	void *slot;
	bool required;
} symbols[] = {
	{ "rsmi_init", &smi.init, true },
	{ "rsmi_num_monitor_devices", &smi.num_monitor_devices, true },
	{ "rsmi_dev_pci_id_get", &smi.dev_pci_id_get, true },
	{ "rsmi_dev_unique_id_get", &smi.dev_unique_id_get, false },
	{ "rsmi_dev_busy_percent_get", &smi.dev_busy_percent_get, false },
	{ "rsmi_dev_memory_busy_percent_get", &smi.dev_memory_busy_percent_get, false },
	{ "rsmi_dev_memory_total_get", &smi.dev_memory_total_get, false },
	{ "rsmi_dev_memory_usage_get", &smi.dev_memory_usage_get, false },
	{ "rsmi_dev_temp_metric_get", &smi.dev_temp_metric_get, false },
	{ "rsmi_dev_power_ave_get", &smi.dev_power_ave_get, false },
	{ "rsmi_dev_current_socket_power_get", &smi.dev_current_socket_power_get, false },
	{ "rsmi_dev_power_cap_get", &smi.dev_power_cap_get, false },
	{ "rsmi_dev_power_cap_default_get", &smi.dev_power_cap_default_get, false },
	{ "rsmi_dev_power_cap_range_get", &smi.dev_power_cap_range_get, false },
	{ "rsmi_dev_fan_rpms_get", &smi.dev_fan_rpms_get, false },
	{ "rsmi_dev_fan_speed_get", &smi.dev_fan_speed_get, false },
	{ "rsmi_dev_fan_speed_max_get", &smi.dev_fan_speed_max_get, false },
	{ "rsmi_dev_pci_replay_counter_get", &smi.dev_pci_replay_counter_get, false },
	{ "rsmi_version_get", &smi.version_get, false },
	{ "rsmi_dev_activity_metric_get", &smi.since_6_0, false },
};

/* One GPU as the library sees it. */
struct smi_gpu {
	uint32_t index;
	int dir; /* the PCI device, for confirming a 0 */
	char pci[PCI_SIZE];
	char seen_as[2]
		    [96]; /* /sys/class/drm/cardN and renderDN as they were: where the library's paths lead through */
	bool has_current_power;
};

/* ---- loading ---- */

static void *open_library(const char *configured, struct board_library *ret)
{
	static const char *const names[] = { "/opt/rocm/lib/librocm_smi64.so", "librocm_smi64.so.7",
					     "librocm_smi64.so.6", "librocm_smi64.so.5", "librocm_smi64.so.1" };
	size_t i;

	if (configured[0] != '\0') {
		void *handle = dlopen(configured, RTLD_NOW | RTLD_LOCAL);

		if (handle == NULL)
			snprintf(ret->why, sizeof(ret->why), "%.150s", dlerror());
		return handle;
	}
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		void *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);

		if (handle != NULL)
			return handle;
	}
	snprintf(ret->why, sizeof(ret->why), "librocm_smi64 was not found; install ROCm SMI or set rocm_smi_library");
	return NULL;
}

static bool find_symbols(void *handle, struct board_library *ret)
{
	size_t i;

	for (i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		void *symbol = dlsym(handle, symbols[i].name);

		if (symbol == NULL && symbols[i].required) {
			snprintf(ret->why, sizeof(ret->why), "it has no %s", symbols[i].name);
			return false;
		}
		memcpy(symbols[i].slot, &symbol, sizeof(symbol));
	}
	return true;
}

/* The file that was really loaded, and what it says of its version (which tells little, but is what people know). */
static void describe_library(struct board_library *ret)
{
	struct {
		uint32_t major, minor, patch;
		const char *build;
	} version = { 0 };
	Dl_info where;
	char *real;

	if (dladdr((void *)smi.init, &where) != 0 && where.dli_fname != NULL) {
		real = realpath(where.dli_fname, NULL);
		snprintf(ret->path, sizeof(ret->path), "%s", real != NULL ? real : where.dli_fname);
		free(real);
	}
	if (smi.version_get != NULL && smi.version_get(&version) == SMI_SUCCESS)
		snprintf(ret->version, sizeof(ret->version), "%u.%u.%u", version.major, version.minor, version.patch);
}

/* Nothing in the environment may turn on its debugging or logging. */
static void scrub_environment(void)
{
	extern char **environ;
	char **variable = environ;

	while (variable != NULL && *variable != NULL) {
		char name[64];

		if (strncmp(*variable, "RSMI_", 5) != 0) {
			variable++;
			continue;
		}
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(*variable, "="), *variable);
		unsetenv(name);
		variable = environ;
	}
	setenv("RSMI_MUTEX_THREAD_ONLY", "1", 1);
}

int source_rocm_smi_load(const struct board_settings *settings, struct board_library *ret)
{
	uint32_t count = 0;
	void *handle;
	int status;

	memset(ret, 0, sizeof(*ret));
	scrub_environment();
	handle = open_library(settings->library, ret);
	if (handle == NULL || !find_symbols(handle, ret))
		return -ENOENT;
	describe_library(ret);
	status = smi.init(INIT_THREAD_ONLY_MUTEX);
	if (status != SMI_SUCCESS) {
		snprintf(ret->why, sizeof(ret->why), "rsmi_init failed with status %d", status);
		return -EIO;
	}
	if (smi.num_monitor_devices(&count) != SMI_SUCCESS || count == 0) {
		snprintf(ret->why, sizeof(ret->why), "it finds no GPU");
		return -ENODEV;
	}
	return 0;
}

/* ---- one GPU ---- */

/* bdfid: domain << 32 | (partition << 28) | bus << 8 | device << 3 | function. */
static bool index_is(uint32_t index, const char *pci)
{
	unsigned int domain, bus, slot, function;
	uint64_t id;

	if (smi.dev_pci_id_get(index, &id) != SMI_SUCCESS ||
	    sscanf(pci, "%x:%x:%x.%x", &domain, &bus, &slot, &function) != 4)
		return false;
	return (id & ~0xf0000000ull) == ((uint64_t)domain << 32 | bus << 8 | slot << 3 | function);
}

/* The library's own reading of the unique id must be the driver's, where both have one. */
static bool same_unique_id(const struct smi_gpu *gpu, const char *unique_id)
{
	uint64_t id;
	char text[24];

	if (unique_id[0] == '\0' || smi.dev_unique_id_get == NULL ||
	    smi.dev_unique_id_get(gpu->index, &id) != SMI_SUCCESS)
		return true;
	snprintf(text, sizeof(text), "%llx", (unsigned long long)id);
	return strcasecmp(text, unique_id + strspn(unique_id, "0x")) == 0 || id == 0;
}

static int find_index(const char *pci, uint32_t *ret)
{
	uint32_t count = 0;

	smi.num_monitor_devices(&count);
	for (*ret = 0; *ret < count; (*ret)++)
		if (index_is(*ret, pci))
			return 0;
	return -ENODEV;
}

static bool leads_to(const char *link, const char *pci)
{
	char target[PATH_MAX], part[PCI_SIZE + 2];
	ssize_t n = readlink(link, target, sizeof(target) - 1);

	if (n < 0)
		return false;
	target[n] = '\0';
	snprintf(part, sizeof(part), "/%s/", pci);
	return strstr(target, part) != NULL;
}

static bool smi_still_same(void *handle)
{
	const struct smi_gpu *gpu = handle;

	return leads_to(gpu->seen_as[0], gpu->pci) &&
	       (gpu->seen_as[1][0] == '\0' || leads_to(gpu->seen_as[1], gpu->pci));
}

static void smi_detach(void *handle)
{
	struct smi_gpu *gpu = handle;

	if (gpu != NULL && gpu->dir >= 0)
		close(gpu->dir);
	free(gpu);
}

static int smi_attach(const struct board_settings *settings, const struct board_identity *who, void **ret)
{
	struct smi_gpu *gpu = calloc(1, sizeof(*gpu));
	char path[256];
	int hwmon;

	if (gpu == NULL)
		return -ENOMEM;
	snprintf(path, sizeof(path), "%s/bus/pci/devices/%s", settings->sysfs, who->place.pci);
	gpu->dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	snprintf(gpu->pci, sizeof(gpu->pci), "%s", who->place.pci);
	snprintf(gpu->seen_as[0], sizeof(gpu->seen_as[0]), "%s/class/drm/card%d", settings->sysfs, who->place.card);
	if (who->place.render >= 0)
		snprintf(gpu->seen_as[1], sizeof(gpu->seen_as[1]), "%s/class/drm/renderD%d", settings->sysfs,
			 who->place.render);
	if (gpu->dir < 0 || who->place.card < 0 || find_index(gpu->pci, &gpu->index) < 0 || !smi_still_same(gpu) ||
	    !same_unique_id(gpu, who->identity.unique_id)) {
		smi_detach(gpu);
		return -ENODEV;
	}
	hwmon = sysfs_find_numbered(gpu->dir, "hwmon", "hwmon");
	snprintf(path, sizeof(path), "hwmon/hwmon%d/power1_input", hwmon);
	gpu->has_current_power = hwmon >= 0 && faccessat(gpu->dir, path, F_OK, 0) == 0;
	*ret = gpu;
	return 0;
}

/* ---- readings ---- */

static int smi_error(int status)
{
	switch (status) {
	case SMI_SUCCESS:
		return 0;
	case SMI_NOT_SUPPORTED:
		return -EOPNOTSUPP;
	case SMI_PERMISSION:
		return -EACCES;
	case SMI_BUSY:
		return -EBUSY;
	default:
		return -EIO;
	}
}

/* A 0 is what the library also says when its read failed: take it only where the driver's file says so too. */
static int confirm_zero(const struct smi_gpu *gpu, const char *file, double divisor, double *ret)
{
	int64_t value;
	int r;

	if (*ret != 0)
		return 0;
	r = sysfs_int64(gpu->dir, file, &value);
	if (r < 0)
		return r == -ENOENT ? -EOPNOTSUPP : r;
	*ret = (double)value / divisor;
	return 0;
}

static int read_utilization(const struct smi_gpu *gpu, enum engine engine, double *ret)
{
	int (*get)(uint32_t, uint32_t *) =
		engine == ENGINE_GFX ? smi.dev_busy_percent_get : smi.dev_memory_busy_percent_get;
	uint32_t percent = UINT32_MAX;
	int r;

	if (get == NULL)
		return -EOPNOTSUPP;
	r = smi_error(get(gpu->index, &percent));
	if (r < 0)
		return r;
	*ret = percent / 100.0;
	return confirm_zero(gpu, engine == ENGINE_GFX ? "gpu_busy_percent" : "mem_busy_percent", 100, ret);
}

/* Current power where the card has it: a library that only knows the average is then not asked. */
static int read_power(const struct smi_gpu *gpu, double *ret)
{
	uint64_t microwatts = UINT64_MAX;
	int r;

	if (gpu->has_current_power) {
		if (smi.dev_current_socket_power_get == NULL)
			return -EOPNOTSUPP;
		r = smi_error(smi.dev_current_socket_power_get(gpu->index, &microwatts));
	} else {
		if (smi.dev_power_ave_get == NULL)
			return -EOPNOTSUPP;
		r = smi_error(smi.dev_power_ave_get(gpu->index, 0, &microwatts));
	}
	*ret = (double)microwatts / 1e6;
	return r;
}

static int read_power_cap(const struct smi_gpu *gpu, enum power_cap which, double *ret)
{
	uint64_t value = UINT64_MAX, most = UINT64_MAX, least = UINT64_MAX;
	int status = SMI_NOT_SUPPORTED;

	if (which == CAP_CURRENT && smi.dev_power_cap_get != NULL)
		status = smi.dev_power_cap_get(gpu->index, 0, &value);
	else if (which == CAP_DEFAULT && smi.dev_power_cap_default_get != NULL)
		status = smi.dev_power_cap_default_get(gpu->index, &value);
	else if ((which == CAP_MIN || which == CAP_MAX) && smi.dev_power_cap_range_get != NULL)
		status = smi.dev_power_cap_range_get(gpu->index, 0, &most, &least);
	if (which == CAP_MIN || which == CAP_MAX)
		value = which == CAP_MAX ? most : least;
	*ret = (double)value / 1e6;
	return smi_error(status);
}

static int read_temperature(const struct smi_gpu *gpu, int metric, int sensor, double *ret)
{
	int64_t millidegrees = INT64_MAX;
	int r;

	/* enum sensor begins with edge, junction, memory as the library does; the rest it takes from gpu_metrics. */
	if (sensor > SENSOR_MEMORY || smi.dev_temp_metric_get == NULL)
		return -EOPNOTSUPP;
	r = smi_error(smi.dev_temp_metric_get(gpu->index, (uint32_t)sensor, metric, &millidegrees));
	*ret = (double)millidegrees / 1e3;
	return r;
}

static int read_memory(const struct smi_gpu *gpu, bool total, enum pool pool, double *ret)
{
	static const char *const used_files[] = { "mem_info_vram_used", "mem_info_vis_vram_used", "mem_info_gtt_used" };
	int (*get)(uint32_t, int, uint64_t *) = total ? smi.dev_memory_total_get : smi.dev_memory_usage_get;
	uint64_t bytes = UINT64_MAX;
	int r;

	if (get == NULL || smi.since_6_0 != NULL)
		return -EOPNOTSUPP;
	r = smi_error(get(gpu->index, (int)pool, &bytes));
	if (r < 0)
		return r;
	if (bytes == UINT32_MAX || bytes == UINT64_MAX)
		return -ERANGE;
	*ret = (double)bytes;
	return total ? 0 : confirm_zero(gpu, used_files[pool], 1, ret);
}

static int read_fan(const struct smi_gpu *gpu, enum quantity quantity, double *ret)
{
	int64_t speed = INT64_MAX;
	uint64_t most = 0;
	int r;

	if (quantity == Q_FAN_SPEED) {
		if (smi.dev_fan_rpms_get == NULL)
			return -EOPNOTSUPP;
		r = smi_error(smi.dev_fan_rpms_get(gpu->index, 0, &speed));
		*ret = (double)speed;
		return r;
	}
	if (smi.dev_fan_speed_get == NULL || smi.dev_fan_speed_max_get == NULL)
		return -EOPNOTSUPP;
	r = smi_error(smi.dev_fan_speed_get(gpu->index, 0, &speed));
	if (r == 0)
		r = smi_error(smi.dev_fan_speed_max_get(gpu->index, 0, &most));
	if (r == 0 && most == 0)
		r = -ERANGE;
	*ret = r == 0 ? (double)speed / (double)most : 0;
	return r;
}

static int read_replays(const struct smi_gpu *gpu, double *ret)
{
	uint64_t count = UINT64_MAX;
	int r;

	if (smi.dev_pci_replay_counter_get == NULL)
		return -EOPNOTSUPP;
	r = smi_error(smi.dev_pci_replay_counter_get(gpu->index, &count));
	*ret = (double)count;
	return r < 0                                      ? r :
	       count == UINT32_MAX || count == UINT64_MAX ? -ERANGE :
							    confirm_zero(gpu, "pcie_replay_count", 1, ret);
}

static int smi_read(void *handle, enum quantity quantity, int selector, double *ret)
{
	const struct smi_gpu *gpu = handle;

	switch (quantity) {
	case Q_UTILIZATION:
		return read_utilization(gpu, selector, ret);
	case Q_POWER:
		return read_power(gpu, ret);
	case Q_POWER_CAP:
		return read_power_cap(gpu, selector, ret);
	case Q_TEMPERATURE:
		return read_temperature(gpu, SMI_TEMP_CURRENT, selector, ret);
	case Q_TEMPERATURE_CRITICAL:
		return read_temperature(gpu, SMI_TEMP_CRITICAL, selector, ret);
	case Q_TEMPERATURE_EMERGENCY:
		return read_temperature(gpu, SMI_TEMP_EMERGENCY, selector, ret);
	case Q_MEMORY_TOTAL:
		return read_memory(gpu, true, selector, ret);
	case Q_MEMORY_USED:
		return read_memory(gpu, false, selector, ret);
	case Q_FAN_SPEED:
	case Q_FAN_RATIO:
		return read_fan(gpu, quantity, ret);
	case Q_PCIE_REPLAYS:
		return read_replays(gpu, ret);
	default:
		return -EOPNOTSUPP;
	}
}

const struct source source_rocm_smi = {
	.name = "rocm_smi",
	.attach = smi_attach,
	.detach = smi_detach,
	.begin = smi_still_same,
	.still_same = smi_still_same,
	.read = smi_read,
};
