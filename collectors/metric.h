/* metric - the vocabulary of what can be known of a GPU, and THE TABLE of what is published (metrics.c).
 *
 * A row says what it publishes and which (quantity, selector) it asks for; a source answers a (quantity, selector) or
 * says -EOPNOTSUPP. The row number is the slot number in a sample. Nothing else in the house lists metrics. */
#ifndef COLLECTORS_METRIC_H
#define COLLECTORS_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "config/value.h"

enum metric_type { METRIC_GAUGE, METRIC_COUNTER };

/* How often a row is read. */
enum tier {
	TIER_FAST,    /* each pass */
	TIER_SLOW,    /* every slow_interval */
	TIER_DERIVED, /* made from the other rows of each pass, by derive.c */
};

/* What can be asked. Values are in base units: ratio 0-1, watts, joules, degrees Celsius, bytes, hertz, … */
enum quantity {
	Q_UTILIZATION, /* selector: enum engine */
	Q_POWER,       /* 0: socket power, current where the card has it, else average */
	Q_POWER_CAP,   /* enum power_cap */
	Q_ENERGY,      /* 0: hardware accumulator, only where its unit is known; else derive.c integrates power */
	Q_TEMPERATURE, /* enum sensor */
	Q_TEMPERATURE_CRITICAL,  /* enum sensor */
	Q_TEMPERATURE_EMERGENCY, /* enum sensor */
	Q_MEMORY_TOTAL,          /* enum pool */
	Q_MEMORY_USED,           /* enum pool */
	Q_CLOCK,                 /* enum clock_domain */
	Q_ECC_ERRORS,            /* ECC_SELECTOR(block, severity) */
	Q_THROTTLE,              /* number of the reason, see throttle.h: 1 active, 0 not */
	Q_THROTTLE_CLASS,        /* enum throttle_class: 1 where any reason of the class is active */
	Q_FAN_SPEED,             /* 0: rpm */
	Q_FAN_RATIO,             /* 0: share of full speed */
	Q_PCIE_SPEED,            /* enum link_end: transfers per second */
	Q_PCIE_WIDTH,            /* enum link_end: lanes */
	Q_PCIE_REPLAYS,          /* 0 */
	Q_BUSY_SECONDS,          /* derived; enum engine */
	Q_QUANTITIES
};

enum engine { ENGINE_GFX, ENGINE_MEMORY };
enum power_cap { CAP_CURRENT, CAP_DEFAULT, CAP_MIN, CAP_MAX };
enum sensor {
	SENSOR_EDGE,
	SENSOR_JUNCTION,
	SENSOR_MEMORY,
	SENSOR_HBM0,
	SENSOR_HBM1,
	SENSOR_HBM2,
	SENSOR_HBM3,
	SENSOR_VR_GFX,
	SENSOR_VR_SOC,
	SENSOR_VR_MEM
};
enum pool { POOL_VRAM, POOL_VISIBLE_VRAM, POOL_GTT };
enum clock_domain { CLOCK_GFX, CLOCK_MEMORY, CLOCK_SOC, CLOCK_FABRIC, CLOCK_VIDEO, CLOCK_DECODE };
enum ecc_block { BLOCK_UMC, BLOCK_GFX, BLOCK_SDMA, BLOCKS };
enum ecc_severity { ECC_CORRECTABLE, ECC_UNCORRECTABLE, ECC_DEFERRED };
enum link_end { LINK_CURRENT, LINK_MAX };

#define ECC_SELECTOR(block, severity) ((block)*4 + (severity))
#define ECC_BLOCK(selector) ((selector) / 4)
#define ECC_SEVERITY(selector) ((selector) % 4)

struct metric {
	const char *family; /* "amdgpu_temperature_celsius"; rows of a family stand together */
	const char *labels; /* "sensor=\"junction\"", or "" */
	enum metric_type type;
	enum unit unit;
	enum tier tier;
	enum quantity quantity;
	int selector;
	double min, max;  /* plausible range, both ends allowed; a reading outside is implausible and not shown */
	const char *help; /* once per family, on its first row; NULL on the others; names the origin of the figure */
};

#define METRICS_MAX 160 /* room in a sample in memory; metrics.c asserts that the table fits */

extern const struct metric metrics[];
extern const unsigned int metrics_count;

/* Row of that (quantity, selector), or -1. */
int metric_row(enum quantity quantity, int selector);

/* Rows that a selection as written on the page means: a family, or a family with labels of which each may end in '*' or
 * be left out, e.g. `amdgpu_throttle_active{reason="temp_*"}`. Sets ret[row] for each match; returns how many, or
 * -EINVAL where the text is no selection. `ret` has METRICS_MAX places. */
int metric_select(const char *selection, bool *ret);

/* The row of the family that a short name means, with the labels of `like` where the family has labels, else the lone
 * row: "temperature_critical" or "amdgpu_temperature_critical_celsius" beside a junction row is the junction's critical
 * limit. -1 where there is none. `name` need not end after `length` bytes. */
int metric_sibling(const char *name, size_t length, int like);

/* "amdgpu_temperature_celsius{sensor=\"junction\"}" of a row. Returns `to`. */
char *metric_name(unsigned int row, char *to, size_t size);

/* "utilization", "power_cap", …: what a message or the label `quantity` calls it. */
const char *quantity_name(enum quantity quantity);

/* The table as a person reads it (--list-metrics, docs/metrics.md). */
void metrics_print(FILE *to);

#endif
