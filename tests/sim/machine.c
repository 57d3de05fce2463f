/* machine - see the header. */
#include "tests/sim/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/sim/card.h"
#include "tests/sim/dump.h"
#include "tests/sim/gpu.h"
#include "tests/sim/host.h"
#include "tests/sim/kfd.h"
#include "tests/sim/profile.h"
#include "tests/sim/tree.h"

static const enum workload mix[] = {
	WORKLOAD_TRAINING, WORKLOAD_TRAINING, WORKLOAD_TRAINING,  WORKLOAD_TRAINING,
	WORKLOAD_TRAINING, WORKLOAD_TRAINING, WORKLOAD_INFERENCE, WORKLOAD_IDLE,
};

static double monotonic(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec * 1e-9;
}

void machine_init(struct machine *machine, uint64_t seed)
{
	*machine = (struct machine){
		.root = tree_new(),
		.seed = seed,
		.is_mixed = true,
		.sockets = 1,
		.display_card = -1,
		.host_hwmon = { -1, -1 },
		.generation = 1,
		.frozen = -1,
	};
}

void machine_fini(struct machine *machine)
{
	struct profile *profile, *next;
	int i;

	for (i = 0; i < machine->count; i++)
		gpu_free(machine->gpus[i]);
	free(machine->gpus);
	for (profile = machine->profiles; profile; profile = next) {
		next = profile->next;
		profile_free(profile);
	}
	tree_free(machine->root);
}

static struct gpu *gpu_add(struct machine *machine)
{
	struct gpu *gpu = text_zalloc(sizeof(*gpu));

	machine->gpus = realloc(machine->gpus, (machine->count + 1) * sizeof(gpu));
	if (!machine->gpus)
		abort();
	machine->gpus[machine->count++] = gpu;
	gpu->card = gpu->minor = gpu->hwmon = -1;
	gpu->partitions = 1;
	return gpu;
}

static bool bus_taken(const struct machine *machine, const struct gpu *gpu)
{
	int i;

	for (i = 0; i < machine->count; i++) {
		const struct gpu *other = machine->gpus[i];

		if (other != gpu && other->domain == gpu->domain && other->bus == gpu->bus &&
		    other->device == gpu->device)
			return true;
	}
	return false;
}

/* The buses of a server's eight cards, then those beside them. */
static void bus_choose(const struct machine *machine, struct gpu *gpu)
{
	static const unsigned char buses[] = { 0x03, 0x23, 0x43, 0x63, 0x83, 0xa3, 0xc3, 0xe3 };
	unsigned int i;

	gpu->bus = (unsigned int)profile_number(gpu->profile, "", "bus", 0);
	for (i = 0; !gpu->bus || bus_taken(machine, gpu); i++) {
		gpu->domain = i / 64;
		gpu->bus = buses[i % 8] + 3 * (i % 64 / 8);
	}
}

int machine_add_profile(struct machine *machine, const char *dir, const char *name, int count)
{
	struct profile *profile;
	struct gpu *gpu;
	int nth = 0, i;

	for (profile = machine->profiles; profile; profile = profile->next)
		if (strcmp(profile->name, name) == 0)
			break;
	if (!profile) {
		profile = profile_read(dir, name);
		if (!profile)
			return -ENOENT;
		profile->next = machine->profiles;
		machine->profiles = profile;
	}
	for (i = 0; i < machine->count; i++)
		nth += machine->gpus[i]->profile == profile;
	for (i = 0; i < count; i++) {
		gpu = gpu_add(machine);
		gpu->profile = profile;
		gpu->nth = nth + i;
		gpu->partitions = (int)profile_number(profile, "", "partitions", 1);
		bus_choose(machine, gpu);
	}
	if (strcmp(profile_text(profile, "", "class", ""), "server") == 0)
		machine->sockets = 2;
	return 0;
}

int machine_add_dump(struct machine *machine, const char *dir)
{
	struct gpu *gpu = gpu_add(machine);
	int r = dump_open(gpu, dir);

	if (r < 0) {
		machine->count--;
		gpu_free(gpu);
		return r;
	}
	while (bus_taken(machine, gpu))
		gpu->domain++;
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct gpu *left = *(struct gpu *const *)a, *right = *(struct gpu *const *)b;

	if (left->domain != right->domain)
		return left->domain < right->domain ? -1 : 1;
	return (left->bus << 8 | left->device) < (right->bus << 8 | right->device) ? -1 : 1;
}

static void identify(const struct machine *machine, struct gpu *gpu, int index)
{
	int hive = (int)profile_number(gpu->profile, "", "hive", 0);

	gpu->index = index;
	gpu->seed = text_hash(machine->seed, index, 1);
	snprintf(gpu->bdf, sizeof(gpu->bdf), "%04x:%02x:%02x.%x", gpu->domain & 0xffff,
		 gpu->bus & 0xff, gpu->device & 0x1f, gpu->function & 7);
	gpu->numa = machine->sockets > 1 ? gpu->bus >= 0x80 : -1;
	gpu->unique_id = text_hash(gpu->seed, 2, 0) | 1ull << 62;
	if (hive > 0)
		gpu->hive_id = text_hash(machine->seed, 4, gpu->nth / hive) | 1ull << 63;
	snprintf(gpu->serial, sizeof(gpu->serial), "96%010llu",
		 (unsigned long long)(text_hash(gpu->seed, 3, 0) % 10000000000));
}

void machine_start(struct machine *machine)
{
	struct gpu *gpu;
	int i, pass;

	if (machine->count > 0) /* qsort takes no NULL, not even for nothing */
		qsort(machine->gpus, machine->count, sizeof(*machine->gpus), by_address);
	host_build(machine);
	for (i = 0; i < machine->count; i++)
		identify(machine, machine->gpus[i], i);
	for (pass = 0; pass < 2; pass++) { /* dumps have wishes, the others take what is left */
		for (i = 0; i < machine->count; i++) {
			gpu = machine->gpus[i];
			if ((gpu->dump ? 0 : 1) != pass)
				continue;
			machine_number(machine, gpu);
			gpu->present = true;
		}
		if (pass == 0)
			host_hwmons(machine);
		if (pass == 0 && machine->sockets > 1)
			host_display(machine);
	}
	machine->started = monotonic();
	for (i = 0; i < machine->count; i++) {
		gpu = machine->gpus[i];
		live_init(gpu, machine->is_mixed ? mix[i % 8] : machine->workload);
		card_build(machine, gpu);
	}
	kfd_build(machine);
}

double machine_time(const struct machine *machine)
{
	return machine->frozen >= 0 ? machine->frozen
				    : monotonic() - machine->started + machine->offset;
}

void machine_refresh(struct machine *machine, struct gpu *gpu)
{
	gpu->live.frozen = machine->frozen >= 0;
	live_advance(gpu, machine_time(machine));
}

int machine_remove(struct machine *machine, struct gpu *gpu)
{
	if (!gpu->present)
		return -ENODEV;
	card_remove(gpu);
	gpu->present = false;
	machine->generation++;
	kfd_build(machine);
	return 0;
}

int machine_return(struct machine *machine, struct gpu *gpu, int card)
{
	if (gpu->present)
		return -EALREADY;
	if (card < 0)
		card = gpu->card;
	if (machine_card_taken(machine, gpu, card, gpu->partitions))
		return -EEXIST;
	gpu->card = card;
	do /* hwmon numbers are handed out anew */
		gpu->hwmon++;
	while (machine_hwmon_taken(machine, gpu, gpu->hwmon));
	machine_number(machine, gpu);
	gpu->present = true;
	card_build(machine, gpu);
	machine->generation++;
	kfd_build(machine);
	return 0;
}

static void exchange(int *a, int *b)
{
	int kept = *a;

	*a = *b;
	*b = kept;
}

int machine_swap(struct machine *machine, struct gpu *a, struct gpu *b)
{
	if (!a->present || !b->present)
		return -ENODEV;
	if (a->partitions != b->partitions)
		return -EINVAL;
	card_remove(a);
	card_remove(b);
	exchange(&a->card, &b->card);
	exchange(&a->minor, &b->minor);
	exchange(&a->hwmon, &b->hwmon);
	card_build(machine, a);
	card_build(machine, b);
	machine->generation++;
	kfd_build(machine);
	return 0;
}
