/* alert_journal - see the header. */
#include "daemon/alert_journal.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exporter/text.h"
#include "systemd/message_ids.h"

#define MINUTE_NS 60e9

/* ---- the limit ---- */

void alert_limit_init(struct alert_limit *limit, uint64_t burst)
{
	*limit = (struct alert_limit){ .burst = burst };
}

static void refill(struct alert_limit *limit, uint64_t now_ns)
{
	if (now_ns > limit->last_ns) {
		limit->spent -= (double)limit->burst * (double)(now_ns - limit->last_ns) / MINUTE_NS;
		limit->last_ns = now_ns;
	}
	limit->spent = fmax(limit->spent, 0);
}

bool alert_limit_take(struct alert_limit *limit, bool critical, uint64_t now_ns)
{
	double most = (double)limit->burst;

	refill(limit, now_ns);
	if (!critical)
		most -= floor(most / 4);
	if (limit->spent + 1 <= most) {
		limit->spent++;
		return true;
	}
	limit->suppressed++;
	limit->untold++;
	return false;
}

uint64_t alert_limit_report(struct alert_limit *limit, uint64_t now_ns)
{
	uint64_t untold = limit->untold;

	refill(limit, now_ns);
	if (untold == 0 || limit->spent > (double)limit->burst / 2)
		return 0;
	limit->untold = 0;
	return untold;
}

/* ---- an entry ---- */

/* A field being added to an entry. */
struct writer {
	struct alert_entry *entry;
	size_t count, used;
};

static void put(struct writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a field; one that has no room is left out as a whole. */
static void put(struct writer *writer, const char *format, ...)
{
	struct alert_entry *entry = writer->entry;
	size_t room = sizeof(entry->room) - writer->used;
	va_list arguments;
	int n;

	va_start(arguments, format);
	n = vsnprintf(entry->room + writer->used, room, format, arguments);
	va_end(arguments);
	if (n < 0 || (size_t)n >= room || writer->count == JOURNAL_FIELDS_MAX)
		return;
	entry->fields[writer->count++] = entry->room + writer->used;
	entry->fields[writer->count] = NULL;
	writer->used += (size_t)n + 1;
}

/* A figure in its base unit; none where there is none. */
static void put_number(struct writer *writer, const char *name, double value)
{
	char number[TEXT_NUMBER_SIZE];

	if (!isnan(value))
		put(writer, "%s=%s", name, text_number(value, number));
}

static int priority_of(const struct alert_event *event)
{
	static const int priorities[] = {
		[SEVERITY_INFO] = LOG_PRIORITY_INFO,
		[SEVERITY_WARNING] = LOG_PRIORITY_WARNING,
		[SEVERITY_CRITICAL] = LOG_PRIORITY_CRITICAL,
	};

	if (event->to == ALERT_FIRING)
		return priorities[event->rule->severity];
	return event->rule->severity == SEVERITY_INFO ? LOG_PRIORITY_INFO : LOG_PRIORITY_NOTICE;
}

static void put_metric(struct writer *writer, const struct alert_event *event)
{
	char metric[160];

	if (event->row >= 0)
		put(writer, "METRIC=%s", metric_name((unsigned int)event->row, metric, sizeof(metric)));
	else
		put(writer, "METRIC=%s", event->rule->kind->subject);
	put_number(writer, "VALUE", event->judgement.value);
	put_number(writer, "THRESHOLD", event->judgement.limit);
}

void alert_entry_make(const struct alert_event *event, struct alert_entry *ret)
{
	struct writer writer = { .entry = ret };
	bool firing = event->to == ALERT_FIRING;

	ret->priority = priority_of(event);
	ret->message_id = firing ? MESSAGE_ALERT_FIRING : MESSAGE_ALERT_RESOLVED;
	ret->fields[0] = NULL;
	alert_describe(event, ret->message, sizeof(ret->message));
	put(&writer, "GPU=%u", event->gpu);
	put(&writer, "PCI_ADDRESS=%s", event->pci);
	put(&writer, "RULE=%s", event->rule->name);
	put(&writer, "STATE=%s", firing ? "firing" : "resolved");
	put(&writer, "SEVERITY=%s", severity_name(event->rule->severity));
	put_metric(&writer, event);
	put(&writer, "DURATION_SECONDS=%" PRIu64, event->duration_ns / 1000000000u);
	if (event->gpu_name[0] != '\0')
		put(&writer, "GPU_NAME=%s", event->gpu_name);
	if (event->rule->runbook != NULL)
		put(&writer, "RUNBOOK=%s", event->rule->runbook);
}

/* ---- sending ---- */

void alert_outbox_add(struct alert_outbox *outbox, struct alert_limit *limit, const struct alert_event *event,
		      uint64_t now_ns)
{
	struct alert_outgoing *outgoing;

	if (!alert_limit_take(limit, event->rule->severity == SEVERITY_CRITICAL, now_ns))
		return;
	outgoing = rule_alloc(sizeof(*outgoing));
	alert_entry_make(event, &outgoing->entry);
	if (outbox->last != NULL)
		outbox->last->next = outgoing;
	else
		outbox->first = outgoing;
	outbox->last = outgoing;
}

void alert_outbox_send(struct alert_outbox *outbox)
{
	struct alert_outgoing *outgoing = outbox->first;

	while (outgoing != NULL) {
		struct alert_outgoing *next = outgoing->next;
		const struct alert_entry *entry = &outgoing->entry;

		journal_log(entry->priority, entry->message_id, entry->fields, "%s", entry->message);
		free(outgoing);
		outgoing = next;
	}
	*outbox = (struct alert_outbox){ 0 };
}

void alert_journal_tick(struct alert_limit *limit, uint64_t now_ns)
{
	uint64_t untold = alert_limit_report(limit, now_ns);
	char field[48];
	const char *const fields[] = { field, NULL };

	if (untold == 0)
		return;
	snprintf(field, sizeof(field), "SUPPRESSED=%" PRIu64, untold);
	journal_log(LOG_PRIORITY_WARNING, MESSAGE_ALERTS_SUPPRESSED, fields,
		    "%" PRIu64 " alert messages were held back: more than the %" PRIu64
		    " per minute that [alerts] burst allows",
		    untold, limit->burst);
}
