/* source_sysfs - the amdgpu driver's own files: the PCI device's, its hwmon's, and the binary gpu_metrics table.
 *
 * Files are kept open and read with pread(2), which makes the driver answer anew; an open attribute pins neither the
 * module nor the card. One that fails because its device went away is opened again at the next pass. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/gpu_metrics.h"
#include "collectors/source.h"
#include "collectors/source_sysfs_files.h"
#include "collectors/sysfs.h"
#include "collectors/throttle.h"

/* One GPU. */
struct sysfs_gpu {
	struct sysfs_files files;
	enum gm_energy_unit energy_unit;
	enum gm_asic asic;
	bool table_asked; /* in this pass */
	int table_error;
	struct gm_table table;
	uint8_t bytes[GM_SIZE_MAX];
	struct throttle_residencies residencies; /* of the table before */
	uint64_t residency_active;
	bool residency_known;
	struct ras_file {
		bool asked; /* in this pass */
		int result; /* length or -errno */
		char text[128];
	} ras[BLOCKS];
};

bool sysfs_suspended(int dir)
{
	char text[32];

	return sysfs_text(dir, "power/runtime_status", text, sizeof(text)) > 0 &&
	       (strcmp(text, "suspended") == 0 || strcmp(text, "suspending") == 0);
}

static int sysfs_attach(const struct board_settings *settings, const struct board_identity *who, void **ret)
{
	struct sysfs_gpu *gpu = calloc(1, sizeof(*gpu));
	int r;

	if (gpu == NULL)
		return -ENOMEM;
	r = sysfs_files_open(&gpu->files, settings->sysfs, who->place.pci);
	if (r < 0) {
		free(gpu);
		return r;
	}
	gpu->asic = gm_asic_of(who->identity.gfx_target_version, who->identity.device_id);
	gpu->energy_unit = gm_energy_unit_of(gpu->asic);
	*ret = gpu;
	return 0;
}

static void sysfs_detach(void *handle)
{
	struct sysfs_gpu *gpu = handle;

	if (gpu != NULL)
		sysfs_files_close(&gpu->files);
	free(gpu);
}

static bool sysfs_begin(void *handle)
{
	struct sysfs_gpu *gpu = handle;

	gpu->table_asked = false;
	memset(gpu->ras, 0, sizeof(gpu->ras));
	sysfs_files_begin(&gpu->files);
	return true;
}

/* ---- the gpu_metrics table, read once in a pass and only if something asks for it ---- */

static void step_residencies(struct sysfs_gpu *gpu)
{
	struct throttle_residencies now;

	gpu->residency_known = false;
	if (throttle_residencies_read(&gpu->table, &now) < 0)
		return;
	gpu->residency_known = throttle_active_between(&gpu->residencies, &now, &gpu->residency_active) == 0;
	gpu->residencies = now;
}

static int read_table(struct sysfs_gpu *gpu)
{
	ssize_t n;

	if (gpu->table_asked)
		return gpu->table_error;
	gpu->table_asked = true;
	n = sysfs_files_binary(&gpu->files, "gpu_metrics", gpu->bytes, sizeof(gpu->bytes));
	gpu->table_error = n == -ENOENT ? -EOPNOTSUPP : n < 0 ? (int)n : gm_parse(gpu->bytes, (size_t)n, &gpu->table);
	if (gpu->table_error == 0)
		step_residencies(gpu);
	return gpu->table_error;
}

/* ---- readings ---- */

static int read_scaled(struct sysfs_gpu *gpu, const char *file, double divisor, double *ret)
{
	int64_t value;
	int r = sysfs_files_int64(&gpu->files, file, &value);

	if (r == 0)
		*ret = (double)value / divisor;
	return r;
}

/* A reading from a file, or where the file is not there, from the table. */
#define FROM_FILE_ELSE_TABLE(gpu, r, table_read) \
	((r) != -EOPNOTSUPP ? (r) : read_table(gpu) < 0 ? (gpu)->table_error : (table_read))

static int read_utilization(struct sysfs_gpu *gpu, enum engine engine, double *ret)
{
	int r = read_scaled(gpu, engine == ENGINE_GFX ? "gpu_busy_percent" : "mem_busy_percent", 100, ret);

	return FROM_FILE_ELSE_TABLE(
		gpu, r, gm_activity(&gpu->table, engine == ENGINE_GFX ? GM_ENGINE_GFX : GM_ENGINE_MEMORY, ret));
}

/* Current power where the card has it; an input that does not answer never overrules an average that does. */
static int read_power(struct sysfs_gpu *gpu, double *ret)
{
	int input = read_scaled(gpu, "hwmon/power1_input", 1e6, ret), average;

	if (input == 0)
		return 0;
	average = read_scaled(gpu, "hwmon/power1_average", 1e6, ret);
	if (average == 0)
		return 0;
	if (input != -EOPNOTSUPP || average != -EOPNOTSUPP)
		return input != -EOPNOTSUPP ? input : average;
	return read_table(gpu) < 0 ? gpu->table_error : gm_power(&gpu->table, ret);
}

static int read_temperature(struct sysfs_gpu *gpu, enum sensor sensor, const char *suffix, double *ret)
{
	static const enum gm_sensor places[] = {
		[SENSOR_EDGE] = GM_SENSOR_EDGE,     [SENSOR_JUNCTION] = GM_SENSOR_HOTSPOT,
		[SENSOR_MEMORY] = GM_SENSOR_MEMORY, [SENSOR_HBM0] = GM_SENSOR_HBM0,
		[SENSOR_HBM1] = GM_SENSOR_HBM1,     [SENSOR_HBM2] = GM_SENSOR_HBM2,
		[SENSOR_HBM3] = GM_SENSOR_HBM3,     [SENSOR_VR_GFX] = GM_SENSOR_VR_GFX,
		[SENSOR_VR_SOC] = GM_SENSOR_VR_SOC, [SENSOR_VR_MEM] = GM_SENSOR_VR_MEM,
	};
	bool now = strcmp(suffix, "input") == 0;
	int r = -EOPNOTSUPP;

	if (sensor <= SENSOR_MEMORY) {
		char file[48];
		int channel = sysfs_files_sensor(&gpu->files, sensor);

		snprintf(file, sizeof(file), "hwmon/temp%d_%s", channel, suffix);
		if (channel > 0)
			r = read_scaled(gpu, file, 1e3, ret);
		if (channel > 0 || !now)
			return r;
	}
	return FROM_FILE_ELSE_TABLE(gpu, r, gm_temperature(&gpu->table, places[sensor], ret));
}

static int read_memory(struct sysfs_gpu *gpu, enum pool pool, bool total, double *ret)
{
	static const char *const pools[] = {
		[POOL_VRAM] = "vram", [POOL_VISIBLE_VRAM] = "vis_vram", [POOL_GTT] = "gtt"
	};
	char file[48];

	snprintf(file, sizeof(file), "mem_info_%s_%s", pools[pool], total ? "total" : "used");
	return read_scaled(gpu, file, 1, ret);
}

static int read_clock(struct sysfs_gpu *gpu, enum clock_domain domain, double *ret)
{
	static const enum gm_clock places[] = {
		[CLOCK_GFX] = GM_CLOCK_GFX,       [CLOCK_MEMORY] = GM_CLOCK_MEMORY, [CLOCK_SOC] = GM_CLOCK_SOC,
		[CLOCK_FABRIC] = GM_CLOCK_FABRIC, [CLOCK_VIDEO] = GM_CLOCK_VIDEO,   [CLOCK_DECODE] = GM_CLOCK_DECODE,
	};
	int r = -EOPNOTSUPP;

	if (domain == CLOCK_GFX || domain == CLOCK_MEMORY) {
		int channel = sysfs_files_clock(&gpu->files, domain);
		char file[48];

		snprintf(file, sizeof(file), "hwmon/freq%d_input", channel);
		if (channel > 0)
			r = read_scaled(gpu, file, 1, ret);
	}
	return FROM_FILE_ELSE_TABLE(gpu, r, gm_clock(&gpu->table, places[domain], 0, ret));
}

/* One look at a RAS file serves all its lines, so that they are of one moment. */
static const struct ras_file *ras_file(struct sysfs_gpu *gpu, enum ecc_block block)
{
	static const char *const blocks[BLOCKS] = { [BLOCK_UMC] = "umc", [BLOCK_GFX] = "gfx", [BLOCK_SDMA] = "sdma" };
	struct ras_file *file = &gpu->ras[block];
	char name[48];

	if (file->asked)
		return file;
	snprintf(name, sizeof(name), "ras/%s_err_count", blocks[block]);
	file->asked = true;
	file->result = sysfs_files_text(&gpu->files, name, file->text, sizeof(file->text));
	return file;
}

/* "ue: 0\nce: 12\nde: 3"; while a reset runs, the read succeeds with a sentence instead. */
static int read_ecc(struct sysfs_gpu *gpu, int selector, double *ret)
{
	static const char *const severities[] = {
		[ECC_CORRECTABLE] = "ce:", [ECC_UNCORRECTABLE] = "ue:", [ECC_DEFERRED] = "de:"
	};
	const struct ras_file *file = ras_file(gpu, ECC_BLOCK(selector));
	const char *line, *end;
	int64_t count;
	int r;

	if (file->result < 0)
		return file->result;
	line = strstr(file->text, severities[ECC_SEVERITY(selector)]);
	if (line == NULL)
		return strstr(file->text, "ue:") != NULL ? -EOPNOTSUPP : -EBADMSG;
	line += 3;
	r = sysfs_parse(line + strspn(line, " \t"), &count, &end);
	if (r < 0 || count < 0)
		return -EBADMSG;
	if (count == UINT32_MAX)
		return -ERANGE;
	*ret = (double)count;
	return 0;
}

static int active_reasons(struct sysfs_gpu *gpu, uint64_t *ret)
{
	int r = read_table(gpu);

	if (r < 0)
		return r;
	r = throttle_status(&gpu->table, gpu->asic, ret);
	if (r == -EOPNOTSUPP && gpu->residency_known) {
		*ret = gpu->residency_active;
		return 0;
	}
	return r;
}

static int read_throttle(struct sysfs_gpu *gpu, enum quantity quantity, int selector, double *ret)
{
	uint64_t active, possible;
	int r = active_reasons(gpu, &active);

	if (r < 0)
		return r;
	possible = throttle_possible(gpu->asic) | active;
	if (quantity == Q_THROTTLE) {
		*ret = active >> selector & 1;
		return possible >> selector & 1 ? 0 : -EOPNOTSUPP;
	}
	*ret = (active & throttle_class_mask(selector)) != 0;
	return possible & throttle_class_mask(selector) ? 0 : -EOPNOTSUPP;
}

static int read_fan(struct sysfs_gpu *gpu, enum quantity quantity, double *ret)
{
	double most;
	int r;

	if (quantity == Q_FAN_SPEED)
		return read_scaled(gpu, "hwmon/fan1_input", 1, ret);
	r = read_scaled(gpu, "hwmon/pwm1_max", 1, &most);
	if (r == 0)
		r = read_scaled(gpu, "hwmon/pwm1", 1, ret);
	if (r == 0 && most <= 0)
		return -ERANGE;
	if (r == 0)
		*ret /= most;
	return r;
}

/* "16.0 GT/s PCIe", "8 GT/s"; "Unknown" where the link is down. */
static int read_link_speed(struct sysfs_gpu *gpu, const char *file, double *ret)
{
	char text[48];
	const char *end;
	int64_t whole, tenth = 0;
	int r = sysfs_files_text(&gpu->files, file, text, sizeof(text));

	if (r < 0)
		return r;
	if (strncmp(text, "Unknown", 7) == 0)
		return -EOPNOTSUPP;
	r = sysfs_parse(text, &whole, &end);
	if (r == 0 && *end == '.' && (r = sysfs_parse(end + 1, &tenth, &end)) == 0 && tenth > 9)
		return -EBADMSG;
	if (r < 0 || strncmp(end, " GT/s", 5) != 0)
		return -EBADMSG;
	*ret = ((double)whole + (double)tenth / 10) * 1e9;
	return 0;
}

static int read_link_width(struct sysfs_gpu *gpu, const char *file, double *ret)
{
	int r = read_scaled(gpu, file, 1, ret);

	/* 0 and 255 are what PCI answers where there is no link. */
	return r == 0 && (*ret == 0 || *ret == 255) ? -EOPNOTSUPP : r;
}

static int sysfs_read(void *handle, enum quantity quantity, int selector, double *ret)
{
	static const char *const caps[] = { [CAP_CURRENT] = "hwmon/power1_cap",
					    [CAP_DEFAULT] = "hwmon/power1_cap_default",
					    [CAP_MIN] = "hwmon/power1_cap_min",
					    [CAP_MAX] = "hwmon/power1_cap_max" };
	struct sysfs_gpu *gpu = handle;

	switch (quantity) {
	case Q_UTILIZATION:
		return read_utilization(gpu, selector, ret);
	case Q_POWER:
		return read_power(gpu, ret);
	case Q_POWER_CAP:
		return read_scaled(gpu, caps[selector], 1e6, ret);
	case Q_ENERGY:
		return read_table(gpu) < 0 ? gpu->table_error : gm_energy(&gpu->table, gpu->energy_unit, ret);
	case Q_TEMPERATURE:
		return read_temperature(gpu, selector, "input", ret);
	case Q_TEMPERATURE_CRITICAL:
		return read_temperature(gpu, selector, "crit", ret);
	case Q_TEMPERATURE_EMERGENCY:
		return read_temperature(gpu, selector, "emergency", ret);
	case Q_MEMORY_TOTAL:
	case Q_MEMORY_USED:
		return read_memory(gpu, selector, quantity == Q_MEMORY_TOTAL, ret);
	case Q_CLOCK:
		return read_clock(gpu, selector, ret);
	case Q_ECC_ERRORS:
		return read_ecc(gpu, selector, ret);
	case Q_THROTTLE:
	case Q_THROTTLE_CLASS:
		return read_throttle(gpu, quantity, selector, ret);
	case Q_FAN_SPEED:
	case Q_FAN_RATIO:
		return read_fan(gpu, quantity, ret);
	case Q_PCIE_SPEED:
		return read_link_speed(gpu, selector == LINK_MAX ? "max_link_speed" : "current_link_speed", ret);
	case Q_PCIE_WIDTH:
		return read_link_width(gpu, selector == LINK_MAX ? "max_link_width" : "current_link_width", ret);
	case Q_PCIE_REPLAYS:
		return read_scaled(gpu, "pcie_replay_count", 1, ret);
	default:
		return -EOPNOTSUPP;
	}
}

const struct source source_sysfs = {
	.name = "sysfs",
	.attach = sysfs_attach,
	.detach = sysfs_detach,
	.begin = sysfs_begin,
	.read = sysfs_read,
};
