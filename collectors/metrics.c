/* metrics - THE TABLE: all that the house publishes of a GPU, one row each.
 *
 * A new sensor, clock, block or link of a known quantity is one row here and nothing else. Rows of a family stand
 * together, the first one carries the help text. Throttle reasons are the ASIC-independent bits of throttle.h. */
#include "collectors/metric.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "collectors/throttle.h"

#define FOREVER 1.8e19	 /* a counter of 64 bits */
#define BYTES_MAX 1.1e15 /* a pebibyte: sentinels of 64 bits lie above */

const struct metric metrics[] = {
	/* family, labels, type, unit, tier, quantity, selector, plausible range, help */
	{ "amdgpu_utilization_ratio", "engine=\"gfx\"", METRIC_GAUGE, UNIT_RATIO, TIER_FAST, Q_UTILIZATION, ENGINE_GFX, 0, 1,
	  "Busy share of the engine as the driver averages it (rsmi_dev_busy_percent_get, gpu_busy_percent, mem_busy_percent)." },
	{ "amdgpu_utilization_ratio", "engine=\"memory\"", METRIC_GAUGE, UNIT_RATIO, TIER_FAST, Q_UTILIZATION, ENGINE_MEMORY, 0, 1, NULL },
	{ "amdgpu_busy_seconds_total", "engine=\"gfx\"", METRIC_COUNTER, UNIT_SECONDS, TIER_DERIVED, Q_BUSY_SECONDS, ENGINE_GFX, 0, FOREVER,
	  "Integral of the utilization over every sample since the daemon started: its rate() is the mean utilization." },
	{ "amdgpu_busy_seconds_total", "engine=\"memory\"", METRIC_COUNTER, UNIT_SECONDS, TIER_DERIVED, Q_BUSY_SECONDS, ENGINE_MEMORY, 0, FOREVER, NULL },
	{ "amdgpu_power_watts", "", METRIC_GAUGE, UNIT_WATTS, TIER_FAST, Q_POWER, 0, 0, 4000,
	  "Socket power: current where the card has it, else the average (rsmi_dev_power_get, hwmon power1_input, power1_average)." },
	{ "amdgpu_power_cap_watts", "", METRIC_GAUGE, UNIT_WATTS, TIER_SLOW, Q_POWER_CAP, CAP_CURRENT, 0, 4000,
	  "Power limit in force (rsmi_dev_power_cap_get, hwmon power1_cap)." },
	{ "amdgpu_power_cap_default_watts", "", METRIC_GAUGE, UNIT_WATTS, TIER_SLOW, Q_POWER_CAP, CAP_DEFAULT, 0, 4000,
	  "Power limit the card starts with (hwmon power1_cap_default)." },
	{ "amdgpu_power_cap_min_watts", "", METRIC_GAUGE, UNIT_WATTS, TIER_SLOW, Q_POWER_CAP, CAP_MIN, 0, 4000,
	  "Lowest power limit that can be set (hwmon power1_cap_min)." },
	{ "amdgpu_power_cap_max_watts", "", METRIC_GAUGE, UNIT_WATTS, TIER_SLOW, Q_POWER_CAP, CAP_MAX, 0, 4000,
	  "Highest power limit that can be set (hwmon power1_cap_max)." },
	{ "amdgpu_energy_joules_total", "", METRIC_COUNTER, UNIT_JOULES, TIER_FAST, Q_ENERGY, 0, 0, FOREVER,
	  "Energy used: the accumulator of gpu_metrics where its unit is known for the ASIC (MI100, MI200, MI300, MI350, Navi 21), else the integral of amdgpu_power_watts since the daemon started." },
	{ "amdgpu_temperature_celsius", "sensor=\"edge\"", METRIC_GAUGE, UNIT_CELSIUS, TIER_FAST, Q_TEMPERATURE, SENSOR_EDGE, -40, 150,
	  "Temperature of the sensor (rsmi_dev_temp_metric_get, hwmon temp*_input by label; hbm and vr from gpu_metrics)." },
	{ "amdgpu_temperature_celsius", "sensor=\"junction\"", METRIC_GAUGE, UNIT_CELSIUS, TIER_FAST, Q_TEMPERATURE, SENSOR_JUNCTION, -40, 150, NULL },
	{ "amdgpu_temperature_celsius", "sensor=\"memory\"", METRIC_GAUGE, UNIT_CELSIUS, TIER_FAST, Q_TEMPERATURE, SENSOR_MEMORY, -40, 150, NULL },
	{ "amdgpu_temperature_celsius", "sensor=\"hbm0\"", METRIC_GAUGE, UNIT_CELSIUS, TIER_FAST, Q_TEMPERATURE, SENSOR_HBM0, -40, 150, NULL },
	{ "amdgpu_temperature_celsius", "sensor=\"hbm1\"", METRIC_GAUGE, UNIT_CELSIUS, TIER_FAST, Q_TEMPERATURE, SENSOR_HBM1, -40, 150, NULL },
	{ "amdgpu_temperature_celsius", "sensor=\"hbm2\"", METRIC_GAUGE, UNIT_CELSIUS, TIER_FAST, Q_TEMPERATURE, SENSOR_HBM2, -40, 150, NULL },
	{ "amdgpu_temperature_celsius", "sensor=\"hbm3\"", METRIC_GAUGE, UNIT_CELSIUS, TIER_FAST, Q_TEMPERATURE, SENSOR_HBM3, -40, 150, NULL },
	{ "amdgpu_temperature_celsius", "sensor=\"vr_gfx\"", METRIC_GAUGE, UNIT_CELSIUS, TIER_FAST, Q_TEMPERATURE, SENSOR_VR_GFX, -40, 150, NULL },
	{ "amdgpu_temperature_celsius", "sensor=\"vr_soc\"", METRIC_GAUGE, UNIT_CELSIUS, TIER_FAST, Q_TEMPERATURE, SENSOR_VR_SOC, -40, 150, NULL },
	{ "amdgpu_temperature_celsius", "sensor=\"vr_mem\"", METRIC_GAUGE, UNIT_CELSIUS, TIER_FAST, Q_TEMPERATURE, SENSOR_VR_MEM, -40, 150, NULL },
	{ "amdgpu_temperature_critical_celsius", "sensor=\"edge\"", METRIC_GAUGE, UNIT_CELSIUS, TIER_SLOW, Q_TEMPERATURE_CRITICAL, SENSOR_EDGE, 20, 200,
	  "The card's own critical limit of the sensor (hwmon temp*_crit)." },
	{ "amdgpu_temperature_critical_celsius", "sensor=\"junction\"", METRIC_GAUGE, UNIT_CELSIUS, TIER_SLOW, Q_TEMPERATURE_CRITICAL, SENSOR_JUNCTION, 20, 200, NULL },
	{ "amdgpu_temperature_critical_celsius", "sensor=\"memory\"", METRIC_GAUGE, UNIT_CELSIUS, TIER_SLOW, Q_TEMPERATURE_CRITICAL, SENSOR_MEMORY, 20, 200, NULL },
	{ "amdgpu_temperature_emergency_celsius", "sensor=\"edge\"", METRIC_GAUGE, UNIT_CELSIUS, TIER_SLOW, Q_TEMPERATURE_EMERGENCY, SENSOR_EDGE, 20, 200,
	  "The card's own emergency limit of the sensor: it shuts down above (hwmon temp*_emergency)." },
	{ "amdgpu_temperature_emergency_celsius", "sensor=\"junction\"", METRIC_GAUGE, UNIT_CELSIUS, TIER_SLOW, Q_TEMPERATURE_EMERGENCY, SENSOR_JUNCTION, 20, 200, NULL },
	{ "amdgpu_temperature_emergency_celsius", "sensor=\"memory\"", METRIC_GAUGE, UNIT_CELSIUS, TIER_SLOW, Q_TEMPERATURE_EMERGENCY, SENSOR_MEMORY, 20, 200, NULL },
	{ "amdgpu_memory_total_bytes", "pool=\"vram\"", METRIC_GAUGE, UNIT_BYTES, TIER_SLOW, Q_MEMORY_TOTAL, POOL_VRAM, 1, BYTES_MAX,
	  "Size of the memory pool (mem_info_*_total). visible_vram is part of vram; on APUs vram and gtt are both system memory and may overlap: do not add pools." },
	{ "amdgpu_memory_total_bytes", "pool=\"visible_vram\"", METRIC_GAUGE, UNIT_BYTES, TIER_SLOW, Q_MEMORY_TOTAL, POOL_VISIBLE_VRAM, 1, BYTES_MAX, NULL },
	{ "amdgpu_memory_total_bytes", "pool=\"gtt\"", METRIC_GAUGE, UNIT_BYTES, TIER_SLOW, Q_MEMORY_TOTAL, POOL_GTT, 1, BYTES_MAX, NULL },
	{ "amdgpu_memory_used_bytes", "pool=\"vram\"", METRIC_GAUGE, UNIT_BYTES, TIER_FAST, Q_MEMORY_USED, POOL_VRAM, 0, BYTES_MAX,
	  "Memory in use of the pool (mem_info_*_used). Pools may overlap, see amdgpu_memory_total_bytes." },
	{ "amdgpu_memory_used_bytes", "pool=\"visible_vram\"", METRIC_GAUGE, UNIT_BYTES, TIER_FAST, Q_MEMORY_USED, POOL_VISIBLE_VRAM, 0, BYTES_MAX, NULL },
	{ "amdgpu_memory_used_bytes", "pool=\"gtt\"", METRIC_GAUGE, UNIT_BYTES, TIER_FAST, Q_MEMORY_USED, POOL_GTT, 0, BYTES_MAX, NULL },
	{ "amdgpu_clock_hertz", "domain=\"gfx\"", METRIC_GAUGE, UNIT_HERTZ, TIER_FAST, Q_CLOCK, CLOCK_GFX, 0, 10e9,
	  "Current clock (hwmon freq*_input, gpu_metrics)." },
	{ "amdgpu_clock_hertz", "domain=\"memory\"", METRIC_GAUGE, UNIT_HERTZ, TIER_FAST, Q_CLOCK, CLOCK_MEMORY, 0, 10e9, NULL },
	{ "amdgpu_clock_hertz", "domain=\"soc\"", METRIC_GAUGE, UNIT_HERTZ, TIER_FAST, Q_CLOCK, CLOCK_SOC, 0, 10e9, NULL },
	{ "amdgpu_clock_hertz", "domain=\"fabric\"", METRIC_GAUGE, UNIT_HERTZ, TIER_FAST, Q_CLOCK, CLOCK_FABRIC, 0, 10e9, NULL },
	{ "amdgpu_clock_hertz", "domain=\"video\"", METRIC_GAUGE, UNIT_HERTZ, TIER_FAST, Q_CLOCK, CLOCK_VIDEO, 0, 10e9, NULL },
	{ "amdgpu_clock_hertz", "domain=\"decode\"", METRIC_GAUGE, UNIT_HERTZ, TIER_FAST, Q_CLOCK, CLOCK_DECODE, 0, 10e9, NULL },
	{ "amdgpu_ecc_errors_total", "block=\"umc\",severity=\"correctable\"", METRIC_COUNTER, UNIT_NONE, TIER_SLOW, Q_ECC_ERRORS, ECC_SELECTOR(BLOCK_UMC, ECC_CORRECTABLE), 0, FOREVER,
	  "ECC errors of the block as the driver has counted them since it was loaded (ras/*_err_count)." },
	{ "amdgpu_ecc_errors_total", "block=\"umc\",severity=\"uncorrectable\"", METRIC_COUNTER, UNIT_NONE, TIER_SLOW, Q_ECC_ERRORS, ECC_SELECTOR(BLOCK_UMC, ECC_UNCORRECTABLE), 0, FOREVER, NULL },
	{ "amdgpu_ecc_errors_total", "block=\"umc\",severity=\"deferred\"", METRIC_COUNTER, UNIT_NONE, TIER_SLOW, Q_ECC_ERRORS, ECC_SELECTOR(BLOCK_UMC, ECC_DEFERRED), 0, FOREVER, NULL },
	{ "amdgpu_ecc_errors_total", "block=\"gfx\",severity=\"correctable\"", METRIC_COUNTER, UNIT_NONE, TIER_SLOW, Q_ECC_ERRORS, ECC_SELECTOR(BLOCK_GFX, ECC_CORRECTABLE), 0, FOREVER, NULL },
	{ "amdgpu_ecc_errors_total", "block=\"gfx\",severity=\"uncorrectable\"", METRIC_COUNTER, UNIT_NONE, TIER_SLOW, Q_ECC_ERRORS, ECC_SELECTOR(BLOCK_GFX, ECC_UNCORRECTABLE), 0, FOREVER, NULL },
	{ "amdgpu_ecc_errors_total", "block=\"gfx\",severity=\"deferred\"", METRIC_COUNTER, UNIT_NONE, TIER_SLOW, Q_ECC_ERRORS, ECC_SELECTOR(BLOCK_GFX, ECC_DEFERRED), 0, FOREVER, NULL },
	{ "amdgpu_ecc_errors_total", "block=\"sdma\",severity=\"correctable\"", METRIC_COUNTER, UNIT_NONE, TIER_SLOW, Q_ECC_ERRORS, ECC_SELECTOR(BLOCK_SDMA, ECC_CORRECTABLE), 0, FOREVER, NULL },
	{ "amdgpu_ecc_errors_total", "block=\"sdma\",severity=\"uncorrectable\"", METRIC_COUNTER, UNIT_NONE, TIER_SLOW, Q_ECC_ERRORS, ECC_SELECTOR(BLOCK_SDMA, ECC_UNCORRECTABLE), 0, FOREVER, NULL },
	{ "amdgpu_ecc_errors_total", "block=\"sdma\",severity=\"deferred\"", METRIC_COUNTER, UNIT_NONE, TIER_SLOW, Q_ECC_ERRORS, ECC_SELECTOR(BLOCK_SDMA, ECC_DEFERRED), 0, FOREVER, NULL },
	{ "amdgpu_throttle_active", "reason=\"ppt0\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 0, 0, 1,
	  "1 while the firmware limits the GPU for this reason (gpu_metrics throttle status or residency). Shown for the reasons the ASIC can report." },
	{ "amdgpu_throttle_active", "reason=\"ppt1\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 1, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"ppt2\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 2, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"ppt3\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 3, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"spl\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 4, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"fppt\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 5, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"sppt\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 6, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"sppt_apu\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 7, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"tdc_gfx\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 16, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"tdc_soc\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 17, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"tdc_mem\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 18, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"tdc_vdd\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 19, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"tdc_cvip\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 20, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"edc_cpu\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 21, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"edc_gfx\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 22, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"apcc\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 23, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"temp_gpu\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 32, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"temp_core\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 33, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"temp_mem\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 34, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"temp_edge\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 35, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"temp_hotspot\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 36, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"temp_soc\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 37, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"temp_vr_gfx\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 38, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"temp_vr_soc\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 39, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"temp_vr_mem0\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 40, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"temp_vr_mem1\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 41, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"temp_liquid0\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 42, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"temp_liquid1\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 43, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"vrhot0\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 44, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"vrhot1\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 45, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"prochot_cpu\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 46, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"prochot_gfx\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 47, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"ppm\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 56, 0, 1, NULL },
	{ "amdgpu_throttle_active", "reason=\"fit\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE, 57, 0, 1, NULL },
	{ "amdgpu_throttled", "class=\"power\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE_CLASS, THROTTLE_POWER, 0, 1,
	  "1 while any throttle reason of the class is active. Power: the configured limit works as it should; thermal: the card is too hot." },
	{ "amdgpu_throttled", "class=\"current\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE_CLASS, THROTTLE_CURRENT, 0, 1, NULL },
	{ "amdgpu_throttled", "class=\"thermal\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE_CLASS, THROTTLE_THERMAL, 0, 1, NULL },
	{ "amdgpu_throttled", "class=\"other\"", METRIC_GAUGE, UNIT_NONE, TIER_FAST, Q_THROTTLE_CLASS, THROTTLE_OTHER, 0, 1, NULL },
	{ "amdgpu_fan_speed_rpm", "", METRIC_GAUGE, UNIT_RPM, TIER_SLOW, Q_FAN_SPEED, 0, 0, 60000,
	  "Fan speed (rsmi_dev_fan_rpms_get, hwmon fan1_input)." },
	{ "amdgpu_fan_speed_ratio", "", METRIC_GAUGE, UNIT_RATIO, TIER_SLOW, Q_FAN_RATIO, 0, 0, 1,
	  "Fan drive as share of full speed (hwmon pwm1 / pwm1_max)." },
	{ "amdgpu_pcie_link_speed_transfers_per_second", "", METRIC_GAUGE, UNIT_TRANSFERS_PER_SECOND, TIER_SLOW, Q_PCIE_SPEED, LINK_CURRENT, 1, 1e12,
	  "PCIe link speed now (current_link_speed)." },
	{ "amdgpu_pcie_link_speed_max_transfers_per_second", "", METRIC_GAUGE, UNIT_TRANSFERS_PER_SECOND, TIER_SLOW, Q_PCIE_SPEED, LINK_MAX, 1, 1e12,
	  "Highest PCIe link speed of the card (max_link_speed)." },
	{ "amdgpu_pcie_link_width_lanes", "", METRIC_GAUGE, UNIT_LANES, TIER_SLOW, Q_PCIE_WIDTH, LINK_CURRENT, 1, 64,
	  "PCIe lanes in use (current_link_width)." },
	{ "amdgpu_pcie_link_width_max_lanes", "", METRIC_GAUGE, UNIT_LANES, TIER_SLOW, Q_PCIE_WIDTH, LINK_MAX, 1, 64,
	  "Most PCIe lanes of the card (max_link_width)." },
	{ "amdgpu_pcie_replays_total", "", METRIC_COUNTER, UNIT_NONE, TIER_SLOW, Q_PCIE_REPLAYS, 0, 0, FOREVER,
	  "PCIe replays (rsmi_dev_pci_replay_counter_get, pcie_replay_count)." },
};

const unsigned int metrics_count = sizeof(metrics) / sizeof(metrics[0]);

static_assert(sizeof(metrics) / sizeof(metrics[0]) <= METRICS_MAX, "a sample has no room for the table");

static const char *const quantity_names[Q_QUANTITIES] = {
	[Q_UTILIZATION] = "utilization",
	[Q_POWER] = "power",
	[Q_POWER_CAP] = "power_cap",
	[Q_ENERGY] = "energy",
	[Q_TEMPERATURE] = "temperature",
	[Q_TEMPERATURE_CRITICAL] = "temperature_critical",
	[Q_TEMPERATURE_EMERGENCY] = "temperature_emergency",
	[Q_MEMORY_TOTAL] = "memory_total",
	[Q_MEMORY_USED] = "memory_used",
	[Q_CLOCK] = "clock",
	[Q_ECC_ERRORS] = "ecc_errors",
	[Q_THROTTLE] = "throttle",
	[Q_THROTTLE_CLASS] = "throttle_class",
	[Q_FAN_SPEED] = "fan_speed",
	[Q_FAN_RATIO] = "fan_ratio",
	[Q_PCIE_SPEED] = "pcie_speed",
	[Q_PCIE_WIDTH] = "pcie_width",
	[Q_PCIE_REPLAYS] = "pcie_replays",
	[Q_BUSY_SECONDS] = "busy_seconds",
};

const char *quantity_name(enum quantity quantity)
{
	return quantity_names[quantity];
}

int metric_row(enum quantity quantity, int selector)
{
	unsigned int row;

	for (row = 0; row < metrics_count; row++)
		if (metrics[row].quantity == quantity && metrics[row].selector == selector)
			return (int)row;
	return -1;
}

char *metric_name(unsigned int row, char *to, size_t size)
{
	const struct metric *metric = &metrics[row];

	if (metric->labels[0] != '\0')
		snprintf(to, size, "%s{%s}", metric->family, metric->labels);
	else
		snprintf(to, size, "%s", metric->family);
	return to;
}

void metrics_print(FILE *to)
{
	unsigned int row;

	for (row = 0; row < metrics_count; row++) {
		const struct metric *metric = &metrics[row];

		if (metric->help != NULL)
			fprintf(to, "%s%s (%s)\n    %s\n", row > 0 ? "\n" : "", metric->family,
				metric->type == METRIC_COUNTER ? "counter" : "gauge", metric->help);
		if (metric->labels[0] != '\0')
			fprintf(to, "    {%s}\n", metric->labels);
	}
}
