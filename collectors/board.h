/* board - the memory that the keeper and the sampler share: settings in, samples out.
 *
 * A sealed memfd made by the keeper, who only reads it once the sampler runs; the sampler writes it. It outlives the
 * sampler: rings, counters and the numbering of the GPUs are where the next sampler finds them. GPU n of the page is
 * gpu n here, by PCI address at first sight, for the life of the daemon. */
#ifndef COLLECTORS_BOARD_H
#define COLLECTORS_BOARD_H

#include <stdatomic.h>
#include <stdint.h>

#include "collectors/derive.h"
#include "collectors/device.h"
#include "collectors/guarded.h"
#include "collectors/ring.h"

/* What the keeper tells the sampler; fixed while a sampler runs. */
struct board_settings {
	uint64_t interval_ns, slow_interval_ns, rescan_ns;
	int32_t source;             /* enum config_source */
	uint32_t library_forbidden; /* it died twice: go on without */
	uint32_t library_postponed; /* a GPU hangs, and the library would wait for it */
	uint8_t held[GPUS_MAX];     /* a sampler before is held by this GPU: leave it alone */
	char library[256];          /* path of librocm_smi64; "" searches */
	char sysfs[64];             /* "/sys" */
};

enum library_state {
	LIBRARY_UNUSED,      /* not asked for */
	LIBRARY_LOADING,     /* in dlopen or rsmi_init; a death now is its doing */
	LIBRARY_READY,       /* answers */
	LIBRARY_UNAVAILABLE, /* not found, or does not initialise */
	LIBRARY_POSTPONED,   /* a GPU hangs: without it until none does */
};

/* Who answers, for rocwatch_source_info. */
struct board_library {
	char path[256];
	char version[32];
	char why[160]; /* of LIBRARY_UNAVAILABLE, for a person */
};

struct board_identity {
	struct device_place place;
	struct device_identity identity;
};

enum read_failure { FAILURE_ERROR, FAILURE_IMPLAUSIBLE, READ_FAILURES };

/* Seconds; the last bucket of rocwatch_pass_duration_seconds is +Inf. */
#define PASS_BUCKETS                                                             \
	{                                                                        \
		0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5 \
	}
#define PASS_BUCKETS_COUNT 11

struct board_gpu {
	_Atomic uint32_t present;       /* 1 while the bus shows it */
	_Atomic uint64_t attached_ns;   /* CLOCK_MONOTONIC when its collector last began with it */
	_Atomic uint64_t pass_began_ns; /* CLOCK_MONOTONIC; a pass that began and did not end hangs */
	_Atomic uint64_t pass_ended_ns;
	_Atomic uint64_t passes;       /* rocwatch_passes_total */
	_Atomic uint64_t missed_ticks; /* rocwatch_missed_ticks_total */
	_Atomic uint64_t pass_bucket[PASS_BUCKETS_COUNT + 1];
	_Atomic uint64_t pass_sum_ns;
	_Atomic uint64_t failures[Q_QUANTITIES][READ_FAILURES];
	_Atomic uint64_t identity_mark;
	_Atomic uint64_t identity[GUARDED_WORDS(sizeof(struct board_identity))];
	_Atomic uint64_t pci[GUARDED_WORDS(PCI_SIZE)]; /* written once, before `gpus` counts it: the key */
	struct derive_state derive;                    /* the collector's own, as the next: nobody else reads it */
	uint8_t ever_ok[METRICS_MAX];                  /* rows that had a value once */
};

/* In shared memory. A process that goes mad may write anything here: what the keeper uses as a length, an index or a
 * text is its own, or bounded where it is read. */
struct board_memory {
	uint32_t magic, metrics_count, ring_length, unused;
	uint64_t size;
	struct board_settings settings;
	_Atomic uint32_t gpus;       /* how many were ever seen; read it by board_gpus() */
	_Atomic uint32_t library;    /* enum library_state */
	_Atomic uint32_t first_scan; /* 1 once the sampler has looked for GPUs */
	_Atomic uint64_t alive_ns;   /* CLOCK_MONOTONIC of the sampler's last sign of life, several a second */
	_Atomic uint64_t library_mark;
	_Atomic uint64_t library_text[GUARDED_WORDS(sizeof(struct board_library))];
	struct board_gpu gpu[GPUS_MAX];
	/* then GPUS_MAX rings; untouched ones take no memory */
};

/* A process's own handle; a plain value. */
struct board {
	struct board_memory *memory;
	uint32_t ring_length;
	size_t size;
};

/* Makes the memory. 0 with the mapping and its descriptor (close-on-exec), or -errno. */
int board_create(uint32_t ring_length, struct board *ret, int *ret_fd);

/* Maps a board that another process made: 0, or -errno, -EPROTO where it is none of ours. */
int board_open(int fd, struct board *ret);

/* Unmaps; an empty handle is fine. */
void board_close(struct board *board);

/* How many GPUs were ever seen, at most GPUS_MAX. */
unsigned int board_gpus(const struct board *board);

struct ring board_ring(const struct board *board, unsigned int gpu);

/* PCI address of GPU n. Returns `to`. */
char *board_pci(const struct board *board, unsigned int gpu, char to[PCI_SIZE]);

/* Number of the GPU with that PCI address, made anew where it is first seen; -ENOSPC. The sampler only. */
int board_claim(struct board *board, const char *pci);

/* Who GPU n is, as far as known: 0 or -EAGAIN. */
int board_identity(const struct board *board, unsigned int gpu, struct board_identity *ret);
void board_set_identity(struct board *board, unsigned int gpu, const struct board_identity *identity);

int board_library(const struct board *board, struct board_library *ret);
void board_set_library(struct board *board, enum library_state state, const struct board_library *library);

/* State of GPU n at `now_ns` (CLOCK_MONOTONIC) and its newest sample (sequence 0: none, or too old to be shown).
 * `before` is the state that stands while a new collector has given no sample yet. */
enum gpu_state board_gpu_state(const struct board *board, unsigned int gpu, enum gpu_state before, uint64_t now_ns,
			       uint64_t stale_after_ns, struct sample *ret);

#endif
