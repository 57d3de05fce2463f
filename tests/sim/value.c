/* value - see the header. */
#include "tests/sim/value.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/sim/clock.h"
#include "tests/sim/gpu.h"
#include "tests/sim/profile.h"
#include "tests/sim/table.h"

#define LIVE(name) { #name, offsetof(struct live, name) }

static const struct {
	const char *name;
	size_t offset;
} names[] = {
	LIVE(busy),	     LIVE(mem_busy),	  LIVE(mm_busy),
	LIVE(power),	     LIVE(volt),	  LIVE(edge),
	LIVE(junction),	     LIVE(mem),		  LIVE(vrgfx),
	LIVE(vrsoc),	     LIVE(vrmem),	  LIVE(sclk),
	LIVE(mclk),	     LIVE(socclk),	  LIVE(fclk),
	LIVE(vclk),	     LIVE(dclk),	  LIVE(fan),
	LIVE(pwm),	     LIVE(vram),	  LIVE(gtt),
	LIVE(energy),	     LIVE(busy_acc),	  LIVE(mem_acc),
	LIVE(accumulation),  LIVE(ppt_residency), LIVE(thermal_residency),
	LIVE(hbm_residency), LIVE(pcie_acc),	  LIVE(xgmi_acc),
	LIVE(time),
};

/* Whole °C and W are rounded before they become m°C and µW, as the firmware's tables hold whole
 * ones. */
static const struct {
	const char *unit;
	double scale;
	bool whole_first;
} units[] = {
	{ "C", 1, false },	{ "mC", 1e3, true },   { "cC", 100, false },   { "W", 1, false },
	{ "mW", 1e3, false },	{ "uW", 1e6, true },   { "MHz", 1, false },    { "Hz", 1e6, true },
	{ "pct", 1, false },	{ "cpct", 100, false }, { "mV", 1, false },    { "rpm", 1, false },
	{ "B", 1, false },	{ "J", 1, false },     { "mJ", 1e3, false },
	{ "2e-16J", 65536, false }, { "KB", 1, false }, { "GBps", 1, false },  { "ms", 1, false },
};

static double boot_ns(const struct gpu *gpu)
{
	struct timespec now;

	if (gpu->live.frozen)
		return (1000 + gpu->live.time) * 1e9;
	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

/* Bits the profile gives for the two reasons a card is held back. */
static double throttle_bits(const struct gpu *gpu, bool raw)
{
	const char *kind = raw ? "throttle_raw" : "throttle_indep";
	uint64_t bits = 0;

	if (gpu->live.throttled_power)
		bits |= (uint64_t)profile_number(gpu->profile, kind, "power", 0);
	if (gpu->live.throttled_thermal)
		bits |= (uint64_t)profile_number(gpu->profile, kind, "thermal", 0);
	return bits;
}

static bool special_number(const struct gpu *gpu, const char *name, double *ret)
{
	if (strcmp(name, "boottime_ns") == 0)
		*ret = boot_ns(gpu);
	else if (strcmp(name, "firmware_10ns") == 0)
		*ret = (1000 + gpu->live.ticks * 0.05) * 1e8;
	else if (strcmp(name, "throttle_raw") == 0)
		*ret = throttle_bits(gpu, true);
	else if (strcmp(name, "throttle_indep") == 0)
		*ret = throttle_bits(gpu, false);
	else if (strcmp(name, "partitions") == 0)
		*ret = gpu->partitions;
	else
		return false;
	return true;
}

static bool scaled(double value, const char *unit, double *ret)
{
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(units[i].unit, unit) == 0) {
			*ret = (units[i].whole_first ? round(value) : value) * units[i].scale;
			return true;
		}
	}
	return false;
}

bool value_number(const struct gpu *gpu, const char *name, double *ret)
{
	size_t i, size;

	if (special_number(gpu, name, ret))
		return true;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size = strlen(names[i].name);
		if (strncmp(name, names[i].name, size) != 0 || name[size] != '_')
			continue;
		memcpy(ret, (const char *)&gpu->live + names[i].offset, sizeof(*ret));
		if (scaled(*ret, name + size + 1, ret))
			return true;
	}
	return false;
}

/* ecc_BLOCK_KIND */
static bool ecc_put(struct gpu *gpu, const char *name, struct text *to)
{
	const char *kind = strrchr(name, '_') + 1;
	char block[24];
	struct ecc *ecc;

	if (kind <= name + 4)
		return false;
	snprintf(block, sizeof(block), "%.*s", (int)(kind - 1 - (name + 4)), name + 4);
	ecc = gpu_ecc(gpu, block);
	text_put(to, "%llu",
		 strcmp(kind, "ue") == 0   ? ecc->ue
		 : strcmp(kind, "ce") == 0 ? ecc->ce
					   : ecc->de);
	return true;
}

static bool identity_put(const struct gpu *gpu, const char *name, struct text *to)
{
	if (strcmp(name, "bdf") == 0)
		text_put(to, "%s", gpu->bdf);
	else if (strcmp(name, "unique_id") == 0)
		text_put(to, "%016llx", (unsigned long long)gpu->unique_id);
	else if (strcmp(name, "hive_id") == 0)
		text_put(to, "%llu", (unsigned long long)gpu->hive_id);
	else if (strcmp(name, "serial") == 0)
		text_put(to, "%s", gpu->serial);
	else if (strcmp(name, "numa") == 0)
		text_put(to, "%d", gpu->numa);
	else if (strcmp(name, "status") == 0)
		text_put(to, "%s", gpu->suspended ? "suspended" : "active");
	else if (strcmp(name, "power_state") == 0)
		text_put(to, "%s", gpu->suspended ? "D3cold" : "D0");
	else
		return false;
	return true;
}

bool value_put(struct gpu *gpu, const char *name, struct text *to)
{
	const char *constant = profile_text(gpu->profile, "let", name, NULL);
	double number;

	if (constant)
		text_put(to, "%s", constant);
	else if (strncmp(name, "clock_", 6) == 0)
		clock_print(gpu, name + 6, to);
	else if (strcmp(name, "gpu_metrics") == 0)
		table_put(gpu, to);
	else if (strncmp(name, "ecc_", 4) == 0)
		return ecc_put(gpu, name, to);
	else if (value_number(gpu, name, &number))
		text_put(to, "%.0f", round(number));
	else
		return identity_put(gpu, name, to);
	return true;
}

/* Length of a name from `from`: letters, digits, '_' and, for units, '-' before a digit. */
static size_t name_size(const char *from, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if (!isalnum((unsigned char)from[i]) && from[i] != '_' && from[i] != '-')
			break;
	return i;
}

void value_fill(struct gpu *gpu, const char *from, size_t size, struct text *to)
{
	const char *end = from + size, *dollar;
	char name[64];
	size_t brace, count;

	for (; from < end; from = dollar + 1 + brace + count + brace) {
		dollar = memchr(from, '$', end - from);
		if (!dollar) {
			text_add(to, from, end - from);
			return;
		}
		text_add(to, from, dollar - from);
		brace = dollar + 1 < end && dollar[1] == '{';
		count = name_size(dollar + 1 + brace, end - dollar - 1 - brace);
		snprintf(name, sizeof(name), "%.*s", (int)count, dollar + 1 + brace);
		if (!value_put(gpu, name, to))
			text_put(to, "$%s", name);
	}
}
