/* number - which card, render and hwmon numbers are taken, and by whom. */
#include "tests/sim/gpu.h"
#include "tests/sim/machine.h"

#define RENDER_FIRST 128

bool machine_card_taken(const struct machine *machine, const struct gpu *but, int first, int count)
{
	int i;

	if (machine->display_card >= first && machine->display_card < first + count)
		return true;
	for (i = 0; i < machine->count; i++) {
		const struct gpu *gpu = machine->gpus[i];

		if (gpu != but && gpu->present && gpu->card < first + count &&
		    first < gpu->card + gpu->partitions)
			return true;
	}
	return false;
}

static bool minor_taken(const struct machine *machine, const struct gpu *but, int first, int count)
{
	int i;

	for (i = 0; i < machine->count; i++) {
		const struct gpu *gpu = machine->gpus[i];

		if (gpu != but && gpu->present && gpu->minor < first + count &&
		    first < gpu->minor + gpu->partitions)
			return true;
	}
	return false;
}

bool machine_hwmon_taken(const struct machine *machine, const struct gpu *but, int hwmon)
{
	int i;

	for (i = 0; i < HOST_HWMONS; i++)
		if (machine->host_hwmon[i] == hwmon)
			return true;
	for (i = 0; i < machine->count; i++)
		if (machine->gpus[i] != but && machine->gpus[i]->present &&
		    machine->gpus[i]->hwmon == hwmon)
			return true;
	return false;
}

void machine_number(const struct machine *machine, struct gpu *gpu)
{
	if (gpu->card < 0 || machine_card_taken(machine, gpu, gpu->card, gpu->partitions))
		for (gpu->card = 0; machine_card_taken(machine, gpu, gpu->card, gpu->partitions);)
			gpu->card++;
	if (gpu->minor < 0 || minor_taken(machine, gpu, gpu->minor, gpu->partitions))
		for (gpu->minor = RENDER_FIRST;
		     minor_taken(machine, gpu, gpu->minor, gpu->partitions);)
			gpu->minor++;
	if (gpu->hwmon < 0 || machine_hwmon_taken(machine, gpu, gpu->hwmon))
		for (gpu->hwmon = 0; machine_hwmon_taken(machine, gpu, gpu->hwmon);)
			gpu->hwmon++;
}
