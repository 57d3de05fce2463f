/* gpu_metrics - decoder of the driver's binary table; see the header.
 *
 * Two halves: where a value stands (gm_parse, gm_read: fixed layouts and the v1_9 stream look the same from there on),
 * and what it means in base units. A unit is converted here and nowhere else. */
#include "collectors/gpu_metrics.h"

#include <errno.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define STREAM_FORMAT 1
#define STREAM_CONTENT 9
#define NONE GM_FIELDS /* fills a list of fields */

/* Units as a v1_9 stream numbers them. */
enum gm_unit {
	GM_UNIT_NONE,
	GM_UNIT_MHZ,
	GM_UNIT_CELSIUS,
	GM_UNIT_WATT,
	GM_UNIT_NS,
	GM_UNIT_10NS,
	GM_UNIT_GTPS,
	GM_UNIT_DECI_GTPS,
	GM_UNIT_GBPS,
	GM_UNIT_KB,
	GM_UNIT_PERCENT,
};

/* Where the values of a field stand, whatever kind of table it is. */
struct span {
	size_t offset, stride;
	unsigned int width, count, records, unit;
	bool is_signed;
};

static uint64_t little_endian(const uint8_t *at, unsigned int width)
{
	uint64_t value = 0;
	unsigned int i;

	for (i = 0; i < width; i++)
		value |= (uint64_t)at[i] << (8 * i);
	return value;
}

/* Keeps where the values of one attribute stand. Unknown ids and second copies are passed over. */
static void stream_keep(struct gm_table *t, uint32_t encoding, size_t offset)
{
	enum gm_field field = gm_attribute_field(encoding >> 10 & 0x3ff);

	if (field == GM_FIELDS || gm_count(t, field) > 0 || t->attributes_count == GM_ATTRIBUTES_MAX)
		return;
	t->attributes[t->attributes_count++] = (struct gm_attribute){
		.field = field,
		.offset = (uint16_t)offset,
		.count = encoding & 0x3ff,
		.width = 1 << (encoding >> 21 & 3),
		.unit = (uint8_t)(encoding >> 24),
		.is_signed = encoding >> 20 & 1,
	};
}

/* A stream has no version of its own to tell a wrong reading by: it must end exactly where its size says. */
static int stream_walk(struct gm_table *t)
{
	size_t at = GM_HEADER_SIZE + 4, length;
	uint32_t left, encoding;

	if (t->size < at)
		return -EBADMSG;
	for (left = (uint32_t)little_endian(t->bytes + GM_HEADER_SIZE, 4); left > 0; left--) {
		if (t->size - at < 8)
			return -EBADMSG;
		encoding = (uint32_t)little_endian(t->bytes + at, 4);
		at += 8;
		if (encoding >> 20 & 8) /* a type of unknown width cannot be passed over */
			return -EBADMSG;
		length = (size_t)(encoding & 0x3ff) << (encoding >> 21 & 3);
		if (t->size - at < length)
			return -EBADMSG;
		stream_keep(t, encoding, at);
		at += length;
	}
	return at == t->size ? 0 : -EBADMSG;
}

static int stream_parse(struct gm_table *t)
{
	int r = stream_walk(t);

	if (r < 0)
		t->attributes_count = 0;
	return r;
}

int gm_parse(const void *bytes, size_t len, struct gm_table *ret)
{
	const struct gm_layout *layout;

	*ret = (struct gm_table){ .bytes = bytes };
	if (len < GM_HEADER_SIZE)
		return -EBADMSG;
	ret->size = (uint16_t)little_endian(ret->bytes, 2);
	ret->format = ret->bytes[2];
	ret->content = ret->bytes[3];
	if (ret->format == 0 || ret->format == 0xff)
		return -EBADMSG;
	if (ret->size < GM_HEADER_SIZE || ret->size > len)
		return -EBADMSG;
	if (ret->format == STREAM_FORMAT && ret->content == STREAM_CONTENT)
		return stream_parse(ret);
	layout = gm_layout_find(ret->format, ret->content);
	if (!layout)
		return -EOPNOTSUPP;
	if (ret->size < layout->size)
		return -EBADMSG;
	ret->layout = layout;
	return 0;
}

static bool place_find(const struct gm_layout *layout, enum gm_field field, struct span *ret)
{
	const struct gm_place *p;

	for (p = layout->places; p < layout->places + layout->places_count; p++) {
		if (p->field != field)
			continue;
		*ret = (struct span){ .offset = p->offset,
				      .stride = p->stride,
				      .width = p->width,
				      .count = p->count,
				      .records = p->records };
		return true;
	}
	return false;
}

static bool attribute_find(const struct gm_table *t, enum gm_field field, struct span *ret)
{
	const struct gm_attribute *a;

	for (a = t->attributes; a < t->attributes + t->attributes_count; a++) {
		if (a->field != field)
			continue;
		*ret = (struct span){ .offset = a->offset,
				      .width = a->width,
				      .count = a->count,
				      .records = 1,
				      .unit = a->unit,
				      .is_signed = a->is_signed };
		return true;
	}
	return false;
}

static bool span_find(const struct gm_table *t, enum gm_field field, struct span *ret)
{
	return t->layout ? place_find(t->layout, field, ret) : attribute_find(t, field, ret);
}

unsigned int gm_count(const struct gm_table *t, enum gm_field field)
{
	struct span span;

	return span_find(t, field, &span) ? span.count : 0;
}

unsigned int gm_records(const struct gm_table *t, enum gm_field field)
{
	struct span span;

	return span_find(t, field, &span) ? span.records : 0;
}

static int span_read(const struct gm_table *t, const struct span *span, unsigned int index, unsigned int record,
		     uint64_t *ret)
{
	uint64_t ones = UINT64_MAX >> (64 - 8 * span->width), value;

	if (index >= span->count || record >= span->records)
		return -EOPNOTSUPP;
	value = little_endian(t->bytes + span->offset + record * span->stride + (size_t)index * span->width,
			      span->width);
	if (value == ones)
		return -EOPNOTSUPP;
	if (span->is_signed && value > ones >> 1)
		value |= ~ones;
	*ret = value;
	return 0;
}

int gm_read(const struct gm_table *t, enum gm_field field, unsigned int index, unsigned int record, uint64_t *ret)
{
	struct span span;

	if (!span_find(t, field, &span))
		return -EOPNOTSUPP;
	return span_read(t, &span, index, record, ret);
}

/* The first record's element as a number, where the table does not say that it is of another unit. */
static int read_in(const struct gm_table *t, enum gm_field field, unsigned int index, enum gm_unit unit, double *ret)
{
	struct span span;
	uint64_t raw;
	int r;

	if (!span_find(t, field, &span))
		return -EOPNOTSUPP;
	if (span.unit != GM_UNIT_NONE && span.unit != unit)
		return -EOPNOTSUPP;
	r = span_read(t, &span, index, 0, &raw);
	if (r < 0)
		return r;
	*ret = span.is_signed ? (double)(int64_t)raw : (double)raw;
	return 0;
}

struct family {
	uint32_t first, last;
	enum gm_asic asic;
};

static const struct family by_gfx[] = {
	{ 90008, 90008, GM_ASIC_MI100 },         { 90010, 90010, GM_ASIC_MI200 },
	{ 90012, 90012, GM_ASIC_RENOIR },        { 90400, 90402, GM_ASIC_MI300 },
	{ 90500, 90500, GM_ASIC_MI350 },         { 100100, 100102, GM_ASIC_NAVI1X },
	{ 100300, 100300, GM_ASIC_NAVI21 },      { 100301, 100302, GM_ASIC_NAVI2X },
	{ 100303, 100303, GM_ASIC_VAN_GOGH },    { 100304, 100304, GM_ASIC_NAVI2X },
	{ 100305, 100306, GM_ASIC_YELLOW_CARP }, { 110000, 110002, GM_ASIC_NAVI3X },
	{ 110003, 110003, GM_ASIC_PHOENIX },     { 110500, 110503, GM_ASIC_STRIX },
	{ 120000, 120001, GM_ASIC_NAVI4X },
};

/* PCI device ids, where KFD is absent or says nothing. */
static const struct family by_device[] = {
	{ 0x1435, 0x1435, GM_ASIC_VAN_GOGH },    { 0x150e, 0x150e, GM_ASIC_STRIX },
	{ 0x1586, 0x1586, GM_ASIC_STRIX },       { 0x15bf, 0x15bf, GM_ASIC_PHOENIX },
	{ 0x15c8, 0x15c8, GM_ASIC_PHOENIX },     { 0x15e7, 0x15e7, GM_ASIC_RENOIR },
	{ 0x1636, 0x1636, GM_ASIC_RENOIR },      { 0x1638, 0x1638, GM_ASIC_RENOIR },
	{ 0x163f, 0x163f, GM_ASIC_VAN_GOGH },    { 0x164c, 0x164c, GM_ASIC_RENOIR },
	{ 0x164d, 0x164e, GM_ASIC_YELLOW_CARP }, { 0x1681, 0x1681, GM_ASIC_YELLOW_CARP },
	{ 0x1900, 0x1901, GM_ASIC_PHOENIX },     { 0x7310, 0x731f, GM_ASIC_NAVI1X },
	{ 0x7340, 0x734f, GM_ASIC_NAVI1X },      { 0x7360, 0x7362, GM_ASIC_NAVI1X },
	{ 0x7388, 0x7390, GM_ASIC_MI100 },       { 0x73a0, 0x73bf, GM_ASIC_NAVI21 },
	{ 0x73c0, 0x73ff, GM_ASIC_NAVI2X },      { 0x7408, 0x7410, GM_ASIC_MI200 },
	{ 0x7420, 0x743f, GM_ASIC_NAVI2X },      { 0x7440, 0x749f, GM_ASIC_NAVI3X },
	{ 0x74a0, 0x74bf, GM_ASIC_MI300 },       { 0x7550, 0x755f, GM_ASIC_NAVI4X },
	{ 0x7590, 0x759f, GM_ASIC_NAVI4X },      { 0x75a0, 0x75bf, GM_ASIC_MI350 },
};

static enum gm_asic family_find(const struct family *families, size_t count, uint32_t number)
{
	const struct family *f;

	for (f = families; f < families + count; f++)
		if (number >= f->first && number <= f->last)
			return f->asic;
	return GM_ASIC_UNKNOWN;
}

enum gm_asic gm_asic_of(uint32_t gfx_target_version, uint32_t device_id)
{
	if (gfx_target_version != 0)
		return family_find(by_gfx, COUNT(by_gfx), gfx_target_version);
	return family_find(by_device, COUNT(by_device), device_id);
}

static const struct {
	uint16_t field;
	uint8_t index;
	bool zero_is_absent;
} sensors[GM_SENSORS] = {
	[GM_SENSOR_EDGE] = { GM_TEMPERATURE_EDGE, 0, false },
	[GM_SENSOR_HOTSPOT] = { GM_TEMPERATURE_HOTSPOT, 0, false },
	[GM_SENSOR_MEMORY] = { GM_TEMPERATURE_MEM, 0, false },
	[GM_SENSOR_VR_GFX] = { GM_TEMPERATURE_VRGFX, 0, true },
	[GM_SENSOR_VR_SOC] = { GM_TEMPERATURE_VRSOC, 0, true },
	[GM_SENSOR_VR_MEM] = { GM_TEMPERATURE_VRMEM, 0, true },
	[GM_SENSOR_HBM0] = { GM_TEMPERATURE_HBM, 0, false },
	[GM_SENSOR_HBM1] = { GM_TEMPERATURE_HBM, 1, false },
	[GM_SENSOR_HBM2] = { GM_TEMPERATURE_HBM, 2, false },
	[GM_SENSOR_HBM3] = { GM_TEMPERATURE_HBM, 3, false },
	[GM_SENSOR_GFX] = { GM_TEMPERATURE_GFX, 0, false },
	[GM_SENSOR_SOC] = { GM_TEMPERATURE_SOC, 0, false },
	[GM_SENSOR_SKIN] = { GM_TEMPERATURE_SKIN, 0, false },
};

int gm_temperature(const struct gm_table *t, enum gm_sensor sensor, double *ret_celsius)
{
	double raw;
	int r;

	r = read_in(t, sensors[sensor].field, sensors[sensor].index, GM_UNIT_CELSIUS, &raw);
	if (r < 0)
		return r;
	if (raw == 0 && sensors[sensor].zero_is_absent)
		return -EOPNOTSUPP;
	*ret_celsius = t->format == 1 ? raw : raw / 100;
	return 0;
}

int gm_power(const struct gm_table *t, double *ret_watts)
{
	double raw;
	int r;

	r = read_in(t, GM_CURR_SOCKET_POWER, 0, GM_UNIT_WATT, &raw);
	if (r < 0)
		r = read_in(t, GM_AVERAGE_SOCKET_POWER, 0, GM_UNIT_WATT, &raw);
	if (r < 0)
		return r;
	if (t->format == 2 && raw < 1000)
		return -EOPNOTSUPP;
	*ret_watts = t->format == 1 ? raw : raw / 1000;
	return 0;
}

/* Current clocks first, in the names of the versions, then their averages. */
static const struct {
	uint16_t fields[4];
	bool zero_is_absent;
} clocks[GM_CLOCKS] = {
	[GM_CLOCK_GFX] = { { GM_CURRENT_GFXCLK, GM_AVERAGE_GFXCLK_FREQUENCY, NONE, NONE }, false },
	[GM_CLOCK_MEMORY] = { { GM_CURRENT_UCLK, GM_AVERAGE_UCLK_FREQUENCY, NONE, NONE }, true },
	[GM_CLOCK_SOC] = { { GM_CURRENT_SOCCLK, GM_AVERAGE_SOCCLK_FREQUENCY, NONE, NONE }, true },
	[GM_CLOCK_FABRIC] = { { GM_CURRENT_FCLK, GM_AVERAGE_FCLK_FREQUENCY, NONE, NONE }, true },
	[GM_CLOCK_VIDEO] = { { GM_CURRENT_VCLK0, GM_CURRENT_VCLK, GM_AVERAGE_VCLK0_FREQUENCY,
			       GM_AVERAGE_VCLK_FREQUENCY },
			     false },
	[GM_CLOCK_DECODE] = { { GM_CURRENT_DCLK0, GM_CURRENT_DCLK, GM_AVERAGE_DCLK0_FREQUENCY,
				GM_AVERAGE_DCLK_FREQUENCY },
			      false },
};

int gm_clock(const struct gm_table *t, enum gm_clock clock, unsigned int index, double *ret_hertz)
{
	double megahertz;
	size_t i;

	for (i = 0; i < COUNT(clocks[clock].fields); i++) {
		if (read_in(t, clocks[clock].fields[i], index, GM_UNIT_MHZ, &megahertz) < 0)
			continue;
		if (megahertz == 0 && clocks[clock].zero_is_absent)
			continue;
		*ret_hertz = megahertz * 1e6;
		return 0;
	}
	return -EOPNOTSUPP;
}

/* Records behind the partitions in use mean nothing. */
static unsigned int records_used(const struct gm_table *t, unsigned int records)
{
	uint64_t partitions;

	if (records > 1 && gm_read(t, GM_NUM_PARTITION, 0, 0, &partitions) == 0 && partitions < records)
		return (unsigned int)partitions;
	return records;
}

/* Mean ratio of all elements that are supported; `full` is what the table writes for 100 %. */
static int mean_ratio(const struct gm_table *t, enum gm_field field, unsigned int full, double *ret)
{
	unsigned int records, record, index, n = 0;
	struct span span;
	uint64_t raw;
	double sum = 0;

	if (!span_find(t, field, &span) || (span.unit != GM_UNIT_NONE && span.unit != GM_UNIT_PERCENT))
		return -EOPNOTSUPP;
	records = records_used(t, span.records);
	for (record = 0; record < records; record++)
		for (index = 0; index < span.count; index++) {
			if (span_read(t, &span, index, record, &raw) < 0)
				continue;
			if (raw > full)
				return -ERANGE;
			sum += (double)raw;
			n++;
		}
	if (n == 0)
		return -EOPNOTSUPP;
	*ret = sum / ((double)n * full);
	return 0;
}

/* A version has at most one field of each list. */
static const uint16_t engines[GM_ENGINES][4] = {
	[GM_ENGINE_GFX] = { GM_AVERAGE_GFX_ACTIVITY, NONE, NONE, NONE },
	[GM_ENGINE_MEMORY] = { GM_AVERAGE_UMC_ACTIVITY, NONE, NONE, NONE },
	[GM_ENGINE_MEDIA] = { GM_AVERAGE_MM_ACTIVITY, GM_AVERAGE_VCN_ACTIVITY, GM_VCN_ACTIVITY, GM_XCP_VCN_BUSY },
};

int gm_activity(const struct gm_table *t, enum gm_engine engine, double *ret_ratio)
{
	unsigned int full = t->format == 2 ? 10000 : 100;
	int r = -EOPNOTSUPP;
	size_t i;

	for (i = 0; i < COUNT(engines[engine]) && r == -EOPNOTSUPP; i++)
		r = mean_ratio(t, engines[engine][i], full, ret_ratio);
	return r;
}

enum gm_energy_unit gm_energy_unit_of(enum gm_asic asic)
{
	switch (asic) {
	case GM_ASIC_MI200:
	case GM_ASIC_MI300:
	case GM_ASIC_MI350:
		return GM_ENERGY_2_16_J;
	case GM_ASIC_MI100:
		return GM_ENERGY_1_J;
	case GM_ASIC_NAVI21:
		return GM_ENERGY_1_MJ;
	default:
		return GM_ENERGY_UNKNOWN;
	}
}

int gm_energy(const struct gm_table *t, enum gm_energy_unit unit, double *ret_joules)
{
	static const double counts_per_joule[GM_ENERGY_UNITS] = {
		[GM_ENERGY_2_16_J] = 65536,
		[GM_ENERGY_1_J] = 1,
		[GM_ENERGY_1_MJ] = 1000,
	};
	uint64_t raw;

	if (t->format == 1 && t->content >= 4)
		unit = GM_ENERGY_2_16_J;
	if (unit == GM_ENERGY_UNKNOWN || gm_read(t, GM_ENERGY_ACCUMULATOR, 0, 0, &raw) < 0 || raw == 0)
		return -EOPNOTSUPP;
	*ret_joules = (double)raw / counts_per_joule[unit];
	return 0;
}

int gm_fan_rpm(const struct gm_table *t, double *ret_rpm)
{
	return read_in(t, GM_CURRENT_FAN_SPEED, 0, GM_UNIT_NONE, ret_rpm);
}

int gm_pcie_width(const struct gm_table *t, double *ret_lanes)
{
	double lanes;

	if (read_in(t, GM_PCIE_LINK_WIDTH, 0, GM_UNIT_NONE, &lanes) < 0 || lanes == 0)
		return -EOPNOTSUPP;
	*ret_lanes = lanes;
	return 0;
}

int gm_pcie_speed(const struct gm_table *t, double *ret_transfers_per_second)
{
	double speed, scale = 1e8;

	if (read_in(t, GM_PCIE_LINK_SPEED, 0, GM_UNIT_DECI_GTPS, &speed) < 0) {
		scale = 1e9;
		if (read_in(t, GM_PCIE_LINK_SPEED, 0, GM_UNIT_GTPS, &speed) < 0)
			return -EOPNOTSUPP;
	}
	if (speed == 0)
		return -EOPNOTSUPP;
	*ret_transfers_per_second = speed * scale;
	return 0;
}

int gm_system_clock_ns(const struct gm_table *t, uint64_t *ret_ns)
{
	return gm_read(t, GM_SYSTEM_CLOCK_COUNTER, 0, 0, ret_ns);
}
