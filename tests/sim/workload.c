/* workload - what each workload asks of a card over time. */
#include <math.h>
#include <string.h>

#include "tests/sim/gpu.h"
#include "tests/sim/live.h"

#define STEP_S 8.0		/* one training step */
#define CHECKPOINT_S 120.0	/* from one checkpoint to the next */
#define BURST_S 2.0		/* one batch of requests */
#define LEAK_PER_S 0.02		/* share of memory lost per second */

const char *const workload_names[WORKLOADS] = {
	"idle", "training", "inference", "leak", "thermal-runaway", "off", "steady",
};

bool workload_find(const char *name, enum workload *ret)
{
	int i;

	for (i = 0; i < WORKLOADS; i++) {
		if (strcmp(workload_names[i], name) == 0) {
			*ret = i;
			return true;
		}
	}
	return false;
}

static struct demand training(const struct gpu *gpu, double t)
{
	uint64_t second = (uint64_t)(t * 2);
	double at = fmod(t + gpu->index * 0.9, STEP_S);
	struct demand demand = { .vram_share = 0.85 };

	demand.busy = 96 + 4 * live_noise(gpu, second, 1);
	demand.mem_busy = 48 + 14 * live_noise(gpu, second, 2);
	if (at > STEP_S - 0.8) {	/* gradients are exchanged */
		demand.busy -= 25;
		demand.mem_busy -= 20;
	}
	if (fmod(t + gpu->index * 0.9, CHECKPOINT_S) > CHECKPOINT_S - 5)
		demand.busy = 4;
	return demand;
}

static struct demand inference(const struct gpu *gpu, double t)
{
	uint64_t burst = (uint64_t)(t / BURST_S);
	double load = live_noise(gpu, burst, 3);

	return (struct demand){
		.busy = load < 0.3 ? 0 : 100 * load,
		.mem_busy = load < 0.3 ? 0 : 70 * load,
		.vram_share = 0.7,
	};
}

struct demand workload_demand(const struct gpu *gpu, double t)
{
	struct demand demand;

	switch (gpu->live.workload) {
	case WORKLOAD_TRAINING:
		return training(gpu, t);
	case WORKLOAD_INFERENCE:
		return inference(gpu, t);
	case WORKLOAD_LEAK:
		return (struct demand){ 55, 25, fmin(0.99, 0.2 + LEAK_PER_S * t), 0 };
	case WORKLOAD_THERMAL_RUNAWAY:
		demand = training(gpu, t);
		demand.heat_rate = 6;
		return demand;
	case WORKLOAD_STEADY:
		return (struct demand){ 87, 41, 0.75, 0 };
	default:
		return (struct demand){ 0 };
	}
}
