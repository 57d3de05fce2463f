/* throttle - the tables of the throttle reasons; see the header.
 *
 * A family's map gives, in the order of its raw bits, the reason each stands for; they follow the driver's own
 * *_throttler_map tables and the firmware headers' THROTTLER_* numbers. */
#include "collectors/throttle.h"

#include <errno.h>
#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define NONE THROTTLE_REASONS /* a raw bit without an independent reason */

#define NAME(id, number, name, class) [number] = name,
static const char *const names[THROTTLE_REASONS] = { THROTTLE_REASON_LIST(NAME) };

#define CLASS_BIT(id, number, name, class) [number] = THROTTLE_##class,
static const uint8_t classes[THROTTLE_REASONS] = { THROTTLE_REASON_LIST(CLASS_BIT) };

const char *throttle_name(unsigned int reason)
{
	return reason < THROTTLE_REASONS ? names[reason] : NULL;
}

const char *throttle_class_name(enum throttle_class class)
{
	static const char *const class_names[THROTTLE_CLASSES] = { "power", "current", "thermal", "other" };

	return class_names[class];
}

uint64_t throttle_class_mask(enum throttle_class class)
{
	uint64_t mask = 0;
	unsigned int i;

	for (i = 0; i < THROTTLE_REASONS; i++)
		if (names[i] != NULL && classes[i] == class)
			mask |= THROTTLE_BIT(i);
	return mask;
}

static const uint8_t navi1x[] = {
	NONE,
	THROTTLE_TEMP_EDGE,
	THROTTLE_TEMP_HOTSPOT,
	THROTTLE_TEMP_MEM,
	THROTTLE_TEMP_VR_GFX,
	THROTTLE_TEMP_VR_MEM0,
	THROTTLE_TEMP_VR_MEM1,
	THROTTLE_TEMP_VR_SOC,
	THROTTLE_TEMP_LIQUID0,
	THROTTLE_TEMP_LIQUID1,
	NONE, /* PLX */
	NONE, /* skin */
	THROTTLE_TDC_GFX,
	THROTTLE_TDC_SOC,
	THROTTLE_PPT0,
	THROTTLE_PPT1,
	THROTTLE_PPT2,
	THROTTLE_PPT3,
	THROTTLE_FIT,
	THROTTLE_PPM,
	THROTTLE_APCC,
};

static const uint8_t navi2x[] = {
	NONE,
	THROTTLE_TEMP_EDGE,
	THROTTLE_TEMP_HOTSPOT,
	THROTTLE_TEMP_MEM,
	THROTTLE_TEMP_VR_GFX,
	THROTTLE_TEMP_VR_MEM0,
	THROTTLE_TEMP_VR_MEM1,
	THROTTLE_TEMP_VR_SOC,
	THROTTLE_TEMP_LIQUID0,
	THROTTLE_TEMP_LIQUID1,
	NONE, /* PLX */
	THROTTLE_TDC_GFX,
	THROTTLE_TDC_SOC,
	THROTTLE_PPT0,
	THROTTLE_PPT1,
	THROTTLE_PPT2,
	THROTTLE_PPT3,
	THROTTLE_FIT,
	THROTTLE_PPM,
	THROTTLE_APCC,
};

static const uint8_t navi3x[] = {
	THROTTLE_TEMP_EDGE,
	THROTTLE_TEMP_HOTSPOT,
	NONE, /* hotspot of the graphics die alone */
	NONE, /* hotspot of the memory dies alone */
	THROTTLE_TEMP_MEM,
	THROTTLE_TEMP_VR_GFX,
	THROTTLE_TEMP_VR_MEM0,
	THROTTLE_TEMP_VR_MEM1,
	THROTTLE_TEMP_VR_SOC,
	NONE, /* regulator U */
	THROTTLE_TEMP_LIQUID0,
	THROTTLE_TEMP_LIQUID1,
	NONE, /* PLX */
	THROTTLE_TDC_GFX,
	THROTTLE_TDC_SOC,
	NONE, /* current of U */
	THROTTLE_PPT0,
	THROTTLE_PPT1,
	THROTTLE_PPT2,
	THROTTLE_PPT3,
	THROTTLE_FIT,
	THROTTLE_APCC, /* "APCC plus" */
};

static const uint8_t navi4x[] = {
	THROTTLE_TEMP_EDGE,
	THROTTLE_TEMP_HOTSPOT,
	NONE, /* hotspot of the graphics part alone */
	NONE, /* hotspot of the SoC part alone */
	THROTTLE_TEMP_MEM,
	THROTTLE_TEMP_VR_GFX,
	THROTTLE_TEMP_VR_SOC,
	THROTTLE_TEMP_VR_MEM0,
	THROTTLE_TEMP_VR_MEM1,
	THROTTLE_TEMP_LIQUID0,
	THROTTLE_TEMP_LIQUID1,
	NONE, /* PLX */
	THROTTLE_TDC_GFX,
	THROTTLE_TDC_SOC,
	THROTTLE_PPT0,
	THROTTLE_PPT1,
	THROTTLE_PPT2,
	THROTTLE_PPT3,
	THROTTLE_FIT,
	THROTTLE_APCC, /* "APCC plus" */
	NONE,          /* DVO */
};

static const uint8_t mi100[] = {
	NONE,
	THROTTLE_TEMP_EDGE,
	THROTTLE_TEMP_HOTSPOT,
	THROTTLE_TEMP_MEM,
	THROTTLE_TEMP_VR_GFX,
	THROTTLE_TEMP_VR_MEM0,
	THROTTLE_TEMP_VR_SOC,
	THROTTLE_TDC_GFX,
	THROTTLE_TDC_SOC,
	THROTTLE_PPT0,
	THROTTLE_PPT1,
	THROTTLE_PPT2,
	THROTTLE_PPT3,
	THROTTLE_PPM,
	THROTTLE_FIT,
	THROTTLE_APCC,
	THROTTLE_VRHOT0,
	THROTTLE_VRHOT1,
};

static const uint8_t mi200[] = {
	THROTTLE_PPT0,
	THROTTLE_PPT1,
	THROTTLE_TDC_GFX,
	THROTTLE_TDC_SOC,
	THROTTLE_TDC_MEM,
	NONE,
	THROTTLE_TEMP_GPU,
	THROTTLE_TEMP_MEM,
	NONE,
	NONE,
	NONE,
	THROTTLE_TEMP_VR_GFX,
	THROTTLE_TEMP_VR_SOC,
	THROTTLE_TEMP_VR_MEM0,
	NONE,
	NONE,
	NONE,
	NONE,
	NONE,
	THROTTLE_APCC,
};

static const uint8_t apu[] = {
	THROTTLE_SPL,         THROTTLE_FPPT,     THROTTLE_SPPT,    THROTTLE_SPPT_APU, THROTTLE_TEMP_CORE,
	THROTTLE_TEMP_GPU,    THROTTLE_TEMP_SOC, THROTTLE_TDC_VDD, THROTTLE_TDC_SOC,  THROTTLE_PROCHOT_CPU,
	THROTTLE_PROCHOT_GFX, THROTTLE_EDC_CPU,  THROTTLE_EDC_GFX,
};

static const uint8_t van_gogh[] = {
	THROTTLE_SPL,      THROTTLE_FPPT,    THROTTLE_SPPT,    THROTTLE_SPPT_APU, THROTTLE_TEMP_CORE, THROTTLE_TEMP_GPU,
	THROTTLE_TEMP_SOC, THROTTLE_TDC_VDD, THROTTLE_TDC_SOC, THROTTLE_TDC_GFX,  THROTTLE_TDC_CVIP,
};

#define INSTINCT_RESIDENCIES                                                                               \
	(THROTTLE_BIT(THROTTLE_PPT0) | THROTTLE_BIT(THROTTLE_TEMP_GPU) | THROTTLE_BIT(THROTTLE_TEMP_MEM) | \
	 THROTTLE_BIT(THROTTLE_TEMP_VR_GFX) | THROTTLE_BIT(THROTTLE_PROCHOT_GFX))
#define STRIX_RESIDENCIES                                                                                       \
	(THROTTLE_BIT(THROTTLE_SPL) | THROTTLE_BIT(THROTTLE_FPPT) | THROTTLE_BIT(THROTTLE_SPPT) |               \
	 THROTTLE_BIT(THROTTLE_TEMP_CORE) | THROTTLE_BIT(THROTTLE_TEMP_GPU) | THROTTLE_BIT(THROTTLE_TEMP_SOC) | \
	 THROTTLE_BIT(THROTTLE_PROCHOT_CPU))

/* How a family reports: raw status bits, or counters alone. */
struct throttle_map {
	const uint8_t *bits;
	unsigned int count;
	uint64_t counted;
};

#define STATUS(map)                \
	{                          \
		map, COUNT(map), 0 \
	}
static const struct throttle_map maps[GM_ASICS] = {
	[GM_ASIC_NAVI1X] = STATUS(navi1x),
	[GM_ASIC_NAVI21] = STATUS(navi2x),
	[GM_ASIC_NAVI2X] = STATUS(navi2x),
	[GM_ASIC_NAVI3X] = STATUS(navi3x),
	[GM_ASIC_NAVI4X] = STATUS(navi4x),
	[GM_ASIC_MI100] = STATUS(mi100),
	[GM_ASIC_MI200] = STATUS(mi200),
	[GM_ASIC_MI300] = { NULL, 0, INSTINCT_RESIDENCIES },
	[GM_ASIC_MI350] = { NULL, 0, INSTINCT_RESIDENCIES },
	[GM_ASIC_RENOIR] = STATUS(apu),
	[GM_ASIC_VAN_GOGH] = STATUS(van_gogh),
	[GM_ASIC_YELLOW_CARP] = STATUS(apu),
	[GM_ASIC_PHOENIX] = STATUS(apu),
	[GM_ASIC_STRIX] = { NULL, 0, STRIX_RESIDENCIES },
};

static uint64_t translate(const struct throttle_map *map, uint64_t raw)
{
	uint64_t reasons = 0;
	unsigned int i;

	for (i = 0; i < map->count; i++)
		if (raw >> i & 1 && map->bits[i] != NONE)
			reasons |= THROTTLE_BIT(map->bits[i]);
	return reasons;
}

uint64_t throttle_possible(enum gm_asic asic)
{
	return translate(&maps[asic], UINT64_MAX) | maps[asic].counted;
}

int throttle_status(const struct gm_table *t, enum gm_asic asic, uint64_t *ret_active)
{
	uint64_t raw;

	if (asic == GM_ASIC_MI300 || asic == GM_ASIC_MI350 || (t->format == 1 && t->content >= 4))
		return -EOPNOTSUPP;
	if (gm_read(t, GM_INDEP_THROTTLE_STATUS, 0, 0, ret_active) == 0)
		return 0;
	if (maps[asic].count == 0 || gm_read(t, GM_THROTTLE_STATUS, 0, 0, &raw) < 0)
		return -EOPNOTSUPP;
	*ret_active = translate(&maps[asic], raw);
	return 0;
}

/* Prochot is the GPU's own on Instinct and the processor's on an APU. */
static const struct {
	uint16_t field;
	uint8_t reason;
} counters[] = {
	{ GM_PROCHOT_RESIDENCY_ACC, THROTTLE_PROCHOT_GFX },   { GM_PPT_RESIDENCY_ACC, THROTTLE_PPT0 },
	{ GM_SOCKET_THM_RESIDENCY_ACC, THROTTLE_TEMP_GPU },   { GM_VR_THM_RESIDENCY_ACC, THROTTLE_TEMP_VR_GFX },
	{ GM_HBM_THM_RESIDENCY_ACC, THROTTLE_TEMP_MEM },      { GM_THROTTLE_RESIDENCY_PROCHOT, THROTTLE_PROCHOT_CPU },
	{ GM_THROTTLE_RESIDENCY_SPL, THROTTLE_SPL },          { GM_THROTTLE_RESIDENCY_FPPT, THROTTLE_FPPT },
	{ GM_THROTTLE_RESIDENCY_SPPT, THROTTLE_SPPT },        { GM_THROTTLE_RESIDENCY_THM_CORE, THROTTLE_TEMP_CORE },
	{ GM_THROTTLE_RESIDENCY_THM_GFX, THROTTLE_TEMP_GPU }, { GM_THROTTLE_RESIDENCY_THM_SOC, THROTTLE_TEMP_SOC },
};

_Static_assert(COUNT(counters) == THROTTLE_COUNTERS_MAX, "one place for each counter");

int throttle_residencies_read(const struct gm_table *t, struct throttle_residencies *ret)
{
	int r = -EOPNOTSUPP;
	uint64_t value;
	size_t i;

	*ret = (struct throttle_residencies){ .has_ticks = false };
	for (i = 0; i < COUNT(counters); i++) {
		if (gm_read(t, counters[i].field, 0, 0, &value) < 0)
			continue;
		ret->counter[i] = (uint32_t)value;
		ret->has[i] = true;
		r = 0;
	}
	if (gm_read(t, GM_ACCUMULATION_COUNTER, 0, 0, &value) == 0) {
		ret->ticks = (uint32_t)value;
		ret->has_ticks = true;
	}
	return r;
}

/* A step of half the range or more is not a wrap: the counter was set back. */
static bool went_back(uint32_t before, uint32_t now)
{
	return (uint32_t)(now - before) > INT32_MAX;
}

int throttle_active_between(const struct throttle_residencies *before, const struct throttle_residencies *now,
			    uint64_t *ret_active)
{
	uint64_t active = 0;
	int r = -EOPNOTSUPP;
	size_t i;

	if (before->has_ticks && now->has_ticks && went_back(before->ticks, now->ticks))
		return -EAGAIN;
	for (i = 0; i < COUNT(counters); i++) {
		if (!before->has[i] || !now->has[i])
			continue;
		if (went_back(before->counter[i], now->counter[i]))
			return -EAGAIN;
		if (now->counter[i] != before->counter[i])
			active |= THROTTLE_BIT(counters[i].reason);
		r = 0;
	}
	if (r == 0)
		*ret_active = active;
	return r;
}
