/* gpu_metrics_layout - where each field of the driver's gpu_metrics table stands, per (format, content).
 *
 * Facts of the amdgpu kernel interface (struct gpu_metrics_vF_C, natural alignment, little endian). Data only: the
 * decoder reads by it, the simulator writes by it. A field that a version lacks has no place in its layout. */
#ifndef COLLECTORS_GPU_METRICS_LAYOUT_H
#define COLLECTORS_GPU_METRICS_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

/* X(enumerator, name in the kernel's struct) */
#define GM_FIELD_LIST(X)                                                               \
	X(GM_ACCUMULATION_COUNTER, "accumulation_counter")                             \
	X(GM_AVERAGE_ALL_CORE_POWER, "average_all_core_power")                         \
	X(GM_AVERAGE_APU_POWER, "average_apu_power")                                   \
	X(GM_AVERAGE_CORE_C0_ACTIVITY, "average_core_c0_activity")                     \
	X(GM_AVERAGE_CORE_POWER, "average_core_power")                                 \
	X(GM_AVERAGE_CPU_CURRENT, "average_cpu_current")                               \
	X(GM_AVERAGE_CPU_POWER, "average_cpu_power")                                   \
	X(GM_AVERAGE_CPU_VOLTAGE, "average_cpu_voltage")                               \
	X(GM_AVERAGE_DCLK0_FREQUENCY, "average_dclk0_frequency")                       \
	X(GM_AVERAGE_DCLK1_FREQUENCY, "average_dclk1_frequency")                       \
	X(GM_AVERAGE_DCLK_FREQUENCY, "average_dclk_frequency")                         \
	X(GM_AVERAGE_DGPU_POWER, "average_dgpu_power")                                 \
	X(GM_AVERAGE_DRAM_READS, "average_dram_reads")                                 \
	X(GM_AVERAGE_DRAM_WRITES, "average_dram_writes")                               \
	X(GM_AVERAGE_FCLK_FREQUENCY, "average_fclk_frequency")                         \
	X(GM_AVERAGE_GFX_ACTIVITY, "average_gfx_activity")                             \
	X(GM_AVERAGE_GFX_CURRENT, "average_gfx_current")                               \
	X(GM_AVERAGE_GFX_POWER, "average_gfx_power")                                   \
	X(GM_AVERAGE_GFX_VOLTAGE, "average_gfx_voltage")                               \
	X(GM_AVERAGE_GFXCLK_FREQUENCY, "average_gfxclk_frequency")                     \
	X(GM_AVERAGE_IPU_ACTIVITY, "average_ipu_activity")                             \
	X(GM_AVERAGE_IPU_POWER, "average_ipu_power")                                   \
	X(GM_AVERAGE_IPU_READS, "average_ipu_reads")                                   \
	X(GM_AVERAGE_IPU_WRITES, "average_ipu_writes")                                 \
	X(GM_AVERAGE_IPUCLK_FREQUENCY, "average_ipuclk_frequency")                     \
	X(GM_AVERAGE_MM_ACTIVITY, "average_mm_activity")                               \
	X(GM_AVERAGE_MPIPU_FREQUENCY, "average_mpipu_frequency")                       \
	X(GM_AVERAGE_SOC_CURRENT, "average_soc_current")                               \
	X(GM_AVERAGE_SOC_POWER, "average_soc_power")                                   \
	X(GM_AVERAGE_SOC_VOLTAGE, "average_soc_voltage")                               \
	X(GM_AVERAGE_SOCCLK_FREQUENCY, "average_socclk_frequency")                     \
	X(GM_AVERAGE_SOCKET_POWER, "average_socket_power")                             \
	X(GM_AVERAGE_SYS_POWER, "average_sys_power")                                   \
	X(GM_AVERAGE_TEMPERATURE_CORE, "average_temperature_core")                     \
	X(GM_AVERAGE_TEMPERATURE_GFX, "average_temperature_gfx")                       \
	X(GM_AVERAGE_TEMPERATURE_L3, "average_temperature_l3")                         \
	X(GM_AVERAGE_TEMPERATURE_SOC, "average_temperature_soc")                       \
	X(GM_AVERAGE_UCLK_FREQUENCY, "average_uclk_frequency")                         \
	X(GM_AVERAGE_UMC_ACTIVITY, "average_umc_activity")                             \
	X(GM_AVERAGE_VCLK0_FREQUENCY, "average_vclk0_frequency")                       \
	X(GM_AVERAGE_VCLK1_FREQUENCY, "average_vclk1_frequency")                       \
	X(GM_AVERAGE_VCLK_FREQUENCY, "average_vclk_frequency")                         \
	X(GM_AVERAGE_VCN_ACTIVITY, "average_vcn_activity")                             \
	X(GM_AVERAGE_VPECLK_FREQUENCY, "average_vpeclk_frequency")                     \
	X(GM_CURR_SOCKET_POWER, "curr_socket_power")                                   \
	X(GM_CURRENT_CORE_MAXFREQ, "current_core_maxfreq")                             \
	X(GM_CURRENT_CORECLK, "current_coreclk")                                       \
	X(GM_CURRENT_DCLK, "current_dclk")                                             \
	X(GM_CURRENT_DCLK0, "current_dclk0")                                           \
	X(GM_CURRENT_DCLK1, "current_dclk1")                                           \
	X(GM_CURRENT_FAN_SPEED, "current_fan_speed")                                   \
	X(GM_CURRENT_FCLK, "current_fclk")                                             \
	X(GM_CURRENT_GFX_MAXFREQ, "current_gfx_maxfreq")                               \
	X(GM_CURRENT_GFXCLK, "current_gfxclk")                                         \
	X(GM_CURRENT_L3CLK, "current_l3clk")                                           \
	X(GM_CURRENT_SOCCLK, "current_socclk")                                         \
	X(GM_CURRENT_STAPM_POWER_LIMIT, "current_stapm_power_limit")                   \
	X(GM_CURRENT_UCLK, "current_uclk")                                             \
	X(GM_CURRENT_VCLK, "current_vclk")                                             \
	X(GM_CURRENT_VCLK0, "current_vclk0")                                           \
	X(GM_CURRENT_VCLK1, "current_vclk1")                                           \
	X(GM_ENERGY_ACCUMULATOR, "energy_accumulator")                                 \
	X(GM_FAN_PWM, "fan_pwm")                                                       \
	X(GM_FIRMWARE_TIMESTAMP, "firmware_timestamp")                                 \
	X(GM_GFX_ACTIVITY_ACC, "gfx_activity_acc")                                     \
	X(GM_GFXCLK_LOCK_STATUS, "gfxclk_lock_status")                                 \
	X(GM_HBM_THM_RESIDENCY_ACC, "hbm_thm_residency_acc")                           \
	X(GM_INDEP_THROTTLE_STATUS, "indep_throttle_status")                           \
	X(GM_JPEG_ACTIVITY, "jpeg_activity")                                           \
	X(GM_MEM_ACTIVITY_ACC, "mem_activity_acc")                                     \
	X(GM_MEM_MAX_BANDWIDTH, "mem_max_bandwidth")                                   \
	X(GM_NUM_PARTITION, "num_partition")                                           \
	X(GM_PCIE_BANDWIDTH_ACC, "pcie_bandwidth_acc")                                 \
	X(GM_PCIE_BANDWIDTH_INST, "pcie_bandwidth_inst")                               \
	X(GM_PCIE_L0_TO_RECOV_COUNT_ACC, "pcie_l0_to_recov_count_acc")                 \
	X(GM_PCIE_LC_PERF_OTHER_END_RECOVERY, "pcie_lc_perf_other_end_recovery")       \
	X(GM_PCIE_LINK_SPEED, "pcie_link_speed")                                       \
	X(GM_PCIE_LINK_WIDTH, "pcie_link_width")                                       \
	X(GM_PCIE_NAK_RCVD_COUNT_ACC, "pcie_nak_rcvd_count_acc")                       \
	X(GM_PCIE_NAK_SENT_COUNT_ACC, "pcie_nak_sent_count_acc")                       \
	X(GM_PCIE_REPLAY_COUNT_ACC, "pcie_replay_count_acc")                           \
	X(GM_PCIE_REPLAY_ROVER_COUNT_ACC, "pcie_replay_rover_count_acc")               \
	X(GM_PPT_RESIDENCY_ACC, "ppt_residency_acc")                                   \
	X(GM_PROCHOT_RESIDENCY_ACC, "prochot_residency_acc")                           \
	X(GM_SOCKET_THM_RESIDENCY_ACC, "socket_thm_residency_acc")                     \
	X(GM_STAPM_POWER_LIMIT, "stapm_power_limit")                                   \
	X(GM_SYSTEM_CLOCK_COUNTER, "system_clock_counter")                             \
	X(GM_TEMPERATURE_CORE, "temperature_core")                                     \
	X(GM_TEMPERATURE_EDGE, "temperature_edge")                                     \
	X(GM_TEMPERATURE_GFX, "temperature_gfx")                                       \
	X(GM_TEMPERATURE_HBM, "temperature_hbm")                                       \
	X(GM_TEMPERATURE_HOTSPOT, "temperature_hotspot")                               \
	X(GM_TEMPERATURE_L3, "temperature_l3")                                         \
	X(GM_TEMPERATURE_MEM, "temperature_mem")                                       \
	X(GM_TEMPERATURE_SKIN, "temperature_skin")                                     \
	X(GM_TEMPERATURE_SOC, "temperature_soc")                                       \
	X(GM_TEMPERATURE_VRGFX, "temperature_vrgfx")                                   \
	X(GM_TEMPERATURE_VRMEM, "temperature_vrmem")                                   \
	X(GM_TEMPERATURE_VRSOC, "temperature_vrsoc")                                   \
	X(GM_THROTTLE_RESIDENCY_FPPT, "throttle_residency_fppt")                       \
	X(GM_THROTTLE_RESIDENCY_PROCHOT, "throttle_residency_prochot")                 \
	X(GM_THROTTLE_RESIDENCY_SPL, "throttle_residency_spl")                         \
	X(GM_THROTTLE_RESIDENCY_SPPT, "throttle_residency_sppt")                       \
	X(GM_THROTTLE_RESIDENCY_THM_CORE, "throttle_residency_thm_core")               \
	X(GM_THROTTLE_RESIDENCY_THM_GFX, "throttle_residency_thm_gfx")                 \
	X(GM_THROTTLE_RESIDENCY_THM_SOC, "throttle_residency_thm_soc")                 \
	X(GM_THROTTLE_STATUS, "throttle_status")                                       \
	X(GM_TIME_FILTER_ALPHAVALUE, "time_filter_alphavalue")                         \
	X(GM_VCN_ACTIVITY, "vcn_activity")                                             \
	X(GM_VOLTAGE_GFX, "voltage_gfx")                                               \
	X(GM_VOLTAGE_MEM, "voltage_mem")                                               \
	X(GM_VOLTAGE_SOC, "voltage_soc")                                               \
	X(GM_VR_THM_RESIDENCY_ACC, "vr_thm_residency_acc")                             \
	X(GM_XCP_GFX_BELOW_HOST_LIMIT_ACC, "xcp_gfx_below_host_limit_acc")             \
	X(GM_XCP_GFX_BELOW_HOST_LIMIT_PPT_ACC, "xcp_gfx_below_host_limit_ppt_acc")     \
	X(GM_XCP_GFX_BELOW_HOST_LIMIT_THM_ACC, "xcp_gfx_below_host_limit_thm_acc")     \
	X(GM_XCP_GFX_BELOW_HOST_LIMIT_TOTAL_ACC, "xcp_gfx_below_host_limit_total_acc") \
	X(GM_XCP_GFX_BUSY_ACC, "xcp_gfx_busy_acc")                                     \
	X(GM_XCP_GFX_BUSY_INST, "xcp_gfx_busy_inst")                                   \
	X(GM_XCP_GFX_LOW_UTILIZATION_ACC, "xcp_gfx_low_utilization_acc")               \
	X(GM_XCP_JPEG_BUSY, "xcp_jpeg_busy")                                           \
	X(GM_XCP_VCN_BUSY, "xcp_vcn_busy")                                             \
	X(GM_XGMI_LINK_SPEED, "xgmi_link_speed")                                       \
	X(GM_XGMI_LINK_STATUS, "xgmi_link_status")                                     \
	X(GM_XGMI_LINK_WIDTH, "xgmi_link_width")                                       \
	X(GM_XGMI_READ_DATA_ACC, "xgmi_read_data_acc")                                 \
	X(GM_XGMI_WRITE_DATA_ACC, "xgmi_write_data_acc")

#define GM_ENUMERATOR(id, name) id,
enum gm_field { GM_FIELD_LIST(GM_ENUMERATOR) GM_FIELDS };
#undef GM_ENUMERATOR

#define GM_HEADER_SIZE 4  /* structure_size u16, format_revision u8, content_revision u8 */
#define GM_SIZE_MAX 16384 /* no known table is longer than 3872 bytes; a v1_9 stream has no fixed size */

/* One field of one layout: `count` values of `width` bytes from `offset`; with `records` > 1 again each `stride`. */
struct gm_place {
	uint16_t field;  /* enum gm_field */
	uint16_t offset; /* bytes from the start of the table */
	uint8_t width;   /* 1, 2, 4 or 8 bytes; all ones means "not supported" */
	uint8_t count;
	uint16_t stride; /* bytes between partition records, 0 outside them */
	uint8_t records; /* partition records that hold the field, 1 outside them */
};

struct gm_layout {
	uint8_t format, content;
	uint16_t size; /* structure_size of the version */
	uint16_t places_count;
	const struct gm_place *places;
};

/* The kernel's name of a field, e.g. "temperature_hotspot". */
const char *gm_field_name(enum gm_field field);

/* The field of that name, or GM_FIELDS where there is none. */
enum gm_field gm_field_find(const char *name);

/* The layout of a fixed-size version, or NULL (also for v1_9, which is a stream). */
const struct gm_layout *gm_layout_find(uint8_t format, uint8_t content);

/* Field of attribute `id` in a v1_9 stream, or GM_FIELDS for an id that is unknown here. */
enum gm_field gm_attribute_field(unsigned int id);

#endif
