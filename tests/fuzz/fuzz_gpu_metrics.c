/* fuzz_gpu_metrics - any bytes as a gpu_metrics table, through every reading of the decoder and of the throttle tables.
 * Beyond not crashing: a failed table is empty, and what a call gives is in range. */
#include "collectors/gpu_metrics.h"
#include "collectors/throttle.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static unsigned int read_all(const struct gm_table *t)
{
	unsigned int field, index, record, n = 0;
	uint64_t raw;

	for (field = 0; field <= GM_FIELDS; field++)
		for (record = 0; record <= gm_records(t, field); record++)
			for (index = 0; index <= gm_count(t, field); index++)
				n += gm_read(t, field, index, record, &raw) == 0;
	return n;
}

static void check(int r, double value)
{
	assert(r == 0 || r == -EOPNOTSUPP || r == -ERANGE);
	assert(r < 0 || isfinite(value));
}

static void read_meanings(const struct gm_table *t)
{
	unsigned int i, index;
	double value = 0;
	uint64_t ns;

	for (i = 0; i < GM_SENSORS; i++)
		check(gm_temperature(t, i, &value), value);
	for (i = 0; i < GM_CLOCKS; i++)
		for (index = 0; index < 10; index++)
			check(gm_clock(t, i, index, &value), value);
	for (i = 0; i < GM_ENGINES; i++) {
		int r = gm_activity(t, i, &value);

		check(r, value);
		assert(r < 0 || (value >= 0 && value <= 1));
	}
	for (i = 0; i < GM_ENERGY_UNITS; i++)
		check(gm_energy(t, i, &value), value);
	check(gm_power(t, &value), value);
	check(gm_fan_rpm(t, &value), value);
	check(gm_pcie_width(t, &value), value);
	check(gm_pcie_speed(t, &value), value);
	gm_system_clock_ns(t, &ns);
}

static void read_throttle(const struct gm_table *t, const struct gm_table *later)
{
	struct throttle_residencies before, now;
	uint64_t active;
	unsigned int i;

	for (i = 0; i < GM_ASICS; i++)
		throttle_status(t, i, &active);
	throttle_residencies_read(t, &before);
	throttle_residencies_read(later, &now);
	throttle_active_between(&before, &now, &active);
	throttle_active_between(&now, &before, &active);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct gm_table t, half;
	unsigned int n;
	int r;

	r = gm_parse(bytes, size, &t);
	n = read_all(&t);
	assert(r == 0 || (n == 0 && (r == -EBADMSG || r == -EOPNOTSUPP)));
	assert(t.size <= size || r < 0);
	read_meanings(&t);
	gm_parse(bytes + size / 2, size - size / 2, &half);
	read_throttle(&t, &half);
	gm_asic_of((uint32_t)size, (uint32_t)n);
	return 0;
}
