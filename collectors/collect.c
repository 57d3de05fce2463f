/* collect - see the header. */
#include "collectors/collect.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int collect_attach(struct collect *collect, const struct board_settings *settings, const struct board_identity *who,
		   const struct source *const *sources)
{
	char path[256];
	unsigned int row, i;

	snprintf(path, sizeof(path), "%s/bus/pci/devices/%s", settings->sysfs, who->place.pci);
	collect->dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (collect->dir < 0)
		return -errno;
	collect->sources = sources;
	for (i = 0; sources[i] != NULL; i++)
		if (sources[i]->attach(settings, who, &collect->handle[i]) < 0)
			collect->handle[i] = NULL;
	for (row = 0; row < METRICS_MAX; row++) {
		collect->sample.value[row] = NAN;
		collect->sample.reason[row] = READ_PENDING;
	}
	return 0;
}

void collect_detach(struct collect *collect)
{
	unsigned int i;

	for (i = 0; collect->sources[i] != NULL; i++)
		if (collect->handle[i] != NULL)
			collect->sources[i]->detach(collect->handle[i]);
	close(collect->dir);
}

static enum reason reason_of(int error, bool ever_ok)
{
	switch (error) {
	case 0:
		return READ_OK;
	case -ERANGE:
		return READ_IMPLAUSIBLE;
	case -EOPNOTSUPP:
	case -EINVAL: /* what the driver says for a sensor that the card has not, and for a fault */
		return ever_ok ? READ_ERROR : READ_UNSUPPORTED;
	default:
		return READ_ERROR;
	}
}

/* An error says more than a refusal: the rank of what two sources said. */
static int worse(int a, int b)
{
	return a == -EOPNOTSUPP ? b : a;
}

/* Asks the sources in their order; the first plausible answer wins, nothing overwrites it. */
static int read_row(struct collect *collect, const bool *ask, unsigned int row, double *ret)
{
	const struct metric *metric = &metrics[row];
	int error = -EOPNOTSUPP;
	unsigned int i;

	for (i = 0; collect->sources[i] != NULL; i++) {
		double value = NAN;
		int r;

		if (!ask[i])
			continue;
		r = collect->sources[i]->read(collect->handle[i], metric->quantity, metric->selector, &value);
		if (r == 0 && !(value >= metric->min && value <= metric->max))
			r = -ERANGE;
		if (r == 0) {
			*ret = value;
			return 0;
		}
		error = worse(error, r);
	}
	return error;
}

static void read_rows(struct collect *collect, const bool *ask, bool slow)
{
	struct sample *sample = &collect->sample;
	unsigned int row;

	for (row = 0; row < metrics_count; row++) {
		double value = NAN;
		int r;

		if (metrics[row].tier == TIER_DERIVED || (metrics[row].tier == TIER_SLOW && !slow))
			continue;
		r = read_row(collect, ask, row, &value);
		collect->error[row] = r;
		collect->ever_ok[row] |= r == 0;
		sample->reason[row] = reason_of(r, collect->ever_ok[row]);
		sample->value[row] = value;
	}
}

static bool is_core(enum quantity quantity)
{
	return quantity == Q_UTILIZATION || quantity == Q_POWER || quantity == Q_TEMPERATURE ||
	       quantity == Q_MEMORY_USED;
}

/* Not one core reading came: this GPU tells us nothing, for whatever reason. */
static bool core_failed(const struct sample *sample)
{
	unsigned int row;

	for (row = 0; row < metrics_count; row++)
		if (is_core(metrics[row].quantity) && sample->reason[row] == READ_OK)
			return false;
	return true;
}

/* It went to sleep within the pass: a refusal to wake it is no failure. */
static bool fell_asleep(const struct collect *collect)
{
	unsigned int row;

	for (row = 0; row < metrics_count; row++)
		if (collect->sample.reason[row] == READ_ERROR)
			return sysfs_suspended(collect->dir);
	return false;
}

static void mark_all(struct collect *collect, enum reason reason)
{
	unsigned int row;

	for (row = 0; row < metrics_count; row++) {
		collect->sample.value[row] = NAN;
		collect->sample.reason[row] = (uint8_t)reason;
	}
}

/* Whose readings still come from this very GPU. A source of which that is not sure is not asked. */
static bool check_sources(struct collect *collect, bool *ask)
{
	bool changed = false;
	unsigned int i;

	for (i = 0; collect->sources[i] != NULL; i++) {
		const struct source *source = collect->sources[i];

		if (!ask[i] || source->still_same == NULL || source->still_same(collect->handle[i]))
			continue;
		ask[i] = false;
		changed = true;
	}
	return changed;
}

static void begin_sources(struct collect *collect, bool *ask)
{
	unsigned int i;

	for (i = 0; collect->sources[i] != NULL; i++)
		ask[i] = collect->handle[i] != NULL && collect->sources[i]->begin(collect->handle[i]);
}

void collect_pass(struct collect *collect, uint64_t monotonic_ns, uint64_t realtime_ns, bool slow)
{
	struct sample *sample = &collect->sample;
	bool ask[SOURCES_MAX] = { false };
	bool was_suspended = sample->suspended;

	sample->monotonic_ns = monotonic_ns;
	sample->realtime_ns = realtime_ns;
	sample->core_failed = 0;
	sample->suspended = sysfs_suspended(collect->dir);
	if (sample->suspended) {
		mark_all(collect, READ_SUSPENDED);
		return;
	}
	begin_sources(collect, ask);
	slow |= was_suspended;
	read_rows(collect, ask, slow);
	/* The cards changed places meanwhile: what one source said may be another card's. Once more without it. */
	if (check_sources(collect, ask))
		read_rows(collect, ask, true);
	if (fell_asleep(collect)) {
		sample->suspended = 1;
		mark_all(collect, READ_SUSPENDED);
		return;
	}
	sample->core_failed = core_failed(sample);
}
