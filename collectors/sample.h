/* sample - what one pass over one GPU found: a plain value, copied with `=`. */
#ifndef COLLECTORS_SAMPLE_H
#define COLLECTORS_SAMPLE_H

#include <stdint.h>

#include "collectors/metric.h"

/* Why a value is absent. The order is the rank: an error says more than "unsupported". */
enum reason {
	READ_OK,
	READ_UNSUPPORTED, /* this GPU, or no source, has it */
	READ_PENDING,     /* not asked yet */
	READ_SUSPENDED,   /* not asked, so as not to wake the GPU */
	READ_IMPLAUSIBLE, /* read, but outside the row's range */
	READ_ERROR,       /* asked and failed */
};

const char *reason_name(enum reason reason);

struct sample {
	uint64_t sequence;           /* from 1, without gaps, for the life of the daemon; 0: no sample */
	uint64_t monotonic_ns;       /* CLOCK_MONOTONIC when the pass began */
	uint64_t realtime_ns;        /* CLOCK_REALTIME when the pass began */
	uint32_t duration_us;        /* of the pass */
	uint8_t suspended;           /* the GPU was runtime-suspended: nothing was read */
	uint8_t core_failed;         /* not one core reading (utilisation, power, temperature, memory) came */
	uint8_t reason[METRICS_MAX]; /* enum reason */
	double value[METRICS_MAX];   /* base units; NAN unless the reason is READ_OK */
};

#endif
