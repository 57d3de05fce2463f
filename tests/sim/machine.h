/* machine - the simulated computer: its cards, their numbers, and its /sys. */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/sim/live.h"

struct gpu;
struct node;
struct profile;

#define HOST_HWMONS 2

struct machine {
	struct node *root;		/* its /sys */
	struct gpu **gpus;		/* in the order of their PCI addresses once started */
	int count;
	struct profile *profiles;	/* all that were read */
	uint64_t seed;
	bool is_mixed;			/* each card gets a workload of its own */
	enum workload workload;		/* otherwise all have this one */
	int sockets;			/* CPU nodes of the KFD topology */
	int display_card;		/* card number of the server's display, or -1 */
	int host_hwmon[HOST_HWMONS]; /* hwmon numbers that belong to others than GPUs; -1: none yet
				      */
	unsigned int generation;	/* of the KFD topology */
	double started;			/* monotonic clock, s */
	double offset;			/* s of simulated time beside the clock's */
	double frozen;			/* simulated time stands here; negative: it runs */
};

void machine_init(struct machine *machine, uint64_t seed);
void machine_fini(struct machine *machine);

/* Adds `count` cards of a profile, or the card of a dump; before machine_start(). 0 or -errno, told
 * on stderr. */
int machine_add_profile(struct machine *machine, const char *dir, const char *name, int count);
int machine_add_dump(struct machine *machine, const char *dir);

/* Numbers the cards and makes /sys. */
void machine_start(struct machine *machine);

/* Seconds of simulated time, and a card brought there. */
double machine_time(const struct machine *machine);
void machine_refresh(struct machine *machine, struct gpu *gpu);

/* A card leaves; comes back under `card` (-1: its old number), -EEXIST if that is taken, -EALREADY
 * if it is present. */
int machine_remove(struct machine *machine, struct gpu *gpu);
int machine_return(struct machine *machine, struct gpu *gpu, int card);

/* Two cards exchange card, render and hwmon numbers; -ENODEV if one is absent, -EINVAL if they are
 * cut differently. */
int machine_swap(struct machine *machine, struct gpu *a, struct gpu *b);

/* Gives a card the numbers it has where they are free, else the next free ones. */
void machine_number(const struct machine *machine, struct gpu *gpu);

/* Is one of these numbers taken by somebody other than `but`? */
bool machine_card_taken(const struct machine *machine, const struct gpu *but, int first, int count);
bool machine_hwmon_taken(const struct machine *machine, const struct gpu *but, int hwmon);

#endif
