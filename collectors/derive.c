/* derive - see the header. */
#include "collectors/derive.h"

#include <math.h>

#define ENERGY_PATIENCE 3 /* samples without an accumulator, before there is none */

static const double ns_per_second = 1e9;

static void put(struct sample *sample, int row, double value)
{
	sample->value[row] = value;
	sample->reason[row] = READ_OK;
}

static void derive_busy(struct derive_state *state, struct sample *sample, enum engine engine, double seconds)
{
	int from = metric_row(Q_UTILIZATION, engine), to = metric_row(Q_BUSY_SECONDS, engine);

	if (sample->reason[from] == READ_OK)
		state->busy_seconds[engine] += sample->value[from] * seconds;
	if (sample->reason[from] == READ_OK || state->busy_seconds[engine] > 0)
		put(sample, to, state->busy_seconds[engine]);
	else
		sample->reason[to] = sample->reason[from];
}

/* The hardware's accumulator where it is there, else the integral of power: decided once, for the daemon's life. */
static void derive_energy(struct derive_state *state, struct sample *sample, double seconds)
{
	int energy = metric_row(Q_ENERGY, 0), power = metric_row(Q_POWER, 0);

	if (state->energy_origin == ENERGY_UNDECIDED) {
		if (sample->reason[energy] == READ_OK)
			state->energy_origin = ENERGY_HARDWARE;
		else if (sample->reason[energy] == READ_UNSUPPORTED && sample->reason[power] == READ_OK &&
			 ++state->undecided >= ENERGY_PATIENCE)
			state->energy_origin = ENERGY_INTEGRAL;
	}
	if (state->energy_origin != ENERGY_INTEGRAL)
		return;
	if (sample->reason[power] == READ_OK)
		state->energy_joules += sample->value[power] * seconds;
	put(sample, energy, state->energy_joules);
}

void derive(struct derive_state *state, struct sample *sample, uint64_t gap_ns)
{
	uint64_t span = 0;
	double seconds;

	if (state->before_ns != 0 && sample->monotonic_ns > state->before_ns)
		span = sample->monotonic_ns - state->before_ns;
	seconds = span <= gap_ns ? (double)span / ns_per_second : 0;
	/* First, so that a death in between loses this span and does not count it twice. */
	state->before_ns = sample->monotonic_ns;
	derive_busy(state, sample, ENGINE_GFX, seconds);
	derive_busy(state, sample, ENGINE_MEMORY, seconds);
	derive_energy(state, sample, seconds);
}
