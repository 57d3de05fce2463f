/* page - what /metrics shows, from the table, the GPUs' newest samples and the daemon's own figures. Pure. */
#ifndef EXPORTER_PAGE_H
#define EXPORTER_PAGE_H

#include "collectors/board.h"
#include "exporter/text.h"

/* A GPU at the moment of the scrape. */
struct page_gpu {
	unsigned int index;
	struct board_identity who;
	enum gpu_state state;
	struct sample sample;  /* sequence 0: none that may be shown */
	double sample_seconds; /* wall time of the newest sample, also an old one; 0: never */
	uint64_t passes, missed_ticks, pass_sum_ns;
	uint64_t pass_bucket[PASS_BUCKETS_COUNT + 1];
	uint64_t failures[Q_QUANTITIES][READ_FAILURES];
	uint64_t hangs; /* times that it did not answer in time */
};

/* One rule on one GPU. */
struct page_alert {
	const char *rule, *severity;
	unsigned int gpu;
	bool firing, no_data;
};

struct page_transition {
	const char *rule, *to;
	uint64_t count;
};

/* The daemon's own figures. Times in seconds since the epoch. */
struct page_self {
	const char *version, *driver_version, *kernel; /* "" unknown */
	const char *source;                            /* "rocm_smi", "sysfs", "auto" as in force */
	const char *library_path, *library_version;
	uint64_t sampler_restarts, gpus_expected;
	bool reload_ok;
	double reload_seconds;
	uint64_t alerts_suppressed, samples_missed;
	const struct page_alert *alerts;
	size_t alerts_count;
	const struct page_transition *transitions;
	size_t transitions_count;
	double process_cpu_seconds, process_start_seconds; /* of both processes; of the keeper */
	double process_resident_bytes, process_virtual_bytes;
	double process_open_fds, process_max_fds;
};

void page_render(struct text *text, const struct page_gpu *gpus, size_t gpus_count, const struct page_self *self);

/* Families of page and self that are not rows of the table, as a person reads them (--list-metrics). */
void page_print_families(FILE *to);

#endif
