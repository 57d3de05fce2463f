/* test_throttle - the reasons, each family's raw bits one by one, and the residency counters with their wrap. */
#include "collectors/throttle.h"
#include "tests/unit/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint8_t bytes[4096];

static void put(size_t at, unsigned int width, uint64_t value)
{
	for (; width > 0; width--, at++, value >>= 8)
		bytes[at] = (uint8_t)value;
}

static void table_new(uint16_t size, uint8_t format, uint8_t content, struct gm_table *ret)
{
	memset(bytes, 0xff, sizeof(bytes));
	put(0, 2, size);
	put(2, 1, format);
	put(3, 1, content);
	assert_int_equal(gm_parse(bytes, size, ret), 0);
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(throttle_name(0), "ppt0");
	assert_string_equal(throttle_name(16), "tdc_gfx");
	assert_string_equal(throttle_name(36), "temp_hotspot");
	assert_string_equal(throttle_name(47), "prochot_gfx");
	assert_string_equal(throttle_name(57), "fit");
	assert_null(throttle_name(8));
	assert_null(throttle_name(58));
	assert_string_equal(throttle_class_name(THROTTLE_THERMAL), "thermal");
}

static void test_classes(void **state)
{
	uint64_t seen = 0;
	unsigned int class;

	(void)state;
	assert_true(throttle_class_mask(THROTTLE_POWER) == 0xff);
	assert_true(throttle_class_mask(THROTTLE_CURRENT) == 0xff0000);
	assert_true(throttle_class_mask(THROTTLE_THERMAL) == 0xffff00000000);
	assert_true(throttle_class_mask(THROTTLE_OTHER) == UINT64_C(3) << 56);
	assert_true(throttle_class_mask(THROTTLE_CLASSES) == 0);
	for (class = 0; class < THROTTLE_CLASSES; class ++) {
		assert_true((seen & throttle_class_mask(class)) == 0);
		seen |= throttle_class_mask(class);
	}
}

/* A family's raw bits from 0 on, by name; "-" stands for none. */
struct wanted {
	enum gm_asic asic;
	const char *names;
};

static const struct wanted wanted[] = {
	{ GM_ASIC_NAVI1X,
	  "- temp_edge temp_hotspot temp_mem temp_vr_gfx temp_vr_mem0 temp_vr_mem1 temp_vr_soc temp_liquid0 "
	  "temp_liquid1 - - tdc_gfx tdc_soc ppt0 ppt1 ppt2 ppt3 fit ppm apcc" },
	{ GM_ASIC_NAVI21,
	  "- temp_edge temp_hotspot temp_mem temp_vr_gfx temp_vr_mem0 temp_vr_mem1 temp_vr_soc temp_liquid0 "
	  "temp_liquid1 - tdc_gfx tdc_soc ppt0 ppt1 ppt2 ppt3 fit ppm apcc" },
	{ GM_ASIC_NAVI2X,
	  "- temp_edge temp_hotspot temp_mem temp_vr_gfx temp_vr_mem0 temp_vr_mem1 temp_vr_soc temp_liquid0 "
	  "temp_liquid1 - tdc_gfx tdc_soc ppt0 ppt1 ppt2 ppt3 fit ppm apcc" },
	{ GM_ASIC_NAVI3X, "temp_edge temp_hotspot - - temp_mem temp_vr_gfx temp_vr_mem0 temp_vr_mem1 temp_vr_soc - "
			  "temp_liquid0 temp_liquid1 - tdc_gfx tdc_soc - ppt0 ppt1 ppt2 ppt3 fit apcc" },
	{ GM_ASIC_NAVI4X, "temp_edge temp_hotspot - - temp_mem temp_vr_gfx temp_vr_soc temp_vr_mem0 temp_vr_mem1 "
			  "temp_liquid0 temp_liquid1 - tdc_gfx tdc_soc ppt0 ppt1 ppt2 ppt3 fit apcc -" },
	{ GM_ASIC_MI100,
	  "- temp_edge temp_hotspot temp_mem temp_vr_gfx temp_vr_mem0 temp_vr_soc tdc_gfx tdc_soc ppt0 ppt1 "
	  "ppt2 ppt3 ppm fit apcc vrhot0 vrhot1" },
	{ GM_ASIC_MI200,
	  "ppt0 ppt1 tdc_gfx tdc_soc tdc_mem - temp_gpu temp_mem - - - temp_vr_gfx temp_vr_soc temp_vr_mem0 "
	  "- - - - - apcc" },
	{ GM_ASIC_RENOIR, "spl fppt sppt sppt_apu temp_core temp_gpu temp_soc tdc_vdd tdc_soc prochot_cpu prochot_gfx "
			  "edc_cpu edc_gfx" },
	{ GM_ASIC_YELLOW_CARP,
	  "spl fppt sppt sppt_apu temp_core temp_gpu temp_soc tdc_vdd tdc_soc prochot_cpu prochot_gfx "
	  "edc_cpu edc_gfx" },
	{ GM_ASIC_PHOENIX, "spl fppt sppt sppt_apu temp_core temp_gpu temp_soc tdc_vdd tdc_soc prochot_cpu prochot_gfx "
			   "edc_cpu edc_gfx" },
	{ GM_ASIC_VAN_GOGH, "spl fppt sppt sppt_apu temp_core temp_gpu temp_soc tdc_vdd tdc_soc tdc_gfx tdc_cvip" },
};

static uint64_t bit_of(const char *name)
{
	unsigned int i;

	for (i = 0; i < THROTTLE_REASONS; i++)
		if (throttle_name(i) && strcmp(throttle_name(i), name) == 0)
			return THROTTLE_BIT(i);
	if (strcmp(name, "-") != 0)
		fail_msg("%s: no such reason", name);
	return 0;
}

static void test_raw_bits(void **state)
{
	uint64_t active, possible;
	char names[512], *name, *rest;
	unsigned int bit;
	struct gm_table t;
	size_t i;

	(void)state;
	table_new(104, 1, 2, &t); /* raw status alone, at 68 */
	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		strcpy(names, wanted[i].names);
		possible = 0;
		bit = 0;
		for (name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest), bit++) {
			put(68, 4, 1U << bit);
			assert_int_equal(throttle_status(&t, wanted[i].asic, &active), 0);
			if (active != bit_of(name))
				fail_msg("family %d, bit %u is not %s", wanted[i].asic, bit, name);
			possible |= bit_of(name);
		}
		for (; bit < 32; bit++) {
			put(68, 4, 1U << bit);
			assert_int_equal(throttle_status(&t, wanted[i].asic, &active), 0);
			assert_true(active == 0);
		}
		assert_true(throttle_possible(wanted[i].asic) == possible);
	}
}

static void test_raw_together(void **state)
{
	struct gm_table t;
	uint64_t active = 0;

	(void)state;
	table_new(120, 2, 1, &t);                                                     /* raw status alone, at 108 */
	assert_int_equal(throttle_status(&t, GM_ASIC_PHOENIX, &active), -EOPNOTSUPP); /* all ones */
	put(108, 4, 0x405);
	assert_int_equal(throttle_status(&t, GM_ASIC_PHOENIX, &active), 0);
	assert_true(active ==
		    (THROTTLE_BIT(THROTTLE_SPL) | THROTTLE_BIT(THROTTLE_SPPT) | THROTTLE_BIT(THROTTLE_PROCHOT_GFX)));
	assert_int_equal(throttle_status(&t, GM_ASIC_UNKNOWN, &active), -EOPNOTSUPP);
}

static void test_independent_first(void **state)
{
	struct gm_table t;
	uint64_t active;

	(void)state;
	table_new(120, 1, 3, &t);
	put(68, 4, 2);
	put(112, 8, 0x1000000001);
	assert_int_equal(throttle_status(&t, GM_ASIC_NAVI3X, &active), 0);
	assert_true(active == 0x1000000001);
	assert_int_equal(throttle_status(&t, GM_ASIC_UNKNOWN, &active), 0);
	assert_true(active == 0x1000000001);
	put(112, 8, UINT64_MAX); /* not supported: the raw bits */
	assert_int_equal(throttle_status(&t, GM_ASIC_NAVI3X, &active), 0);
	assert_true(active == THROTTLE_BIT(THROTTLE_TEMP_HOTSPOT));
	assert_int_equal(throttle_status(&t, GM_ASIC_UNKNOWN, &active), -EOPNOTSUPP);
}

/* Their status is 0 whatever happens: no conclusion. */
static void test_mi300_status(void **state)
{
	struct gm_table t;
	uint64_t active;

	(void)state;
	table_new(288, 1, 4, &t);
	put(40, 4, 0);
	assert_int_equal(throttle_status(&t, GM_ASIC_MI300, &active), -EOPNOTSUPP);
	assert_int_equal(throttle_status(&t, GM_ASIC_UNKNOWN, &active), -EOPNOTSUPP);
	table_new(360, 1, 5, &t);
	put(104, 4, 0);
	assert_int_equal(throttle_status(&t, GM_ASIC_MI300, &active), -EOPNOTSUPP);
	table_new(120, 1, 3, &t);
	put(112, 8, 0);
	assert_int_equal(throttle_status(&t, GM_ASIC_MI300, &active), -EOPNOTSUPP);
	assert_int_equal(throttle_status(&t, GM_ASIC_MI200, &active), 0);
}

static void test_possible_by_counters(void **state)
{
	uint64_t instinct = THROTTLE_BIT(THROTTLE_PPT0) | THROTTLE_BIT(THROTTLE_TEMP_GPU) |
			    THROTTLE_BIT(THROTTLE_TEMP_MEM) | THROTTLE_BIT(THROTTLE_TEMP_VR_GFX) |
			    THROTTLE_BIT(THROTTLE_PROCHOT_GFX);

	(void)state;
	assert_true(throttle_possible(GM_ASIC_MI300) == instinct);
	assert_true(throttle_possible(GM_ASIC_MI350) == instinct);
	assert_true(throttle_possible(GM_ASIC_STRIX) ==
		    (bit_of("spl") | bit_of("fppt") | bit_of("sppt") | bit_of("prochot_cpu") | bit_of("temp_core") |
		     bit_of("temp_gpu") | bit_of("temp_soc")));
	assert_true(throttle_possible(GM_ASIC_UNKNOWN) == 0);
}

/* Reads the table, moves one counter of 4 bytes, and says what became active. */
static uint64_t active_after(const struct gm_table *t, size_t at, uint32_t from, uint32_t to)
{
	struct throttle_residencies before, now;
	uint64_t active = UINT64_MAX;

	put(at, 4, from);
	assert_int_equal(throttle_residencies_read(t, &before), 0);
	put(at, 4, to);
	assert_int_equal(throttle_residencies_read(t, &now), 0);
	assert_int_equal(throttle_active_between(&before, &now, &active), 0);
	return active;
}

static void test_residencies_v1(void **state)
{
	struct gm_table t;

	(void)state;
	table_new(1664, 1, 6, &t);
	put(32, 4, 1000);
	assert_true(active_after(&t, 36, 5, 6) == THROTTLE_BIT(THROTTLE_PROCHOT_GFX));
	assert_true(active_after(&t, 40, 0, 70) == THROTTLE_BIT(THROTTLE_PPT0));
	assert_true(active_after(&t, 44, 0, 1) == THROTTLE_BIT(THROTTLE_TEMP_GPU));
	assert_true(active_after(&t, 48, 0, 1) == THROTTLE_BIT(THROTTLE_TEMP_VR_GFX));
	assert_true(active_after(&t, 52, 0, 1) == THROTTLE_BIT(THROTTLE_TEMP_MEM));
	assert_true(active_after(&t, 52, 77, 77) == 0);
	assert_true(active_after(&t, 52, 0xfffffff0, 0x10) == THROTTLE_BIT(THROTTLE_TEMP_MEM)); /* wrap */
}

static void test_residencies_v3(void **state)
{
	static const char *const names[] = {
		"prochot_cpu", "spl", "fppt", "sppt", "temp_core", "temp_gpu", "temp_soc"
	};
	struct gm_table t;
	size_t i;

	(void)state;
	table_new(264, 3, 0, &t);
	for (i = 0; i < 7; i++)
		put(228 + 4 * i, 4, 0);
	for (i = 0; i < 7; i++)
		assert_true(active_after(&t, 228 + 4 * i, 100, 101) == bit_of(names[i]));
}

static void test_residencies_set_back(void **state)
{
	struct throttle_residencies before, now;
	struct gm_table t;
	uint64_t active = 1234;

	(void)state;
	table_new(1664, 1, 6, &t);
	put(32, 4, 900000);
	put(40, 4, 500);
	assert_int_equal(throttle_residencies_read(&t, &before), 0);
	put(40, 4, 0);
	put(32, 4, 900100);
	assert_int_equal(throttle_residencies_read(&t, &now), 0);
	assert_int_equal(throttle_active_between(&before, &now, &active), -EAGAIN);
	put(40, 4, 600); /* the counter is past its old value, the ticks tell */
	put(32, 4, 50);
	assert_int_equal(throttle_residencies_read(&t, &now), 0);
	assert_int_equal(throttle_active_between(&before, &now, &active), -EAGAIN);
	assert_true(active == 1234);
}

static void test_residencies_absent(void **state)
{
	struct throttle_residencies before = { .has_ticks = false }, now;
	struct gm_table t;
	uint64_t active;

	(void)state;
	table_new(120, 1, 3, &t);
	assert_int_equal(throttle_residencies_read(&t, &now), -EOPNOTSUPP);
	table_new(264, 3, 0, &t); /* all ones */
	assert_int_equal(throttle_residencies_read(&t, &now), -EOPNOTSUPP);
	put(232, 4, 1);
	assert_int_equal(throttle_residencies_read(&t, &now), 0);
	assert_int_equal(throttle_active_between(&before, &now, &active), -EOPNOTSUPP); /* the first */
}

/* The driver's own translation in a real blob agrees with ours. */
static void test_field_data(void **state)
{
	const char *shared = getenv("ROCWATCH_SHARED");
	struct gm_table t;
	char path[4096];
	uint64_t active;
	FILE *f;

	(void)state;
	snprintf(path, sizeof(path), "%s/field-data/lact/rx7600s/card1/device/gpu_metrics",
		 shared ? shared : "../shared");
	f = fopen(path, "rb");
	if (!f)
		skip_because("no field-data in %s; ROCWATCH_SHARED names another place", shared ? shared : "../shared");
	assert_int_equal(fread(bytes, 1, sizeof(bytes), f), 120);
	fclose(f);
	assert_int_equal(gm_parse(bytes, 120, &t), 0);
	assert_int_equal(throttle_status(&t, GM_ASIC_NAVI3X, &active), 0);
	assert_true(active == THROTTLE_BIT(THROTTLE_TEMP_HOTSPOT));
	put(112, 8, UINT64_MAX);
	assert_int_equal(throttle_status(&t, GM_ASIC_NAVI3X, &active), 0);
	assert_true(active == THROTTLE_BIT(THROTTLE_TEMP_HOTSPOT));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_raw_bits),
		cmocka_unit_test(test_raw_together),
		cmocka_unit_test(test_independent_first),
		cmocka_unit_test(test_mi300_status),
		cmocka_unit_test(test_possible_by_counters),
		cmocka_unit_test(test_residencies_v1),
		cmocka_unit_test(test_residencies_v3),
		cmocka_unit_test(test_residencies_set_back),
		cmocka_unit_test(test_residencies_absent),
		cmocka_unit_test(test_field_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
