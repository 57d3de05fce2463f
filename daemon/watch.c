/* watch - what is new of every GPU: samples to the rules, each exactly once, and changes of state to the journal. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/keeper.h"
#include "systemd/journal.h"
#include "systemd/message_ids.h"

#define SAMPLER_MISSED_NS 800000000ull /* it shows life five times a second */
#define SAMPLER_AWAY_NS 10000000000ull /* after that the silence is news of its own */

static const char *message_of(enum gpu_state from, enum gpu_state to)
{
	switch (to) {
	case GPU_LOST:
		return MESSAGE_GPU_LOST;
	case GPU_HUNG:
		return MESSAGE_GPU_HUNG;
	case GPU_OK:
	case GPU_SUSPENDED:
		return from == GPU_LOST ? MESSAGE_GPU_RETURNED : from == GPU_HUNG ? MESSAGE_GPU_RECOVERED : NULL;
	default:
		return NULL;
	}
}

static const char *sentence_of(enum gpu_state from, enum gpu_state to)
{
	switch (to) {
	case GPU_LOST:
		return "is gone from the PCI bus";
	case GPU_HUNG:
		return "hangs: a reading has not returned";
	case GPU_ERROR:
		return "gives no core reading";
	case GPU_SUSPENDED:
		return "sleeps; it is not woken";
	default:
		return from == GPU_LOST      ? "is back on the PCI bus" :
		       from == GPU_SUSPENDED ? "is awake" :
					       "answers again";
	}
}

static void tell_state(unsigned int gpu, const char *pci, enum gpu_state from, enum gpu_state to)
{
	char gpu_field[24], pci_field[40], state_field[32];
	const char *fields[] = { gpu_field, pci_field, state_field, NULL };
	bool bad = to == GPU_LOST || to == GPU_HUNG || to == GPU_ERROR;

	snprintf(gpu_field, sizeof(gpu_field), "GPU=%u", gpu);
	snprintf(pci_field, sizeof(pci_field), "PCI_ADDRESS=%s", pci);
	snprintf(state_field, sizeof(state_field), "STATE=%s", gpu_state_name(to));
	journal_log(bad ? LOG_PRIORITY_ERROR : LOG_PRIORITY_NOTICE, message_of(from, to), fields, "GPU %u (%s) %s", gpu,
		    pci, sentence_of(from, to));
}

/* Between samplers no sample comes, which says nothing of the GPUs: for so long what was known of them stands. */
static bool sampler_is_away(const struct keeper *keeper, uint64_t now_ns)
{
	uint64_t silence = tend_silence(keeper, now_ns);

	return (keeper->child.pid == 0 || silence > SAMPLER_MISSED_NS) && silence < SAMPLER_AWAY_NS;
}

static enum gpu_state step_state(struct keeper *keeper, unsigned int gpu, const char *pci, uint64_t now_ns)
{
	struct watched *watched = &keeper->watched[gpu];
	struct sample newest;
	enum gpu_state state =
		board_gpu_state(&keeper->board, gpu, watched->state, now_ns, keeper->config.stale_after_ns, &newest);

	if (newest.sequence == 0 && state != GPU_LOST && sampler_is_away(keeper, now_ns))
		state = watched->state;
	if (watched->known && state != watched->state)
		tell_state(gpu, pci, watched->state, state);
	else if (!watched->known && state != GPU_OK)
		tell_state(gpu, pci, GPU_OK, state);
	if (state == GPU_HUNG && (!watched->known || watched->state != GPU_HUNG))
		atomic_fetch_add(&watched->hangs, 1);
	pthread_mutex_lock(&keeper->lock);
	watched->state = state;
	watched->known = true;
	pthread_mutex_unlock(&keeper->lock);
	watched->fresh = newest.sequence != 0;
	return state;
}

uint64_t watch_gap_ns(const struct config *config)
{
	return config->stale_after_ns > 3 * config->interval_ns ? config->stale_after_ns : 3 * config->interval_ns;
}

/* Since the newest sample, or since its collector began: what a dead sampler did not read says nothing of the GPU. */
static uint64_t sample_age(struct keeper *keeper, unsigned int gpu, uint64_t now_ns)
{
	uint64_t since = atomic_load(&keeper->board.memory->gpu[gpu].attached_ns);
	const struct ring ring = board_ring(&keeper->board, gpu);
	struct sample newest;

	if (ring_latest(&ring, &newest) == 0 && newest.monotonic_ns > since)
		since = newest.monotonic_ns;
	return now_ns > since ? now_ns - since : 0;
}

void watch_alert(void *argument, const struct alert_event *event)
{
	struct keeper *keeper = argument;

	alert_outbox_add(&keeper->outbox, &keeper->alert_limit, event, now_monotonic());
}

/* One GPU: its state, then what its state says to the rules, then each new sample, oldest first. */
static void watch_gpu(struct keeper *keeper, unsigned int gpu, uint64_t now_ns)
{
	const struct ring ring = board_ring(&keeper->board, gpu);
	struct ring_cursor *cursor = &keeper->watched[gpu].cursor;
	struct board_identity who;
	struct alert_gpu about = { .index = gpu };
	struct sample sample;

	board_identity(&keeper->board, gpu, &who); /* the address is always there */
	about.pci = who.place.pci;
	about.name = who.identity.name;
	about.state = step_state(keeper, gpu, who.place.pci, now_ns);
	pthread_mutex_lock(&keeper->lock);
	about.age_ns = sample_age(keeper, gpu, now_ns);
	alerts_tick(keeper->alerts, &about, now_ns, watch_alert, keeper);
	while (ring_next(&ring, cursor, &sample) == 0)
		alerts_judge(keeper->alerts, &about, &sample, watch_alert, keeper);
	pthread_mutex_unlock(&keeper->lock);
	alert_outbox_send(&keeper->outbox);
}

void watch_tick(struct keeper *keeper, uint64_t now_ns)
{
	unsigned int gpus = board_gpus(&keeper->board), gpu;
	uint64_t missed = 0;

	for (gpu = 0; gpu < gpus; gpu++) {
		watch_gpu(keeper, gpu, now_ns);
		missed += keeper->watched[gpu].cursor.missed;
	}
	alert_journal_tick(&keeper->alert_limit, now_ns);
	pthread_mutex_lock(&keeper->lock);
	keeper->samples_missed = missed;
	keeper->alerts_suppressed = keeper->alert_limit.suppressed;
	pthread_mutex_unlock(&keeper->lock);
}

bool watch_first_pass_done(struct keeper *keeper, uint64_t now_ns)
{
	unsigned int gpus = board_gpus(&keeper->board), gpu;
	struct sample sample;

	if (!atomic_load(&keeper->board.memory->first_scan))
		return false;
	for (gpu = 0; gpu < gpus; gpu++) {
		enum gpu_state state = board_gpu_state(&keeper->board, gpu, keeper->watched[gpu].state, now_ns,
						       keeper->config.stale_after_ns, &sample);

		if (sample.sequence == 0 && state != GPU_HUNG && state != GPU_LOST)
			return false;
	}
	return true;
}
