/* collector - see the header. The thread function loops and calls the pure part. */
#include "collectors/collector.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collectors/collect.h"

#define CALM_NS 30000000000ull /* a failure is over after this long without one */
#define GAP_TICKS 3            /* samples further apart have a gap between them */

struct collector {
	struct board board;
	unsigned int gpu;
	struct device_place place;
	collector_say *say;
	struct collect collect;
	uint64_t slow_due_ns;
};

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t collector_next(uint64_t due_ns, uint64_t now_ns, uint64_t interval_ns, uint64_t *ret_missed)
{
	uint64_t next = due_ns + interval_ns;

	*ret_missed = 0;
	if (now_ns > next) {
		*ret_missed = (now_ns - next + interval_ns - 1) / interval_ns;
		next += *ret_missed * interval_ns;
	}
	return next;
}

static void sleep_until(uint64_t due_ns)
{
	struct timespec due = { .tv_sec = (time_t)(due_ns / 1000000000u), .tv_nsec = (long)(due_ns % 1000000000u) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) == EINTR)
		;
}

static void say_changes(struct collector *collector, uint64_t now_ns)
{
	char what[320], text[400];
	bool bad;

	if (!collect_changes(&collector->collect, now_ns, CALM_NS, what, sizeof(what), &bad))
		return;
	snprintf(text, sizeof(text), "GPU %u (%s): %s", collector->gpu, collector->place.pci, what);
	collector->say(bad ? 4 : 5, text);
}

static void count_failures(struct board_gpu *slot, const struct collect *collect, bool slow)
{
	unsigned int row;

	for (row = 0; row < metrics_count; row++) {
		uint8_t reason = collect->sample.reason[row];

		if ((reason != READ_ERROR && reason != READ_IMPLAUSIBLE) || metrics[row].tier == TIER_DERIVED ||
		    (metrics[row].tier == TIER_SLOW && !slow))
			continue;
		atomic_fetch_add(&slot->failures[metrics[row].quantity]
						[reason == READ_ERROR ? FAILURE_ERROR : FAILURE_IMPLAUSIBLE],
				 1);
	}
}

static void count_pass(struct board_gpu *slot, uint64_t spent_ns)
{
	static const double buckets[PASS_BUCKETS_COUNT] = PASS_BUCKETS;
	unsigned int i;

	for (i = 0; i < PASS_BUCKETS_COUNT && (double)spent_ns / 1e9 > buckets[i]; i++)
		;
	atomic_fetch_add(&slot->pass_bucket[i], 1);
	atomic_fetch_add(&slot->pass_sum_ns, spent_ns);
	atomic_fetch_add(&slot->passes, 1);
}

/* One pass and what follows from it. */
static void collector_pass(struct collector *collector)
{
	const struct board_settings *settings = &collector->board.memory->settings;
	struct board_gpu *slot = &collector->board.memory->gpu[collector->gpu];
	const struct ring ring = board_ring(&collector->board, collector->gpu);
	struct sample *sample = &collector->collect.sample;
	uint64_t began = clock_ns(CLOCK_MONOTONIC), ended;
	bool slow = began >= collector->slow_due_ns;

	atomic_store(&slot->pass_began_ns, began);
	collect_pass(&collector->collect, began, clock_ns(CLOCK_REALTIME), slow);
	if (slow)
		collector->slow_due_ns = began + settings->slow_interval_ns - settings->interval_ns / 2;
	derive(&slot->derive, sample, GAP_TICKS * settings->interval_ns);
	ended = clock_ns(CLOCK_MONOTONIC);
	sample->duration_us = (uint32_t)((ended - began) / 1000);
	if (atomic_load(&slot->present))
		ring_put(&ring, sample);
	memcpy(slot->ever_ok, collector->collect.ever_ok, sizeof(slot->ever_ok));
	count_failures(slot, &collector->collect, slow);
	count_pass(slot, ended - began);
	atomic_store(&slot->pass_ended_ns, ended);
	say_changes(collector, ended);
}

/* Who the GPU is, and its files. Blocks where the GPU does, so it counts as part of a pass. */
static int collector_attach(struct collector *collector)
{
	struct board_memory *memory = collector->board.memory;
	struct board_gpu *slot = &memory->gpu[collector->gpu];
	struct board_identity who = { .place = collector->place };
	bool library = atomic_load(&memory->library) == LIBRARY_READY;
	int r;

	atomic_store(&slot->pass_began_ns, clock_ns(CLOCK_MONOTONIC));
	device_identify(memory->settings.sysfs, &collector->place, &who.identity);
	board_set_identity(&collector->board, collector->gpu, &who);
	memcpy(collector->collect.ever_ok, slot->ever_ok, sizeof(slot->ever_ok));
	r = collect_attach(&collector->collect, &memory->settings, &who, sources_for(memory->settings.source, library));
	atomic_store(&slot->pass_ended_ns, clock_ns(CLOCK_MONOTONIC));
	return r;
}

static void *collector_run(void *argument)
{
	struct collector *collector = argument;
	struct board_gpu *slot = &collector->board.memory->gpu[collector->gpu];
	uint64_t interval = collector->board.memory->settings.interval_ns;
	uint64_t due, missed;

	if (collector_attach(collector) == 0) {
		due = clock_ns(CLOCK_MONOTONIC);
		while (atomic_load(&slot->present)) {
			collector_pass(collector);
			due = collector_next(due, clock_ns(CLOCK_MONOTONIC), interval, &missed);
			atomic_fetch_add(&slot->missed_ticks, missed);
			sleep_until(due);
		}
		collect_detach(&collector->collect);
	}
	free(collector);
	return NULL;
}

int collector_start(const struct board *board, unsigned int gpu, const struct device_place *place, collector_say *say)
{
	struct collector *collector = calloc(1, sizeof(*collector));
	pthread_attr_t attributes;
	pthread_t thread;
	int r;

	if (collector == NULL)
		return -ENOMEM;
	collector->board = *board;
	collector->gpu = gpu;
	collector->place = *place;
	collector->say = say;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, 512 * 1024);
	r = -pthread_create(&thread, &attributes, collector_run, collector);
	pthread_attr_destroy(&attributes);
	if (r < 0)
		free(collector);
	return r;
}
