/* derive - counters made from samples: what a sum over every sample says that a look every 15 s cannot.
 *
 * Pure. The state lives in shared memory, so counters go on where a dead sampler left them; a gap is not filled in. */
#ifndef COLLECTORS_DERIVE_H
#define COLLECTORS_DERIVE_H

#include <stdint.h>

#include "collectors/sample.h"

enum energy_origin { ENERGY_UNDECIDED, ENERGY_HARDWARE, ENERGY_INTEGRAL };

struct derive_state {
	uint64_t before_ns;     /* time of the sample before, 0: none */
	double busy_seconds[2]; /* by enum engine */
	double energy_joules;
	uint32_t energy_origin; /* enum energy_origin: decided once, so that a counter never changes its origin */
	uint32_t undecided;     /* samples that had power and no accumulator, before it was decided */
};

/* Fills the derived rows of `sample` and steps the state. `gap_ns`: two samples further apart than this have a gap
 * between them, for which nothing is added. */
void derive(struct derive_state *state, struct sample *sample, uint64_t gap_ns);

#endif
