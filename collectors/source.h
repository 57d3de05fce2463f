/* source - somebody who can answer "what is the (quantity, selector) of this GPU".
 *
 * Units are the base units of metric.h; sentinels, milli-units and library codes stop here. Everything but
 * source_rocm_smi_load() runs on the collector thread of the GPU, and may block for as long as the GPU does. */
#ifndef COLLECTORS_SOURCE_H
#define COLLECTORS_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "collectors/board.h"
#include "collectors/device.h"
#include "collectors/metric.h"

struct source {
	const char *name; /* "rocm_smi", "sysfs" */

	/* Begins with one GPU. 0 with its handle, or -errno where the source does not know the GPU. */
	int (*attach)(const struct board_settings *settings, const struct board_identity *who, void **ret);
	void (*detach)(void *gpu);

	/* Before the first reading of a pass: forget what was cached. false: do not ask in this pass. */
	bool (*begin)(void *gpu);

	/* After the last: false where what was read in this pass may have come from another GPU. NULL: always true. */
	bool (*still_same)(void *gpu);

	/* 0 and the value; -EOPNOTSUPP: not for this GPU or not by this source; -ERANGE: a sentinel or otherwise
	 * implausible; any other -errno: asked and failed. */
	int (*read)(void *gpu, enum quantity quantity, int selector, double *ret);
};

extern const struct source source_rocm_smi, source_sysfs;

/* Loads the library and lets it find the GPUs, once per process, before any attach. May abort, print, or block for
 * ever: sampler only. Fills in who it is (or why not) and returns 0 or -errno. */
int source_rocm_smi_load(const struct board_settings *settings, struct board_library *ret);

/* Which sources, in the order of asking, `enum config_source` means. At most SOURCES_MAX, NULL-terminated. */
#define SOURCES_MAX 2
const struct source *const *sources_for(int source, bool library_ready);

/* Whether the driver has the GPU asleep, by the one file that does not wake it. `dir`: the PCI device. */
bool sysfs_suspended(int dir);

#endif
