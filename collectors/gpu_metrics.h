/* gpu_metrics - decoder of the amdgpu driver's binary table /sys/class/drm/cardN/device/gpu_metrics.
 *
 * The table is chosen by its (format, content) pair and by nothing else: three versions are 120 bytes long. "Not
 * supported" is all ones in a value's own width and is tested there, on the integer; beyond this header a value is
 * there or the call fails. Pure: no file, clock or allocation. Any number of threads may read one table.
 *
 * Figures: the driver's kgd_pp_interface.h, real blobs, and measurements where a driver and its header disagree. */
#ifndef COLLECTORS_GPU_METRICS_H
#define COLLECTORS_GPU_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collectors/gpu_metrics_layout.h"

#define GM_ATTRIBUTES_MAX 64 /* the attribute ids known here are fewer */

/* Where the values of one attribute of a v1_9 stream stand. */
struct gm_attribute {
	uint16_t field; /* enum gm_field */
	uint16_t offset, count;
	uint8_t width;
	uint8_t unit; /* enum gm_unit in gpu_metrics.c; 0 not told */
	bool is_signed;
};

/* A table that was checked. Borrows the bytes it was parsed from; a plain value otherwise, nothing to free. */
struct gm_table {
	const uint8_t *bytes;
	uint16_t size; /* the table's own structure_size, not more than the bytes at hand */
	uint8_t format, content;
	const struct gm_layout *layout; /* NULL for a v1_9 stream and after a failed gm_parse */
	unsigned int attributes_count;  /* v1_9 only */
	struct gm_attribute attributes[GM_ATTRIBUTES_MAX];
};

/* Checks the header and the size and finds the layout. `bytes` must stay as they are while the table is used; what
 * stands behind the table's own size is ignored. After a failure *ret is an empty table: every reading of it is
 * -EOPNOTSUPP. Returns
 *   0;
 *   -EBADMSG     malformed: shorter than a header, all zero or all ones, a size field that is less than the layout
 *                needs or more than `len`, a v1_9 stream that does not end exactly at its size;
 *   -EOPNOTSUPP  a (format, content) unknown here: both are set in *ret for the caller to name. */
int gm_parse(const void *bytes, size_t len, struct gm_table *ret);

/* Values of the field in this version (in one partition record, where it stands in records); 0: it has none. */
unsigned int gm_count(const struct gm_table *t, enum gm_field field);

/* Partition records that hold the field: 1 outside them, 0 where the version lacks the field. */
unsigned int gm_records(const struct gm_table *t, enum gm_field field);

/* The raw integer of one element, in the driver's unit (sign-extended where a stream says it is signed). Returns 0, or
 * -EOPNOTSUPP: this version lacks the field, index or record, or the value is "not supported". */
int gm_read(const struct gm_table *t, enum gm_field field, unsigned int index, unsigned int record, uint64_t *ret);

/* Families of chips as far as the meaning of a table depends on them. */
enum gm_asic {
	GM_ASIC_UNKNOWN,
	GM_ASIC_NAVI1X,      /* gfx1010-1012 */
	GM_ASIC_NAVI21,      /* gfx1030 */
	GM_ASIC_NAVI2X,      /* gfx1031, 1032, 1034 */
	GM_ASIC_NAVI3X,      /* gfx1100-1102 */
	GM_ASIC_NAVI4X,      /* gfx1200, 1201 */
	GM_ASIC_MI100,       /* gfx908 */
	GM_ASIC_MI200,       /* gfx90a */
	GM_ASIC_MI300,       /* gfx940-942 */
	GM_ASIC_MI350,       /* gfx950 */
	GM_ASIC_RENOIR,      /* gfx90c: Renoir, Lucienne, Cezanne, Barcelo */
	GM_ASIC_VAN_GOGH,    /* gfx1033 */
	GM_ASIC_YELLOW_CARP, /* gfx1035 Rembrandt, gfx1036 Raphael, Mendocino */
	GM_ASIC_PHOENIX,     /* gfx1103 */
	GM_ASIC_STRIX,       /* gfx1150-1153 */
	GM_ASICS
};

/* The family by KFD's number (90010 is gfx90a, 100300 is gfx1030), or where that is 0 by the PCI device id. gfx1013
 * (BC-250) is unknown on purpose: it is no Navi1x to its firmware. */
enum gm_asic gm_asic_of(uint32_t gfx_target_version, uint32_t device_id);

enum gm_sensor {
	GM_SENSOR_EDGE,
	GM_SENSOR_HOTSPOT, /* "junction" in hwmon */
	GM_SENSOR_MEMORY,
	GM_SENSOR_VR_GFX, /* voltage regulators; 0 is a driver that has no figure and counts as absent */
	GM_SENSOR_VR_SOC,
	GM_SENSOR_VR_MEM,
	GM_SENSOR_HBM0,
	GM_SENSOR_HBM1,
	GM_SENSOR_HBM2,
	GM_SENSOR_HBM3,
	GM_SENSOR_GFX, /* this and below: APUs (v2, v3) */
	GM_SENSOR_SOC,
	GM_SENSOR_SKIN,
	GM_SENSORS
};

/* Degrees Celsius. v1 tables have whole degrees, v2 and v3 hundredths. Returns 0 or -EOPNOTSUPP. */
int gm_temperature(const struct gm_table *t, enum gm_sensor sensor, double *ret_celsius);

/* Power of the whole socket in watts: the instantaneous figure from v1_4 on, else the driver's average. Returns 0 or
 * -EOPNOTSUPP. A v2 figure below 1000 is refused so: it may be milliwatts, or watts on Renoir-like firmware; ask hwmon,
 * or gm_read with GM_AVERAGE_SOCKET_POWER and compare. */
int gm_power(const struct gm_table *t, double *ret_watts);

enum gm_clock {
	GM_CLOCK_GFX, /* index: the XCC, on Instinct from v1_4 on; else 0 */
	GM_CLOCK_MEMORY,
	GM_CLOCK_SOC,
	GM_CLOCK_FABRIC,
	GM_CLOCK_VIDEO,  /* vclk of instance `index` */
	GM_CLOCK_DECODE, /* dclk of instance `index`: the video decoder's second clock, not the display's */
	GM_CLOCKS
};

/* Hertz, now; the driver's average where the table has no current clock (v3_0, many APUs). The current memory, SoC and
 * fabric clocks of 0 are fields that a driver does not fill (MI100), so the average stands in for them. v1_0-v1_3: only
 * index 0. Returns 0 or -EOPNOTSUPP. */
int gm_clock(const struct gm_table *t, enum gm_clock clock, unsigned int index, double *ret_hertz);

enum gm_engine {
	GM_ENGINE_GFX,
	GM_ENGINE_MEMORY, /* share of time the memory controller was busy */
	GM_ENGINE_MEDIA,  /* mean over the video engines of the partitions in use */
	GM_ENGINES
};

/* Share of time that the engine was busy, 0-1. v1 and v3 count whole per cent, v2 hundredths (some Van Gogh firmware is
 * said to give whole per cent there: prefer gpu_busy_percent on APUs). Returns 0, -EOPNOTSUPP, or -ERANGE: the table
 * says more than 100 %. */
int gm_activity(const struct gm_table *t, enum gm_engine engine, double *ret_ratio);

enum gm_energy_unit {
	GM_ENERGY_UNKNOWN,
	GM_ENERGY_2_16_J, /* 2^-16 J, 15.2588 uJ */
	GM_ENERGY_1_J,
	GM_ENERGY_1_MJ, /* a thousandth of a joule */
	GM_ENERGY_UNITS
};

/* What one count of energy_accumulator is worth: 2^-16 J on MI200, MI300, MI350 (the driver's header); 1 J on MI100
 * (two reads 10.285 s apart at 36 W: 370 counts); 1 mJ on Navi21 (17 691 682 counts in the 533.5 s since boot, which is
 * 33 W); else unknown. */
enum gm_energy_unit gm_energy_unit_of(enum gm_asic asic);

/* Joules since the counter began, which is at the latest the load of the driver or a reset of the GPU. From v1_4 on the
 * table itself fixes the unit and `unit` is not looked at. Returns 0 or -EOPNOTSUPP: no counter, unit unknown, or a
 * count of 0, which RDNA3 and RDNA4 give for ever. */
int gm_energy(const struct gm_table *t, enum gm_energy_unit unit, double *ret_joules);

/* Fan in revolutions per minute; 0 is a fan at rest, or none. v1_0-v1_3. Returns 0 or -EOPNOTSUPP. */
int gm_fan_rpm(const struct gm_table *t, double *ret_rpm);

/* The PCIe link as it is now: lanes, and transfers per second of one lane (16e9 for "16.0 GT/s"). Both follow the power
 * state of the link. 0 counts as absent. Returns 0 or -EOPNOTSUPP. */
int gm_pcie_width(const struct gm_table *t, double *ret_lanes);
int gm_pcie_speed(const struct gm_table *t, double *ret_transfers_per_second);

/* When the driver made the table, in nanoseconds of the kernel's boot-time clock. The same value twice is a table that
 * does not move. Returns 0 or -EOPNOTSUPP. */
int gm_system_clock_ns(const struct gm_table *t, uint64_t *ret_ns);

#endif
