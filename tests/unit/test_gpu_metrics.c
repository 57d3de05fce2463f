/* test_gpu_metrics - the decoder, on tables whose bytes are set here at literal offsets (so that a wrong layout shows)
 * and on the blobs of ../shared/field-data against their readings by an independent decoder. */
#include "collectors/gpu_metrics.h"
#include "tests/unit/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct blob {
	size_t size;
	uint8_t bytes[GM_SIZE_MAX];
};

static void put(struct blob *b, size_t at, unsigned int width, uint64_t value)
{
	for (; width > 0; width--, at++, value >>= 8)
		b->bytes[at] = (uint8_t)value;
}

/* As the driver begins: all ones, then the header. */
static struct blob *blob_new(uint16_t size, uint8_t format, uint8_t content)
{
	static struct blob b;

	memset(b.bytes, 0xff, sizeof(b.bytes));
	b.size = size;
	put(&b, 0, 2, size);
	put(&b, 2, 1, format);
	put(&b, 3, 1, content);
	return &b;
}

static int parse(const struct blob *b, struct gm_table *ret)
{
	return gm_parse(b->bytes, b->size, ret);
}

static double number(int r, double value)
{
	assert_int_equal(r, 0);
	return value;
}

#define assert_reads(want, call)                                      \
	do {                                                          \
		double value = -1;                                    \
		int result = call;                                    \
		assert_true(number(result, value) == (double)(want)); \
	} while (0)

#define assert_absent(call)                          \
	do {                                         \
		double value = -1;                   \
		assert_int_equal(call, -EOPNOTSUPP); \
		assert_true(value == -1);            \
	} while (0)

/* What the version lacks, or has in places that are not there. */
static void assert_v1_3_places(const struct gm_table *t)
{
	uint64_t raw;

	assert_int_equal(gm_read(t, GM_FIRMWARE_TIMESTAMP, 0, 0, &raw), -EOPNOTSUPP);
	assert_int_equal(gm_read(t, GM_NUM_PARTITION, 0, 0, &raw), -EOPNOTSUPP);
	assert_int_equal(gm_read(t, GM_FIELDS, 0, 0, &raw), -EOPNOTSUPP);
	assert_int_equal(gm_read(t, GM_TEMPERATURE_EDGE, 1, 0, &raw), -EOPNOTSUPP);
	assert_int_equal(gm_read(t, GM_TEMPERATURE_EDGE, 0, 1, &raw), -EOPNOTSUPP);
	assert_int_equal(gm_count(t, GM_TEMPERATURE_HBM), 4);
	assert_int_equal(gm_records(t, GM_TEMPERATURE_HBM), 1);
	assert_int_equal(gm_count(t, GM_NUM_PARTITION), 0);
	assert_int_equal(gm_records(t, GM_NUM_PARTITION), 0);
}

static void test_v1_3(void **state)
{
	struct blob *b = blob_new(120, 1, 3);
	struct gm_table t;
	uint64_t raw;

	(void)state;
	put(b, 4, 2, 45);
	put(b, 6, 2, 61);
	put(b, 8, 2, 58);
	put(b, 10, 2, 0);
	put(b, 12, 2, 47);
	put(b, 16, 2, 87);
	put(b, 18, 2, 12);
	put(b, 22, 2, 214);
	put(b, 24, 8, 65536 * 7 + 32768);
	put(b, 32, 8, 1655390000000);
	put(b, 42, 2, 1000);
	put(b, 54, 2, 1700);
	put(b, 56, 2, 0);
	put(b, 58, 2, 1600);
	put(b, 60, 2, 0);
	put(b, 68, 4, 1);
	put(b, 72, 2, 868);
	put(b, 74, 2, 16);
	put(b, 76, 2, 160);
	put(b, 88, 2, 50);
	put(b, 94, 2, 53);
	put(b, 112, 8, 0x1000000001);
	assert_int_equal(parse(b, &t), 0);
	assert_reads(45, gm_temperature(&t, GM_SENSOR_EDGE, &value));
	assert_reads(61, gm_temperature(&t, GM_SENSOR_HOTSPOT, &value));
	assert_reads(58, gm_temperature(&t, GM_SENSOR_MEMORY, &value));
	assert_absent(gm_temperature(&t, GM_SENSOR_VR_GFX, &value)); /* 0 */
	assert_reads(47, gm_temperature(&t, GM_SENSOR_VR_SOC, &value));
	assert_absent(gm_temperature(&t, GM_SENSOR_VR_MEM, &value)); /* all ones */
	assert_reads(50, gm_temperature(&t, GM_SENSOR_HBM0, &value));
	assert_absent(gm_temperature(&t, GM_SENSOR_HBM1, &value));
	assert_reads(53, gm_temperature(&t, GM_SENSOR_HBM3, &value));
	assert_absent(gm_temperature(&t, GM_SENSOR_SKIN, &value)); /* no such field */
	assert_reads(0.87, gm_activity(&t, GM_ENGINE_GFX, &value));
	assert_reads(0.12, gm_activity(&t, GM_ENGINE_MEMORY, &value));
	assert_absent(gm_activity(&t, GM_ENGINE_MEDIA, &value));
	assert_reads(214, gm_power(&t, &value));
	assert_reads(7.5, gm_energy(&t, GM_ENERGY_2_16_J, &value));
	assert_reads(491520, gm_energy(&t, GM_ENERGY_1_J, &value));
	assert_reads(491.52, gm_energy(&t, GM_ENERGY_1_MJ, &value));
	assert_absent(gm_energy(&t, GM_ENERGY_UNKNOWN, &value));
	assert_reads(1.7e9, gm_clock(&t, GM_CLOCK_GFX, 0, &value));
	assert_absent(gm_clock(&t, GM_CLOCK_GFX, 1, &value));
	assert_reads(1.6e9, gm_clock(&t, GM_CLOCK_MEMORY, 0, &value));
	assert_reads(1e9, gm_clock(&t, GM_CLOCK_SOC, 0, &value)); /* current is not filled: the average */
	assert_absent(gm_clock(&t, GM_CLOCK_FABRIC, 0, &value));
	assert_reads(0, gm_clock(&t, GM_CLOCK_VIDEO, 0, &value)); /* gated */
	assert_absent(gm_clock(&t, GM_CLOCK_DECODE, 0, &value));
	assert_reads(868, gm_fan_rpm(&t, &value));
	assert_reads(16, gm_pcie_width(&t, &value));
	assert_reads(16e9, gm_pcie_speed(&t, &value));
	assert_int_equal(gm_system_clock_ns(&t, &raw), 0);
	assert_true(raw == 1655390000000);
	assert_int_equal(gm_read(&t, GM_INDEP_THROTTLE_STATUS, 0, 0, &raw), 0);
	assert_true(raw == 0x1000000001);
	assert_v1_3_places(&t);
}

/* v1_0 has 4 bytes of hole, a counter of 32 bits, and the link in single bytes. */
static void test_v1_0(void **state)
{
	struct blob *b = blob_new(80, 1, 0);
	struct gm_table t;
	uint64_t raw;

	(void)state;
	put(b, 8, 8, 5000000000);
	put(b, 16, 2, 45);
	put(b, 34, 2, 100);
	put(b, 36, 4, 12000);
	put(b, 74, 1, 16);
	assert_int_equal(parse(b, &t), 0);
	assert_int_equal(gm_system_clock_ns(&t, &raw), 0);
	assert_true(raw == 5000000000);
	assert_reads(45, gm_temperature(&t, GM_SENSOR_EDGE, &value));
	assert_reads(100, gm_power(&t, &value));
	assert_reads(12, gm_energy(&t, GM_ENERGY_1_MJ, &value));
	assert_reads(16, gm_pcie_width(&t, &value));
	assert_absent(gm_pcie_speed(&t, &value)); /* 0xff */
}

static void test_v1_6(void **state)
{
	struct blob *b = blob_new(1664, 1, 6);
	struct gm_table t;
	uint64_t raw;
	unsigned int i;

	(void)state;
	put(b, 4, 2, 71);
	put(b, 10, 2, 733);
	put(b, 12, 2, 100);
	put(b, 14, 2, 101);
	put(b, 16, 8, 1241712804864);
	put(b, 24, 8, 148350752327773);
	put(b, 60, 2, 16);
	put(b, 62, 2, 320);
	put(b, 264, 2, 131);
	put(b, 278, 2, 2100);
	put(b, 304, 2, 900);
	put(b, 306, 2, 2);
	put(b, 312, 4, 33);                /* partition 0, XCC 0 */
	put(b, 312 + 168 + 4, 4, 44);      /* partition 1, XCC 1 */
	put(b, 312 + 7 * 168 + 28, 4, 55); /* the last of all */
	for (i = 0; i < 4; i++)
		put(b, 312 + 96 + 2 * i, 2, 10 * i);
	put(b, 312 + 168 + 96, 2, 40);
	put(b, 312 + 2 * 168 + 96, 2, 100); /* not a partition in use */
	put(b, 1656, 4, 9);
	assert_int_equal(parse(b, &t), 0);
	assert_reads(71, gm_temperature(&t, GM_SENSOR_HOTSPOT, &value));
	assert_absent(gm_temperature(&t, GM_SENSOR_EDGE, &value));
	assert_reads(733, gm_power(&t, &value));
	assert_reads(1, gm_activity(&t, GM_ENGINE_GFX, &value));
	assert_reads(0.2, gm_activity(&t, GM_ENGINE_MEDIA, &value)); /* (0 + 10 + 20 + 30 + 40) / 5 */
	assert_reads(1241712804864 / 65536.0, gm_energy(&t, GM_ENERGY_UNKNOWN, &value));
	assert_reads(32e9, gm_pcie_speed(&t, &value));
	assert_reads(131e6, gm_clock(&t, GM_CLOCK_GFX, 0, &value));
	assert_absent(gm_clock(&t, GM_CLOCK_GFX, 1, &value));
	assert_reads(2.1e9, gm_clock(&t, GM_CLOCK_GFX, 7, &value));
	assert_reads(9e8, gm_clock(&t, GM_CLOCK_MEMORY, 0, &value));
	assert_absent(gm_fan_rpm(&t, &value));
	assert_int_equal(gm_records(&t, GM_XCP_GFX_BUSY_INST), 8);
	assert_int_equal(gm_read(&t, GM_XCP_GFX_BUSY_INST, 0, 0, &raw), 0);
	assert_int_equal(raw, 33);
	assert_int_equal(gm_read(&t, GM_XCP_GFX_BUSY_INST, 1, 1, &raw), 0);
	assert_int_equal(raw, 44);
	assert_int_equal(gm_read(&t, GM_XCP_GFX_BUSY_INST, 7, 7, &raw), 0);
	assert_int_equal(raw, 55);
	assert_int_equal(gm_read(&t, GM_XCP_GFX_BUSY_INST, 7, 8, &raw), -EOPNOTSUPP);
	assert_int_equal(gm_read(&t, GM_PCIE_LC_PERF_OTHER_END_RECOVERY, 0, 0, &raw), 0);
	assert_int_equal(raw, 9);
}

static void test_beyond_100_percent(void **state)
{
	struct blob *b = blob_new(120, 1, 3);
	struct gm_table t;
	double value = -1;

	(void)state;
	put(b, 16, 2, 101);
	put(b, 18, 2, 65534);
	assert_int_equal(parse(b, &t), 0);
	assert_int_equal(gm_activity(&t, GM_ENGINE_GFX, &value), -ERANGE);
	assert_int_equal(gm_activity(&t, GM_ENGINE_MEMORY, &value), -ERANGE);
	assert_true(value == -1);
}

static void test_v2_1(void **state)
{
	struct blob *b = blob_new(120, 2, 1);
	struct gm_table t;
	uint64_t raw;

	(void)state;
	put(b, 4, 2, 2537);
	put(b, 6, 2, 4000);
	put(b, 28, 2, 79);
	put(b, 30, 2, 10000);
	put(b, 32, 8, 406209264197600);
	put(b, 40, 2, 3401);
	put(b, 64, 2, 800);
	put(b, 68, 2, 2800);
	put(b, 72, 2, 400);
	put(b, 76, 2, 1100);
	put(b, 82, 2, 1600);
	put(b, 86, 2, 300);
	assert_int_equal(parse(b, &t), 0);
	assert_reads(25.37, gm_temperature(&t, GM_SENSOR_GFX, &value));
	assert_reads(40, gm_temperature(&t, GM_SENSOR_SOC, &value));
	assert_absent(gm_temperature(&t, GM_SENSOR_EDGE, &value));
	assert_reads(0.0079, gm_activity(&t, GM_ENGINE_GFX, &value));
	assert_absent(gm_activity(&t, GM_ENGINE_MEMORY, &value));
	assert_reads(1, gm_activity(&t, GM_ENGINE_MEDIA, &value));
	assert_reads(3.401, gm_power(&t, &value));
	assert_absent(gm_energy(&t, GM_ENERGY_1_J, &value));
	assert_reads(1.1e9, gm_clock(&t, GM_CLOCK_GFX, 0, &value));
	assert_reads(2.8e9, gm_clock(&t, GM_CLOCK_MEMORY, 0, &value)); /* the average */
	assert_reads(1.6e9, gm_clock(&t, GM_CLOCK_FABRIC, 0, &value));
	assert_reads(4e8, gm_clock(&t, GM_CLOCK_VIDEO, 0, &value));
	assert_reads(3e8, gm_clock(&t, GM_CLOCK_DECODE, 0, &value));
	assert_absent(gm_clock(&t, GM_CLOCK_SOC, 0, &value));
	assert_absent(gm_pcie_width(&t, &value));
	put(b, 40, 2, 18); /* watts, or next to nothing */
	assert_absent(gm_power(&t, &value));
	assert_int_equal(gm_read(&t, GM_AVERAGE_SOCKET_POWER, 0, 0, &raw), 0);
	assert_int_equal(raw, 18);
	put(b, 28, 2, 10001);
	assert_int_equal(gm_activity(&t, GM_ENGINE_GFX, &(double){ 0 }), -ERANGE);
}

static void test_v3_0(void **state)
{
	struct blob *b = blob_new(264, 3, 0);
	struct gm_table t;
	uint64_t raw;

	(void)state;
	put(b, 4, 2, 3812);
	put(b, 6, 2, 4062);
	put(b, 40, 2, 3598);
	put(b, 42, 2, 3);
	put(b, 44, 2, 50);
	put(b, 104, 8, 152155057130097);
	put(b, 112, 4, 98390);
	put(b, 174, 2, 849);
	put(b, 176, 2, 628);
	put(b, 182, 2, 1162);
	put(b, 184, 2, 800);
	put(b, 186, 2, 836);
	put(b, 240, 4, 257);
	put(b, 256, 4, 1000000);
	assert_int_equal(parse(b, &t), 0);
	assert_reads(38.12, gm_temperature(&t, GM_SENSOR_GFX, &value));
	assert_reads(40.62, gm_temperature(&t, GM_SENSOR_SOC, &value));
	assert_reads(35.98, gm_temperature(&t, GM_SENSOR_SKIN, &value));
	assert_reads(0.03, gm_activity(&t, GM_ENGINE_GFX, &value));
	assert_reads(0.5, gm_activity(&t, GM_ENGINE_MEDIA, &value));
	assert_reads(98.39, gm_power(&t, &value));
	assert_reads(849e6, gm_clock(&t, GM_CLOCK_GFX, 0, &value));
	assert_reads(836e6, gm_clock(&t, GM_CLOCK_MEMORY, 0, &value));
	assert_reads(628e6, gm_clock(&t, GM_CLOCK_SOC, 0, &value));
	assert_reads(1162e6, gm_clock(&t, GM_CLOCK_FABRIC, 0, &value));
	assert_reads(8e8, gm_clock(&t, GM_CLOCK_VIDEO, 0, &value));
	assert_absent(gm_clock(&t, GM_CLOCK_DECODE, 0, &value));
	assert_int_equal(gm_system_clock_ns(&t, &raw), 0);
	assert_true(raw == 152155057130097);
	assert_int_equal(gm_read(&t, GM_THROTTLE_RESIDENCY_SPPT, 0, 0, &raw), 0);
	assert_int_equal(raw, 257);
	assert_int_equal(gm_read(&t, GM_TIME_FILTER_ALPHAVALUE, 0, 0, &raw), 0);
	assert_int_equal(raw, 1000000);
	assert_int_equal(gm_read(&t, GM_AVERAGE_SYS_POWER, 0, 0, &raw), -EOPNOTSUPP);
}

/* One attribute of a stream, its values all equal. */
static void attribute(struct blob *b, unsigned int unit, unsigned int type, unsigned int id, unsigned int count,
		      uint64_t value)
{
	unsigned int width = 1 << type / 2, i;

	put(b, b->size, 8, (uint64_t)unit << 24 | type << 20 | id << 10 | count);
	b->size += 8;
	for (i = 0; i < count; i++, b->size += width)
		put(b, b->size, width, value);
	put(b, 0, 2, b->size);
	put(b, 4, 4, b->bytes[4] + 1U);
}

static struct blob *stream_new(void)
{
	struct blob *b = blob_new(8, 1, 9);

	put(b, 4, 4, 0);
	return b;
}

static void test_v1_9(void **state)
{
	struct blob *b = stream_new();
	struct gm_table t;
	uint64_t raw;

	(void)state;
	attribute(b, 2, 2, 0, 1, 41);              /* hotspot, u16 */
	attribute(b, 0, 4, 700, 3, 7);             /* unknown, u32 x 3 */
	attribute(b, 2, 3, 1, 1, (uint64_t)-5);    /* memory temperature, s16 */
	attribute(b, 2, 3, 2, 1, UINT64_MAX);      /* VR temperature, s16, not supported */
	attribute(b, 3, 2, 3, 1, 148);             /* power */
	attribute(b, 1, 2, 4, 1, 3);               /* activity in MHz: a mistake */
	attribute(b, 0, 2, 5, 1, 7);               /* activity without a unit */
	attribute(b, 0, 6, 7, 1, 65536 * 9);       /* energy */
	attribute(b, 4, 6, 8, 1, 148350752327773); /* clock */
	attribute(b, 6, 2, 17, 1, 32);             /* link speed in GT/s, not tenths */
	attribute(b, 0, 0, 16, 1, 16);             /* link width in one byte */
	attribute(b, 1, 2, 33, 8, 131);            /* clocks */
	attribute(b, 0, 2, 38, 1, 1);              /* partitions */
	attribute(b, 10, 2, 42, 4, 25);            /* video engines */
	attribute(b, 2, 2, 0, 1, 99);              /* hotspot again */
	attribute(b, 0, 2, 34, 0, 0);              /* none at all */
	assert_int_equal(parse(b, &t), 0);
	assert_reads(41, gm_temperature(&t, GM_SENSOR_HOTSPOT, &value));
	assert_reads(-5, gm_temperature(&t, GM_SENSOR_MEMORY, &value));
	assert_absent(gm_temperature(&t, GM_SENSOR_VR_SOC, &value));
	assert_int_equal(gm_read(&t, GM_TEMPERATURE_MEM, 0, 0, &raw), 0);
	assert_int_equal((int64_t)raw, -5);
	assert_reads(148, gm_power(&t, &value));
	assert_absent(gm_activity(&t, GM_ENGINE_GFX, &value));
	assert_reads(0.07, gm_activity(&t, GM_ENGINE_MEMORY, &value));
	assert_reads(0.25, gm_activity(&t, GM_ENGINE_MEDIA, &value));
	assert_reads(9, gm_energy(&t, GM_ENERGY_UNKNOWN, &value));
	assert_reads(32e9, gm_pcie_speed(&t, &value));
	assert_reads(16, gm_pcie_width(&t, &value));
	assert_reads(131e6, gm_clock(&t, GM_CLOCK_GFX, 7, &value));
	assert_absent(gm_clock(&t, GM_CLOCK_GFX, 8, &value));
	assert_absent(gm_clock(&t, GM_CLOCK_SOC, 0, &value));
	assert_int_equal(gm_count(&t, GM_CURRENT_GFXCLK), 8);
	assert_int_equal(gm_system_clock_ns(&t, &raw), 0);
	assert_true(raw == 148350752327773);
}

static void assert_malformed(const struct blob *b)
{
	struct gm_table t;
	uint64_t raw;

	assert_int_equal(parse(b, &t), -EBADMSG);
	assert_int_equal(gm_read(&t, GM_TEMPERATURE_HOTSPOT, 0, 0, &raw), -EOPNOTSUPP);
}

static void test_malformed_stream(void **state)
{
	struct blob *b = stream_new();

	(void)state;
	attribute(b, 2, 2, 0, 1, 41);
	put(b, 4, 4, 2);
	assert_malformed(b); /* one attribute more than there are */
	put(b, 4, 4, 0xffffffff);
	assert_malformed(b);
	put(b, 4, 4, 0);
	assert_malformed(b); /* ends before its size */
	put(b, 4, 4, 1);
	put(b, 8, 8, 2 << 20 | 2);
	assert_malformed(b); /* values beyond the end */
	put(b, 8, 8, 8 << 20 | 1);
	assert_malformed(b); /* unknown type */
	put(b, 0, 2, 7);
	assert_malformed(b); /* no room for the count */
}

static void test_malformed(void **state)
{
	struct blob *b = blob_new(120, 1, 3);
	struct gm_table t;

	(void)state;
	for (b->size = 0; b->size < 120; b->size++)
		assert_malformed(b); /* torn anywhere */
	b->size = 120;
	put(b, 0, 2, 121);
	assert_malformed(b);
	put(b, 0, 2, 119);
	assert_malformed(b);
	put(b, 0, 2, 0);
	assert_malformed(b);
	put(b, 0, 2, 0xffff);
	assert_malformed(b);
	memset(b->bytes, 0xff, sizeof(b->bytes));
	b->size = sizeof(b->bytes);
	assert_malformed(b);
	memset(b->bytes, 0, sizeof(b->bytes));
	assert_malformed(b);
	assert_int_equal(gm_parse(NULL, 0, &t), -EBADMSG);
}

static void test_longer_than_known(void **state)
{
	struct blob *b = blob_new(120, 1, 3);
	struct gm_table t;

	(void)state;
	put(b, 6, 2, 61);
	b->size = 4096; /* padded file */
	assert_int_equal(parse(b, &t), 0);
	put(b, 0, 2, 160); /* a table with more at its end */
	assert_int_equal(parse(b, &t), 0);
	assert_reads(61, gm_temperature(&t, GM_SENSOR_HOTSPOT, &value));
}

static void test_unknown_version(void **state)
{
	struct blob *b = blob_new(120, 1, 42);
	struct gm_table t;

	(void)state;
	assert_int_equal(parse(b, &t), -EOPNOTSUPP);
	assert_int_equal(t.format, 1);
	assert_int_equal(t.content, 42);
	assert_absent(gm_temperature(&t, GM_SENSOR_HOTSPOT, &value));
	assert_int_equal(parse(blob_new(120, 4, 0), &t), -EOPNOTSUPP);
	assert_int_equal(t.format, 4);
}

/* Three versions are 120 bytes long; the same bytes mean other things in each. */
static void test_same_size_versions(void **state)
{
	struct blob *b = blob_new(120, 1, 3);
	struct gm_table t;

	(void)state;
	put(b, 4, 2, 1111);
	put(b, 16, 2, 2222);
	assert_int_equal(parse(b, &t), 0);
	assert_reads(1111, gm_temperature(&t, GM_SENSOR_EDGE, &value));
	put(b, 2, 2, 2);
	assert_int_equal(parse(b, &t), 0);
	assert_reads(22.22, gm_temperature(&t, GM_SENSOR_GFX, &value));
	put(b, 2, 2, 2 | 1 << 8);
	assert_int_equal(parse(b, &t), 0);
	assert_reads(11.11, gm_temperature(&t, GM_SENSOR_GFX, &value));
}

/* Bytes that no field covers: the hole after the header, padding, and the tail. First and last of each gap. */
static const struct {
	uint8_t format, content;
	uint16_t size, gaps[8];
} holes[] = {
	{ 1, 0, 80, { 4, 7, 76, 79 } },
	{ 1, 1, 96, { 78, 79 } },
	{ 1, 2, 104, { 78, 79 } },
	{ 1, 3, 120, { 78, 79, 110, 111 } },
	{ 1, 4, 288, { 282, 287 } },
	{ 1, 5, 360, { 354, 359 } },
	{ 1, 6, 1664, { 76, 79, 308, 311, 1660, 1663 } },
	{ 1, 7, 2208, { 84, 87, 280, 287, 340, 343, 2204, 2207 } },
	{ 1, 8, 3872, { 84, 87, 280, 287, 340, 343, 3868, 3871 } },
	{ 2, 0, 120, { 4, 7, 118, 119 } },
	{ 2, 1, 120, { 114, 119 } },
	{ 2, 2, 128, { 114, 119 } },
	{ 2, 3, 152, { 114, 119 } },
	{ 2, 4, 168, { 114, 119, 164, 167 } },
	{ 3, 0, 264, { 102, 103, 118, 119, 226, 227, 260, 263 } },
};

/* Counts in `covered` how many fields stand on each byte. */
static void cover(const struct gm_layout *layout, uint8_t *covered)
{
	const struct gm_place *p;
	unsigned int record, i;

	memset(covered, 0, layout->size);
	memset(covered, 1, GM_HEADER_SIZE);
	for (p = layout->places; p < layout->places + layout->places_count; p++) {
		assert_int_equal(p->offset % p->width, 0);
		assert_int_equal(p->stride % p->width, 0);
		for (record = 0; record < p->records; record++)
			for (i = 0; i < (unsigned int)p->count * p->width; i++) {
				assert_true(p->offset + record * p->stride + i < layout->size);
				covered[p->offset + record * p->stride + i]++;
			}
	}
}

/* Fields lie side by side as a compiler lays them out: none on another, no gap that the version does not have. */
static void test_layouts(void **state)
{
	static uint8_t covered[GM_SIZE_MAX];
	const struct gm_layout *layout;
	size_t i, gap, at;

	(void)state;
	for (i = 0; i < sizeof(holes) / sizeof(holes[0]); i++) {
		layout = gm_layout_find(holes[i].format, holes[i].content);
		assert_non_null(layout);
		assert_int_equal(layout->size, holes[i].size);
		cover(layout, covered);
		for (gap = 0; gap < 8; gap += 2)
			for (at = holes[i].gaps[gap]; at != 0 && at <= holes[i].gaps[gap + 1]; at++)
				covered[at]++;
		for (at = 0; at < layout->size; at++)
			if (covered[at] != 1)
				fail_msg("v%u_%u: %u fields or gaps on byte %zu", layout->format, layout->content,
					 covered[at], at);
	}
}

static void test_asic_of(void **state)
{
	(void)state;
	assert_int_equal(gm_asic_of(90008, 0), GM_ASIC_MI100);
	assert_int_equal(gm_asic_of(90010, 0x73bf), GM_ASIC_MI200); /* KFD is asked first */
	assert_int_equal(gm_asic_of(90012, 0), GM_ASIC_RENOIR);
	assert_int_equal(gm_asic_of(90402, 0), GM_ASIC_MI300);
	assert_int_equal(gm_asic_of(90500, 0), GM_ASIC_MI350);
	assert_int_equal(gm_asic_of(100103, 0), GM_ASIC_UNKNOWN);
	assert_int_equal(gm_asic_of(100302, 0), GM_ASIC_NAVI2X);
	assert_int_equal(gm_asic_of(100303, 0), GM_ASIC_VAN_GOGH);
	assert_int_equal(gm_asic_of(110003, 0), GM_ASIC_PHOENIX);
	assert_int_equal(gm_asic_of(110501, 0), GM_ASIC_STRIX);
	assert_int_equal(gm_asic_of(120001, 0), GM_ASIC_NAVI4X);
	assert_int_equal(gm_asic_of(90000, 0), GM_ASIC_UNKNOWN);
	assert_int_equal(gm_asic_of(0, 0x738c), GM_ASIC_MI100);
	assert_int_equal(gm_asic_of(0, 0x740f), GM_ASIC_MI200);
	assert_int_equal(gm_asic_of(0, 0x74a1), GM_ASIC_MI300);
	assert_int_equal(gm_asic_of(0, 0x75a3), GM_ASIC_MI350);
	assert_int_equal(gm_asic_of(0, 0x73bf), GM_ASIC_NAVI21);
	assert_int_equal(gm_asic_of(0, 0x73df), GM_ASIC_NAVI2X);
	assert_int_equal(gm_asic_of(0, 0x747e), GM_ASIC_NAVI3X);
	assert_int_equal(gm_asic_of(0, 0x7550), GM_ASIC_NAVI4X);
	assert_int_equal(gm_asic_of(0, 0), GM_ASIC_UNKNOWN);
}

static void test_energy_unit(void **state)
{
	(void)state;
	assert_int_equal(gm_energy_unit_of(gm_asic_of(90008, 0)), GM_ENERGY_1_J);
	assert_int_equal(gm_energy_unit_of(gm_asic_of(90010, 0)), GM_ENERGY_2_16_J);
	assert_int_equal(gm_energy_unit_of(gm_asic_of(90402, 0)), GM_ENERGY_2_16_J);
	assert_int_equal(gm_energy_unit_of(gm_asic_of(90500, 0)), GM_ENERGY_2_16_J);
	assert_int_equal(gm_energy_unit_of(gm_asic_of(0, 0x73a0)), GM_ENERGY_1_MJ);
	assert_int_equal(gm_energy_unit_of(gm_asic_of(0, 0x73df)), GM_ENERGY_UNKNOWN);
	assert_int_equal(gm_energy_unit_of(gm_asic_of(110000, 0)), GM_ENERGY_UNKNOWN);
	assert_int_equal(gm_energy_unit_of(GM_ASIC_UNKNOWN), GM_ENERGY_UNKNOWN);
}

/* ---- the blobs of ../shared/field-data ---- */

static const char *field_data(void)
{
	static char path[4096];
	const char *shared = getenv("ROCWATCH_SHARED");

	snprintf(path, sizeof(path), "%s/field-data", shared ? shared : "../shared");
	if (access(path, R_OK) < 0)
		skip_because("no field-data in %s; ROCWATCH_SHARED names another place", shared ? shared : "../shared");
	return path;
}

static size_t read_file(const char *name, void *to, size_t size)
{
	char path[8192];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", field_data(), name);
	f = fopen(path, "rb");
	if (!f)
		fail_msg("%s: %s", path, strerror(errno));
	n = fread(to, 1, size, f);
	fclose(f);
	return n;
}

static struct blob *read_blob(const char *name)
{
	static struct blob b;

	b.size = read_file(name, b.bytes, sizeof(b.bytes));
	return &b;
}

/* Reader of the flat JSON beside a blob: "field": n, "field": [ n, … ], "xcp_stats": [ { … }, … ] and for a stream
 * "attributes": [ { "name": …, "values": [ n, … ] }, … ]. */
struct json {
	const char *at;
	const struct gm_table *table;
	char key[64], name[64], parent[64]; /* parent: key of the array of objects that we are in */
	unsigned int index, record;
	unsigned int compared;
};

static void json_space(struct json *j)
{
	j->at += strspn(j->at, " \n\r\t");
}

static bool json_take(struct json *j, char c)
{
	json_space(j);
	if (*j->at != c)
		return false;
	j->at++;
	return true;
}

static void json_string(struct json *j, char *to)
{
	size_t length;

	assert_true(json_take(j, '"'));
	length = strcspn(j->at, "\"");
	assert_true(length < 64);
	memcpy(to, j->at, length);
	to[length] = '\0';
	j->at += length + 1;
}

static bool is_ones(uint64_t value)
{
	return value == UINT8_MAX || value == UINT16_MAX || value == UINT32_MAX || value == UINT64_MAX;
}

static void compare(struct json *j, const char *name, uint64_t want)
{
	char partition[80];
	uint64_t raw;
	int r;
	enum gm_field field = gm_field_find(name);

	snprintf(partition, sizeof(partition), "xcp_%s", name);
	if (field == GM_FIELDS)
		field = gm_field_find(partition);
	if (field == GM_FIELDS) {
		if (strncmp(name, "padding", 7) != 0 && strcmp(name, "unknown_future_attribute") != 0)
			fail_msg("%s: no such field", name);
		return;
	}
	j->compared++;
	r = gm_read(j->table, field, j->index, j->record, &raw);
	if (r < 0 ? !is_ones(want) : raw != want)
		fail_msg("%s[%u] of record %u: %llu, not %llu (%d)", name, j->index, j->record, (unsigned long long)raw,
			 (unsigned long long)want, r);
}

static void json_number(struct json *j)
{
	bool stream = strcmp(j->parent, "attributes") == 0;
	char *end;
	uint64_t value = strtoull(j->at, &end, 10);

	assert_true(end != j->at);
	j->at = end;
	if (strcmp(j->key, "structure_size") == 0)
		assert_int_equal(value, j->table->size);
	else if (strcmp(j->key, "format_revision") == 0)
		assert_int_equal(value, j->table->format);
	else if (strcmp(j->key, "content_revision") == 0)
		assert_int_equal(value, j->table->content);
	else if (stream ? strcmp(j->key, "values") == 0 : strcmp(j->key, "attr_count") != 0)
		compare(j, stream ? j->name : j->key, value);
}

static void json_object(struct json *j);

static void json_value(struct json *j)
{
	char ignored[64];

	json_space(j);
	if (*j->at == '"')
		json_string(j, strcmp(j->key, "name") == 0 ? j->name : ignored);
	else
		json_number(j);
}

static void json_array(struct json *j)
{
	bool objects, stream;

	json_space(j);
	objects = *j->at == '{';
	if (objects)
		strcpy(j->parent, j->key);
	stream = strcmp(j->parent, "attributes") == 0;
	do {
		if (objects)
			json_object(j);
		else
			json_value(j);
		if (!objects)
			j->index++;
		else if (!stream)
			j->record++;
	} while (json_take(j, ','));
	assert_true(json_take(j, ']'));
	j->index = 0;
	if (objects) {
		j->parent[0] = '\0';
		j->record = 0;
	}
}

static void json_object(struct json *j)
{
	assert_true(json_take(j, '{'));
	do {
		json_string(j, j->key);
		assert_true(json_take(j, ':'));
		if (json_take(j, '['))
			json_array(j);
		else
			json_value(j);
	} while (json_take(j, ','));
	assert_true(json_take(j, '}'));
}

static unsigned int elements(const struct gm_table *t)
{
	unsigned int field, n = 0;

	for (field = 0; field < GM_FIELDS; field++)
		n += gm_count(t, field) * gm_records(t, field);
	return n;
}

static void test_field_data(void **state)
{
	static const char *const blobs[][2] = {
#define CONSTRUCTED(dir) { "constructed/" dir "/gpu_metrics", "constructed/" dir "/expected.json" }
		CONSTRUCTED("v1_0"),
		CONSTRUCTED("v1_1"),
		CONSTRUCTED("v1_2-mi210-like"),
		CONSTRUCTED("v1_3-mi250x-like-hbm"),
		CONSTRUCTED("v1_4-mi300x-like"),
		CONSTRUCTED("v1_5-mi300x-like"),
		CONSTRUCTED("v1_6-mi300x-like-cpx8"),
		CONSTRUCTED("v1_6-mi300x-like-spx"),
		CONSTRUCTED("v1_7-mi325x-like-spx"),
		CONSTRUCTED("v1_8-mi350x-like"),
		CONSTRUCTED("v1_9-attribute-stream"),
		CONSTRUCTED("v2_0"),
		CONSTRUCTED("v2_2-bc250-like-gfx-ffff"),
		CONSTRUCTED("v2_2-renoir-like-socket-watts"),
		CONSTRUCTED("v2_3"),
		CONSTRUCTED("v2_4"),
		{ "lact/phoenix/card1/device/gpu_metrics", "lact/phoenix/gpu_metrics.decoded.json" },
		{ "lact/rx6900xt/card0/device/gpu_metrics", "lact/rx6900xt/gpu_metrics.decoded.json" },
		{ "lact/rx7600s/card1/device/gpu_metrics", "lact/rx7600s/gpu_metrics.decoded.json" },
		{ "lact/rx7800xt/card1/device/gpu_metrics", "lact/rx7800xt/gpu_metrics.decoded.json" },
		{ "lact/strixpoint/card1/device/gpu_metrics", "lact/strixpoint/gpu_metrics.decoded.json" },
		{ "mangohud/unknown-rdna2-dgpu/card0/device/gpu_metrics",
		  "mangohud/unknown-rdna2-dgpu/gpu_metrics.decoded.json" },
		{ "issue-ROCm-amdsmi-38/mi100/sample0/card1/device/gpu_metrics",
		  "issue-ROCm-amdsmi-38/mi100/sample0/gpu_metrics.decoded.json" },
		{ "issue-ROCm-amdsmi-38/mi100/sample1/card1/device/gpu_metrics",
		  "issue-ROCm-amdsmi-38/mi100/sample1/gpu_metrics.decoded.json" },
	};
	static char text[65536];
	struct gm_table t;
	size_t i, n;

	(void)state;
	for (i = 0; i < sizeof(blobs) / sizeof(blobs[0]); i++) {
		struct json j = { .at = text, .table = &t };

		assert_int_equal(parse(read_blob(blobs[i][0]), &t), 0);
		n = read_file(blobs[i][1], text, sizeof(text) - 1);
		text[n] = '\0';
		json_object(&j);
		if (j.compared != elements(&t))
			fail_msg("%s: %u of %u values compared", blobs[i][1], j.compared, elements(&t));
		print_message("%s: %u values\n", blobs[i][0], j.compared);
	}
}

static void test_field_data_bad(void **state)
{
	static const struct {
		const char *name;
		int r;
	} bad[] = {
		{ "constructed/bad-1_9-attr-count-overrun/gpu_metrics", -EBADMSG },
		{ "constructed/bad-empty/gpu_metrics", -EBADMSG },
		{ "constructed/bad-header-only/gpu_metrics", -EBADMSG },
		{ "constructed/bad-size-field-larger-than-file/gpu_metrics", -EBADMSG },
		{ "constructed/bad-size-field-smaller-than-layout/gpu_metrics", -EBADMSG },
		{ "constructed/bad-truncated-60-of-120/gpu_metrics", -EBADMSG },
		{ "mangohud/invalid/card0/device/gpu_metrics", -EBADMSG },
		{ "constructed/future-v1_42/gpu_metrics", -EOPNOTSUPP },
		{ "constructed/future-v4_0/gpu_metrics", -EOPNOTSUPP },
	};
	struct gm_table t;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (parse(read_blob(bad[i].name), &t) != bad[i].r)
			fail_msg("%s: not %d", bad[i].name, bad[i].r);
}

static double energy_of(const char *name, enum gm_energy_unit unit)
{
	struct gm_table t;
	double joules = -1;

	assert_int_equal(parse(read_blob(name), &t), 0);
	assert_int_equal(gm_energy(&t, unit, &joules), 0);
	return joules;
}

static void test_field_energy(void **state)
{
	enum gm_energy_unit mi100 = gm_energy_unit_of(gm_asic_of(90008, 0x738c));
	enum gm_energy_unit navi21 = gm_energy_unit_of(gm_asic_of(0, 0x73bf));
	enum gm_energy_unit mi200 = gm_energy_unit_of(gm_asic_of(90010, 0x740f));
	struct gm_table t;

	(void)state;
	assert_true(energy_of("issue-ROCm-amdsmi-38/mi100/sample1/card1/device/gpu_metrics", mi100) -
			    energy_of("issue-ROCm-amdsmi-38/mi100/sample0/card1/device/gpu_metrics", mi100) ==
		    370);
	assert_true(energy_of("lact/rx6900xt/card0/device/gpu_metrics", navi21) == 17691.682);
	assert_true(energy_of("constructed/v1_2-mi210-like/gpu_metrics", mi200) > 0);
	assert_int_equal(parse(read_blob("lact/rx7800xt/card1/device/gpu_metrics"), &t), 0);
	assert_absent(gm_energy(&t, GM_ENERGY_1_MJ, &value)); /* 0 for ever */
}

static void test_field_apus(void **state)
{
	struct gm_table t;

	(void)state;
	assert_int_equal(parse(read_blob("lact/strixpoint/card1/device/gpu_metrics"), &t), 0);
	assert_reads(38.12, gm_temperature(&t, GM_SENSOR_GFX, &value));
	assert_reads(9.839, gm_power(&t, &value));
	assert_reads(0.03, gm_activity(&t, GM_ENGINE_GFX, &value));
	assert_int_equal(parse(read_blob("lact/phoenix/card1/device/gpu_metrics"), &t), 0);
	assert_reads(25, gm_temperature(&t, GM_SENSOR_GFX, &value));
	assert_reads(3.401, gm_power(&t, &value));
	assert_reads(8e8, gm_clock(&t, GM_CLOCK_GFX, 0, &value)); /* current is all ones */
	assert_int_equal(parse(read_blob("constructed/v2_2-renoir-like-socket-watts/gpu_metrics"), &t), 0);
	assert_absent(gm_power(&t, &value));
	assert_reads(0.43, gm_activity(&t, GM_ENGINE_GFX, &value));
	assert_int_equal(parse(read_blob("constructed/v2_2-bc250-like-gfx-ffff/gpu_metrics"), &t), 0);
	assert_absent(gm_activity(&t, GM_ENGINE_GFX, &value));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_v1_0),
		cmocka_unit_test(test_v1_3),
		cmocka_unit_test(test_v1_6),
		cmocka_unit_test(test_v1_9),
		cmocka_unit_test(test_v2_1),
		cmocka_unit_test(test_v3_0),
		cmocka_unit_test(test_beyond_100_percent),
		cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_malformed_stream),
		cmocka_unit_test(test_longer_than_known),
		cmocka_unit_test(test_unknown_version),
		cmocka_unit_test(test_same_size_versions),
		cmocka_unit_test(test_layouts),
		cmocka_unit_test(test_asic_of),
		cmocka_unit_test(test_energy_unit),
		cmocka_unit_test(test_field_data),
		cmocka_unit_test(test_field_data_bad),
		cmocka_unit_test(test_field_energy),
		cmocka_unit_test(test_field_apus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
