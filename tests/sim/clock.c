/* clock - see the header. */
#include "tests/sim/clock.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/gpu.h"
#include "tests/sim/profile.h"

#define LEVELS_MAX 16

/* "fine 500 1700": any frequency between the two; "400 700 1200": these; "sleep=30 …": idle is
 * below the lowest. */
struct levels {
	bool fine;
	double sleep; /* 0: none */
	int count;
	double mhz[LEVELS_MAX];
};

static struct levels levels_of(const struct gpu *gpu, const char *domain)
{
	const char *at = profile_text(gpu->profile, "clock", domain, "");
	struct levels levels = { 0 };

	while (*at && levels.count < LEVELS_MAX) {
		if (strncmp(at, "fine", 4) == 0)
			levels.fine = true;
		else if (strncmp(at, "sleep=", 6) == 0)
			levels.sleep = strtod(at + 6, NULL);
		else
			levels.mhz[levels.count++] = strtod(at, NULL);
		at += strcspn(at, " ");
		at += strspn(at, " ");
	}
	return levels;
}

struct clock_range clock_range(const struct gpu *gpu, const char *domain)
{
	struct levels levels = levels_of(gpu, domain);
	struct clock_range range = { 0 };

	if (!levels.count)
		return range;
	range.min = levels.mhz[0];
	range.max = levels.mhz[levels.count - 1];
	range.rest = levels.sleep > 0 ? levels.sleep : range.min;
	return range;
}

static int nearest(const struct levels *levels, double mhz)
{
	int i, best = 0;

	for (i = 1; i < levels->count; i++)
		if (fabs(levels->mhz[i] - mhz) < fabs(levels->mhz[best] - mhz))
			best = i;
	return best;
}

double clock_level(const struct gpu *gpu, const char *domain, double mhz)
{
	struct levels levels = levels_of(gpu, domain);

	if (!levels.count)
		return 0;
	if (levels.sleep > 0 && mhz < levels.mhz[0] / 2)
		return levels.sleep;
	if (levels.fine)
		return fmin(fmax(mhz, levels.mhz[0]), levels.mhz[levels.count - 1]);
	return levels.mhz[nearest(&levels, mhz)];
}

static double now_of(const struct gpu *gpu, const char *domain)
{
	const struct live *live = &gpu->live;

	if (strcmp(domain, "sclk") == 0)
		return live->sclk;
	if (strcmp(domain, "mclk") == 0)
		return live->mclk;
	if (strcmp(domain, "socclk") == 0)
		return live->socclk;
	if (strcmp(domain, "fclk") == 0)
		return live->fclk;
	if (strcmp(domain, "vclk") == 0)
		return live->vclk;
	return strcmp(domain, "dclk") == 0 ? live->dclk : 0;
}

static void level_print(struct text *to, int number, double mhz, bool is_current)
{
	text_put(to, "%d: %.0fMhz %s\n", number, mhz, is_current ? "*" : "");
}

/* Between lowest and highest the driver shows the current frequency as a level of its own. */
static void fine_print(const struct levels *levels, double now, struct text *to)
{
	double low = levels->mhz[0], high = levels->mhz[levels->count - 1];

	level_print(to, 0, low, now == low);
	if (now != low && now != high)
		level_print(to, 1, now, true);
	level_print(to, now != low && now != high ? 2 : 1, high, now == high);
}

void clock_print(const struct gpu *gpu, const char *domain, struct text *to)
{
	struct levels levels = levels_of(gpu, domain);
	double now = round(now_of(gpu, domain));
	bool asleep = levels.sleep > 0 && now < levels.mhz[0] / 2;
	int i, current;

	if (!levels.count)
		return;
	current = nearest(&levels, now);
	if (asleep)
		text_put(to, "S: %.0fMhz *\n", now);
	else if (levels.fine) {
		fine_print(&levels, now, to);
		return;
	}
	for (i = 0; i < levels.count; i++)
		level_print(to, i, levels.mhz[i], !asleep && i == current);
}
