/* live - see the header. */
#include "tests/sim/live.h"

#include <math.h>
#include <string.h>

#include "tests/sim/clock.h"
#include "tests/sim/gpu.h"
#include "tests/sim/profile.h"

#define TICK_S 0.05
#define HIGHEST 1e9 /* a frequency above all levels */

/* What the profile says about a card's nature. */
struct nature {
	double idle_W, peak_W, cap_W;
	double ambient, idle, full, crit;	/* °C at the junction */
	double edge_below, mem_idle, mem_full;
	double fan_rpm, vram, gtt, vram_idle, gtt_idle;
};

static double ask(const struct gpu *gpu, const char *name, double otherwise)
{
	return profile_number(gpu->profile, "model", name, otherwise);
}

static struct nature nature_of(const struct gpu *gpu)
{
	double own = live_noise(gpu, 0, 100) * 3;	/* no two cards are equally cool */

	return (struct nature){
		.idle_W = ask(gpu, "idle_W", 20),
		.peak_W = ask(gpu, "peak_W", 200),
		.cap_W = ask(gpu, "cap_W", 200),
		.idle = ask(gpu, "idle_C", 35) + own,
		.full = ask(gpu, "full_C", 85) + own,
		.crit = ask(gpu, "crit_C", 105),
		.edge_below = ask(gpu, "edge_below_C", 5),
		.mem_idle = ask(gpu, "mem_idle_C", 35) + own,
		.mem_full = ask(gpu, "mem_full_C", 80) + own,
		.fan_rpm = ask(gpu, "fan_rpm", 0),
		.vram = ask(gpu, "vram_B", 0),
		.gtt = ask(gpu, "gtt_B", 0),
		.vram_idle = ask(gpu, "vram_idle_B", 0),
		.gtt_idle = ask(gpu, "gtt_idle_B", 0),
	};
}

double live_noise(const struct gpu *gpu, uint64_t tick, int channel)
{
	return (text_hash(gpu->seed, tick, channel) >> 11) * 0x1p-53;
}

static double nearer(double now, double goal, double time_constant)
{
	return goal + (now - goal) * exp(-TICK_S / time_constant);
}

static bool is_constant(const struct live *live)
{
	return live->workload == WORKLOAD_STEADY || live->workload == WORKLOAD_OFF;
}

static void clocks(struct gpu *gpu, const struct nature *nature)
{
	struct live *live = &gpu->live;
	struct clock_range sclk = clock_range(gpu, "sclk"), mclk = clock_range(gpu, "mclk");
	double load = live->busy / 100, hot = live->junction - (nature->crit - 3);

	live->sclk = live->busy < 1 ? sclk.rest : sclk.max * (0.985 - 0.06 * load);
	if (live->throttled_thermal)
		live->sclk *= fmax(0.35, 1 - 0.08 * hot);
	if (live->busy >= 1 && !is_constant(live))
		live->sclk -= sclk.max * 0.02 * live_noise(gpu, live->ticks, 5);
	live->sclk = clock_level(gpu, "sclk", live->sclk);
	live->mclk = clock_level(gpu, "mclk",
				 live->mem_busy < 1 && load < 0.01 ? mclk.rest : mclk.max);
	live->socclk = clock_level(gpu, "socclk", load < 0.01 ? 0 : HIGHEST);
	live->fclk = clock_level(gpu, "fclk", load < 0.01 ? 0 : HIGHEST);
	live->vclk = ask(gpu, "vclk_MHz", 0);
	live->dclk = ask(gpu, "dclk_MHz", 0);
	live->volt = ask(gpu, "idle_mV", 700) +
		     (ask(gpu, "peak_mV", 1000) - ask(gpu, "idle_mV", 700)) * live->sclk /
			     fmax(sclk.max, 1);
}

/* What follows from utilisation and temperatures without delay. */
static void consequences(struct gpu *gpu, const struct nature *nature, double vram_share)
{
	struct live *live = &gpu->live;
	double warm = (live->junction - nature->idle) / fmax(nature->full - nature->idle, 1);

	live->throttled_thermal = live->junction >= nature->crit - 3;
	live->throttled_power = live->power >= nature->cap_W * 0.985;
	clocks(gpu, nature);
	live->edge = live->junction - nature->edge_below * (0.3 + 0.7 * live->busy / 100);
	live->vrgfx = live->edge + 1;
	live->vrsoc = live->edge - 1;
	live->vrmem = live->mem - 3;
	live->fan = nature->fan_rpm * fmin(1, fmax(0, warm) * 0.8);
	live->pwm = nature->fan_rpm > 0 ? 255 * live->fan / nature->fan_rpm : 0;
	live->vram = fmax(nature->vram_idle, floor(nature->vram * vram_share / 4096) * 4096);
	live->gtt = nature->gtt_idle + floor(nature->gtt * vram_share * 0.02 / 4096) * 4096;
}

static void account(struct live *live)
{
	double ms = TICK_S * 1000;

	live->energy += live->power * TICK_S;
	live->busy_acc += live->busy * TICK_S;
	live->mem_acc += live->mem_busy * TICK_S;
	live->accumulation += ms;
	live->ppt_residency += live->throttled_power ? ms : 0;
	live->thermal_residency += live->throttled_thermal ? ms : 0;
	live->hbm_residency += live->mem >= 95 ? ms : 0;
	live->pcie_acc += live->busy * 0.12 * TICK_S;
	live->xgmi_acc += floor(live->busy * 2.0e4 * TICK_S);
}

/* Power and temperatures a card settles at. */
static double power_goal(const struct gpu *gpu, const struct nature *nature)
{
	const struct live *live = &gpu->live;
	double load = live->busy / 100 * (0.75 + 0.25 * live->mem_busy / 60);
	double power = nature->idle_W + (nature->peak_W - nature->idle_W) * fmin(load, 1);

	if (live->throttled_thermal)
		power *= 0.7;
	return fmin(power, nature->cap_W);
}

static double heat_share(const struct live *live, const struct nature *nature)
{
	return (live->power - nature->idle_W) / fmax(nature->peak_W - nature->idle_W, 1);
}

static double junction_goal(const struct live *live, const struct nature *nature)
{
	return nature->idle + (nature->full - nature->idle) * heat_share(live, nature) + live->heat;
}

static double mem_goal(const struct live *live, const struct nature *nature)
{
	return nature->mem_idle + (nature->mem_full - nature->mem_idle) * heat_share(live, nature) +
	       live->heat * 0.6;
}

static void settle(struct gpu *gpu)
{
	struct nature nature = nature_of(gpu);
	struct live *live = &gpu->live;
	struct demand demand = workload_demand(gpu, 0);

	live->busy = demand.busy;
	live->mem_busy = demand.mem_busy;
	live->heat = 0;
	live->throttled_thermal = false;
	live->power = round(power_goal(gpu, &nature));
	live->junction = round(junction_goal(live, &nature));
	live->mem = round(mem_goal(live, &nature));
	consequences(gpu, &nature, demand.vram_share);
	live->edge = round(live->edge);
}

static void tick(struct gpu *gpu, const struct nature *nature)
{
	struct live *live = &gpu->live;
	struct demand demand;

	live->ticks++;
	if (is_constant(live))
		return;
	demand = workload_demand(gpu, (live->ticks - live->since) * TICK_S);
	live->busy = nearer(live->busy, demand.busy, 0.15);
	if (fabs(live->busy - demand.busy) < 0.5)
		live->busy = demand.busy;
	live->mem_busy = nearer(live->mem_busy, demand.mem_busy, 0.15);
	if (demand.mem_busy < 1 && live->mem_busy < 0.5)
		live->mem_busy = 0;
	live->heat = demand.heat_rate > 0
			     ? fmin(live->heat + demand.heat_rate * TICK_S, nature->crit)
			     : nearer(live->heat, 0, 5);
	live->power = nearer(live->power, power_goal(gpu, nature), 0.3);
	live->junction = fmin(nearer(live->junction, junction_goal(live, nature), 4),
			      nature->crit + 8);
	live->mem = fmin(nearer(live->mem, mem_goal(live, nature), 9), nature->crit + 5);
	consequences(gpu, nature, demand.vram_share);
	account(live);
}

void live_init(struct gpu *gpu, enum workload workload)
{
	struct live *live = &gpu->live;

	memset(live, 0, sizeof(*live));
	live->workload = WORKLOAD_OFF;
	live->energy = 4e6 + floor(live_noise(gpu, 0, 101) * 1e6);
	live->busy_acc = 50288;
	live->mem_acc = 20115;
	live->accumulation = 8123456;
	live->pcie_acc = 7654321;
	live->xgmi_acc = 1000000;
	settle(gpu);
	live_work(gpu, workload);
}

void live_work(struct gpu *gpu, enum workload workload)
{
	gpu->live.workload = workload;
	gpu->live.since = gpu->live.ticks;
	if (is_constant(&gpu->live))
		settle(gpu);
}

void live_advance(struct gpu *gpu, double time)
{
	struct live *live = &gpu->live;
	uint64_t goal = (uint64_t)(time / TICK_S + 1e-6);
	struct nature nature;

	live->time = fmax(live->time, time);
	if (!gpu->profile)
		return;
	if (live->ticks >= goal)
		return;
	nature = nature_of(gpu);
	while (live->ticks < goal)
		tick(gpu, &nature);
}
