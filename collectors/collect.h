/* collect - one pass over one GPU: every row of the table asked of the sources in their order.
 *
 * No clock and no thread in here: time comes in, a sample comes out. Reading may block for as long as the GPU does. */
#ifndef COLLECTORS_COLLECT_H
#define COLLECTORS_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "collectors/sample.h"
#include "collectors/source.h"

/* What went wrong and came back, by quantity: for one message per change. */
struct failures {
	uint64_t since_ns[Q_QUANTITIES]; /* 0: not failing */
	uint64_t last_bad_ns[Q_QUANTITIES];
	bool everything;
};

/* One GPU under collection. Zero-initialise, then collect_attach(). */
struct collect {
	const struct source *const *sources;
	void *handle[SOURCES_MAX];    /* of each source, NULL where it does not know the GPU */
	int dir;                      /* the PCI device */
	struct sample sample;         /* of the last pass; slow rows stand until they are read again */
	int error[METRICS_MAX];       /* -errno behind each absent value of the last pass */
	uint8_t ever_ok[METRICS_MAX]; /* a row that once had a value and now has no file has lost it: an error */
	struct failures failures;
};

/* Begins with a GPU: opens it in every source. 0, or -errno where the device is not there. */
int collect_attach(struct collect *collect, const struct board_settings *settings, const struct board_identity *who,
		   const struct source *const *sources);
void collect_detach(struct collect *collect);

/* One pass. `slow`: rows of the slow tier too. The result stands in collect->sample. */
void collect_pass(struct collect *collect, uint64_t monotonic_ns, uint64_t realtime_ns, bool slow);

/* A sentence on what began to fail or came back with the last pass, or false where nothing changed. A failure counts as
 * over after `calm_ns` without one, so that a flickering sensor does not write each second. */
bool collect_changes(struct collect *collect, uint64_t now_ns, uint64_t calm_ns, char *to, size_t size, bool *ret_bad);

#endif
