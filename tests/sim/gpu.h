/* gpu - one simulated card: who it is, where it stands, and what was changed about its files. */
#ifndef SIM_GPU_H
#define SIM_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/sim/fault.h"
#include "tests/sim/live.h"
#include "tests/sim/text.h"

#define PARTITIONS_MAX 8

/* What is known of one file of a card. Outlives the file, so that pins, faults and counts survive
 * remove and add. */
struct record {
	char *key;		/* path below the device directory, hwmonN written as hwmon */
	unsigned long reads;
	struct fault fault;
	bool pinned, deleted;
	bool created;		/* exists only because it was set */
	struct text pin;
	struct record *next;
};

struct ecc {
	char block[24];
	unsigned long long ue, ce, de;
	struct ecc *next;
};

struct gpu {
	int index;		/* N of gpuN */
	int nth;		/* how manieth of its profile, from 0 */
	const struct profile *profile;
	const char *dump;	/* directory of a dump it was adopted from, or NULL */
	char *dump_kfd;		/* properties of its KFD node in the dump, or NULL */
	unsigned int domain, bus, device, function;
	char bdf[16];
	int numa;		/* as in numa_node; -1 on a desktop */
	uint64_t unique_id, hive_id;
	char serial[24];
	int partitions;		/* 1, or how many it is cut into */
	int card, minor, hwmon;	/* of partition 0; the others follow */
	bool present, suspended;
	unsigned long refused;	/* reads that would have woken it */
	uint64_t seed;
	struct live live;
	struct record *records;
	struct ecc *eccs;
	struct node *dir;	/* its device directory while present */
	struct node **owned;	/* all that goes when it goes */
	size_t owned_count;
};

/* The record of a file, made where absent. `path` may name hwmonN or hwmon. */
struct record *gpu_record(struct gpu *gpu, const char *path);

/* The counters of one RAS block, made where absent. */
struct ecc *gpu_ecc(struct gpu *gpu, const char *block);

/* Is it a second one of a pair, of which some profiles say something else? */
static inline bool gpu_is_second(const struct gpu *gpu)
{
	return gpu->nth % 2 == 1;
}

void gpu_free(struct gpu *gpu);

#endif
