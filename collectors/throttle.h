/* throttle - why the firmware holds a GPU back: one set of reasons for all chips.
 *
 * The reasons are the driver's ASIC-independent bits (amdgpu_smu.h, SMU_THROTTLER_*). Chips report them in three ways:
 * translated by the driver, as raw bits of their own firmware, or as counters of the time spent held back. Pure. */
#ifndef COLLECTORS_THROTTLE_H
#define COLLECTORS_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "collectors/gpu_metrics.h"

/* X(enumerator, number = bit of indep_throttle_status, name, class) */
#define THROTTLE_REASON_LIST(X)                               \
	X(THROTTLE_PPT0, 0, "ppt0", POWER)                    \
	X(THROTTLE_PPT1, 1, "ppt1", POWER)                    \
	X(THROTTLE_PPT2, 2, "ppt2", POWER)                    \
	X(THROTTLE_PPT3, 3, "ppt3", POWER)                    \
	X(THROTTLE_SPL, 4, "spl", POWER)                      \
	X(THROTTLE_FPPT, 5, "fppt", POWER)                    \
	X(THROTTLE_SPPT, 6, "sppt", POWER)                    \
	X(THROTTLE_SPPT_APU, 7, "sppt_apu", POWER)            \
	X(THROTTLE_TDC_GFX, 16, "tdc_gfx", CURRENT)           \
	X(THROTTLE_TDC_SOC, 17, "tdc_soc", CURRENT)           \
	X(THROTTLE_TDC_MEM, 18, "tdc_mem", CURRENT)           \
	X(THROTTLE_TDC_VDD, 19, "tdc_vdd", CURRENT)           \
	X(THROTTLE_TDC_CVIP, 20, "tdc_cvip", CURRENT)         \
	X(THROTTLE_EDC_CPU, 21, "edc_cpu", CURRENT)           \
	X(THROTTLE_EDC_GFX, 22, "edc_gfx", CURRENT)           \
	X(THROTTLE_APCC, 23, "apcc", CURRENT)                 \
	X(THROTTLE_TEMP_GPU, 32, "temp_gpu", THERMAL)         \
	X(THROTTLE_TEMP_CORE, 33, "temp_core", THERMAL)       \
	X(THROTTLE_TEMP_MEM, 34, "temp_mem", THERMAL)         \
	X(THROTTLE_TEMP_EDGE, 35, "temp_edge", THERMAL)       \
	X(THROTTLE_TEMP_HOTSPOT, 36, "temp_hotspot", THERMAL) \
	X(THROTTLE_TEMP_SOC, 37, "temp_soc", THERMAL)         \
	X(THROTTLE_TEMP_VR_GFX, 38, "temp_vr_gfx", THERMAL)   \
	X(THROTTLE_TEMP_VR_SOC, 39, "temp_vr_soc", THERMAL)   \
	X(THROTTLE_TEMP_VR_MEM0, 40, "temp_vr_mem0", THERMAL) \
	X(THROTTLE_TEMP_VR_MEM1, 41, "temp_vr_mem1", THERMAL) \
	X(THROTTLE_TEMP_LIQUID0, 42, "temp_liquid0", THERMAL) \
	X(THROTTLE_TEMP_LIQUID1, 43, "temp_liquid1", THERMAL) \
	X(THROTTLE_VRHOT0, 44, "vrhot0", THERMAL)             \
	X(THROTTLE_VRHOT1, 45, "vrhot1", THERMAL)             \
	X(THROTTLE_PROCHOT_CPU, 46, "prochot_cpu", THERMAL)   \
	X(THROTTLE_PROCHOT_GFX, 47, "prochot_gfx", THERMAL)   \
	X(THROTTLE_PPM, 56, "ppm", OTHER)                     \
	X(THROTTLE_FIT, 57, "fit", OTHER)

#define THROTTLE_ENUMERATOR(id, number, name, class) id = (number),
enum throttle_reason { THROTTLE_REASON_LIST(THROTTLE_ENUMERATOR) THROTTLE_REASONS };
#undef THROTTLE_ENUMERATOR

/* A set of reasons is a uint64_t. */
#define THROTTLE_BIT(reason) (UINT64_C(1) << (reason))

/* Power: the configured limit works as it should. Current: a regulator's limit. Thermal: something is too hot. */
enum throttle_class { THROTTLE_POWER, THROTTLE_CURRENT, THROTTLE_THERMAL, THROTTLE_OTHER, THROTTLE_CLASSES };

/* "ppt0", "temp_hotspot", …; NULL where no reason has that number. */
const char *throttle_name(unsigned int reason);

/* "power", "current", "thermal", "other". */
const char *throttle_class_name(enum throttle_class class);

/* All reasons of a class; an empty set for a number that is no class. */
uint64_t throttle_class_mask(enum throttle_class class);

/* The reasons that the family can report; empty for the unknown, of which one is known once it was seen active. */
uint64_t throttle_possible(enum gm_asic asic);

/* The reasons that are active while the table is made: the driver's translation where it is there, else the raw bits
 * through the family's map (bits without a reason above are left out, as the driver does). Returns 0, or -EOPNOTSUPP:
 *   the table has neither, or only raw bits and the family is unknown;
 *   MI300, MI350: their status is 0 whatever happens, see the residencies. */
int throttle_status(const struct gm_table *t, enum gm_asic asic, uint64_t *ret_active);

/* Counters of the time held back, by reason: v1_6 to v1_9 and v3_0. All zero bytes is "nothing read yet". */
#define THROTTLE_COUNTERS_MAX 12
struct throttle_residencies {
	uint32_t counter[THROTTLE_COUNTERS_MAX]; /* firmware ticks, wrap */
	bool has[THROTTLE_COUNTERS_MAX];
	uint32_t ticks; /* of the firmware in all, wraps; v1 only */
	bool has_ticks;
};

/* Takes the counters out of a table. Returns 0, or -EOPNOTSUPP: it has none. */
int throttle_residencies_read(const struct gm_table *t, struct throttle_residencies *ret);

/* The reasons whose counter moved from one table to a later one of the same GPU. Returns
 *   0;
 *   -EOPNOTSUPP  they have no counter in common, as the first time;
 *   -EAGAIN      a counter went back: the GPU was reset or the driver loaded anew; compare with `now` the next time. */
int throttle_active_between(const struct throttle_residencies *before, const struct throttle_residencies *now,
			    uint64_t *ret_active);

#endif
