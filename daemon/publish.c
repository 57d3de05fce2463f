/* publish - the pages of the HTTP end. Runs on the HTTP thread; reads the rings and, under the lock, the keeper. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "collectors/sysfs.h"
#include "daemon/keeper.h"
#include "daemon/process.h"
#include "exporter/page.h"

#define MIN_ROOM 64

/* Lists for a page; grow as needed. */
struct lists {
	struct page_alert *alerts;
	size_t alerts_count, alerts_room;
	struct page_transition *transitions;
	size_t transitions_count, transitions_room;
};

/* Room for one more item, or NULL. */
static void *one_more(void *list, size_t *count, size_t *room, size_t size)
{
	if (*count == *room) {
		size_t bigger = *room == 0 ? MIN_ROOM : *room * 2;
		void *grown = realloc(list, bigger * size);

		if (grown == NULL)
			return NULL;
		list = grown;
		*room = bigger;
	}
	(*count)++;
	return list;
}

static void take_alert(void *argument, const struct alert_view *view)
{
	struct lists *lists = argument;
	struct page_alert *grown = one_more(lists->alerts, &lists->alerts_count, &lists->alerts_room, sizeof(*grown));

	if (grown == NULL)
		return;
	lists->alerts = grown;
	grown[lists->alerts_count - 1] = (struct page_alert){
		.rule = view->rule->name,
		.severity = severity_name(view->rule->severity),
		.gpu = view->gpu,
		.firing = view->state == ALERT_FIRING,
		.no_data = view->no_data,
	};
}

static void take_transition(void *argument, const struct rule *rule, enum alert_state to, uint64_t count)
{
	struct lists *lists = argument;
	struct page_transition *grown =
		one_more(lists->transitions, &lists->transitions_count, &lists->transitions_room, sizeof(*grown));

	if (grown == NULL)
		return;
	lists->transitions = grown;
	grown[lists->transitions_count - 1] =
		(struct page_transition){ .rule = rule->name, .to = alert_state_name(to), .count = count };
}

static void copy_gpu(struct keeper *keeper, unsigned int n, uint64_t now_ns, struct page_gpu *ret)
{
	struct board_gpu *slot = &keeper->board.memory->gpu[n];
	const struct ring ring = board_ring(&keeper->board, n);
	struct sample newest;
	unsigned int i;
	int q, f;

	memset(ret, 0, sizeof(*ret));
	ret->index = n;
	if (board_identity(&keeper->board, n, &ret->who) < 0)
		ret->who.identity.numa_node = -1;
	ret->state = board_gpu_state(&keeper->board, n, keeper->watched[n].state, now_ns, keeper->config.stale_after_ns,
				     &ret->sample);
	if (keeper->watched[n].known) /* who tells states in the journal tells them here */
		ret->state = keeper->watched[n].state;
	if (ring_latest(&ring, &newest) == 0)
		ret->sample_seconds = (double)(newest.realtime_ns / 1000000) / 1e3;
	ret->passes = atomic_load(&slot->passes);
	ret->missed_ticks = atomic_load(&slot->missed_ticks);
	ret->pass_sum_ns = atomic_load(&slot->pass_sum_ns);
	ret->hangs = atomic_load(&keeper->watched[n].hangs);
	for (i = 0; i <= PASS_BUCKETS_COUNT; i++)
		ret->pass_bucket[i] = atomic_load(&slot->pass_bucket[i]);
	for (q = 0; q < Q_QUANTITIES; q++)
		for (f = 0; f < READ_FAILURES; f++)
			ret->failures[q][f] = atomic_load(&slot->failures[q][f]);
}

static const char *source_name(int source)
{
	return source == SOURCE_AUTO ? "auto" : source == SOURCE_SYSFS ? "sysfs" : "rocm_smi";
}

static void describe_self(struct keeper *keeper, const struct lists *lists, const struct board_library *library,
			  const struct process_figures *process, struct page_self *ret)
{
	bool loaded = atomic_load(&keeper->board.memory->library) == LIBRARY_READY;

	*ret = (struct page_self){
		.version = ROCWATCH_VERSION,
		.driver_version = process->driver_version,
		.kernel = process->kernel,
		.source = source_name(keeper->config.source),
		.library_path = loaded ? library->path : "",
		.library_version = loaded ? library->version : "",
		.sampler_restarts = keeper->restarts,
		.gpus_expected = keeper->config.gpus_expected,
		.reload_ok = keeper->reload_ok,
		.reload_seconds = (double)keeper->reloaded_realtime_ns / 1e9,
		.alerts_suppressed = keeper->alerts_suppressed,
		.samples_missed = keeper->samples_missed,
		.alerts = lists->alerts,
		.alerts_count = lists->alerts_count,
		.transitions = lists->transitions,
		.transitions_count = lists->transitions_count,
		.process_cpu_seconds = process->cpu_seconds,
		.process_start_seconds = (double)keeper->started_realtime_ns / 1e9,
		.process_resident_bytes = process->resident_bytes,
		.process_virtual_bytes = process->virtual_bytes,
		.process_open_fds = process->open_fds,
		.process_max_fds = process->max_fds,
	};
}

/* Takes the text over as the page's body. */
static int page_of(struct text *text, unsigned int status, const char *content_type, struct http_page *ret)
{
	if (text->failed || text->bytes == NULL) {
		text_fini(text);
		return -ENOMEM;
	}
	*ret = (struct http_page){
		.status = status, .content_type = content_type, .body = text->bytes, .length = text->length
	};
	return 0;
}

static int make_metrics(struct keeper *keeper, struct http_page *ret)
{
	unsigned int gpus = board_gpus(&keeper->board), n;
	struct page_gpu *list = calloc(gpus > 0 ? gpus : 1, sizeof(*list));
	struct board_library library = { 0 };
	struct process_figures process;
	struct lists lists = { 0 };
	struct page_self self;
	struct text text = { 0 };
	uint64_t now = now_monotonic();

	if (list == NULL)
		return -ENOMEM;
	process_read(atomic_load(&keeper->sampler_pid), &process);
	board_library(&keeper->board, &library);
	pthread_mutex_lock(&keeper->lock);
	for (n = 0; n < gpus; n++)
		copy_gpu(keeper, n, now, &list[n]);
	alerts_each(keeper->alerts, take_alert, &lists);
	alerts_each_transition(keeper->alerts, take_transition, &lists);
	describe_self(keeper, &lists, &library, &process, &self);
	page_render(&text, list, gpus, &self);
	pthread_mutex_unlock(&keeper->lock);
	free(list);
	free(lists.alerts);
	free(lists.transitions);
	return page_of(&text, 200, TEXT_CONTENT_TYPE, ret);
}

static int make_landing(struct keeper *keeper, struct http_page *ret)
{
	struct text text = { 0 };
	unsigned int firing;

	pthread_mutex_lock(&keeper->lock);
	firing = alerts_firing_count(keeper->alerts);
	pthread_mutex_unlock(&keeper->lock);
	text_append(&text,
		    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>rocwatch</title>\n"
		    "<meta name=\"viewport\" content=\"width=device-width\"></head><body>\n"
		    "<h1>rocwatch %s</h1>\n<p>%u AMD GPUs watched, %u alerts firing.</p>\n"
		    "<ul>\n<li><a href=\"/metrics\">/metrics</a> for Prometheus</li>\n"
		    "<li><a href=\"/-/healthy\">/-/healthy</a>: the daemon runs</li>\n"
		    "<li><a href=\"/-/ready\">/-/ready</a>: the first pass over the GPUs is "
		    "done</li>\n</ul>\n</body></html>\n",
		    ROCWATCH_VERSION, board_gpus(&keeper->board), firing);
	return page_of(&text, 200, "text/html; charset=utf-8", ret);
}

static int make_ready(struct keeper *keeper, struct http_page *ret)
{
	struct text text = { 0 };
	bool ready;

	pthread_mutex_lock(&keeper->lock);
	ready = keeper->ready;
	pthread_mutex_unlock(&keeper->lock);
	text_append(&text, ready ? "ready: %u GPUs\n" : "not ready: the first pass over %u GPUs is not done\n",
		    board_gpus(&keeper->board));
	return page_of(&text, ready ? 200 : 503, "text/plain; charset=utf-8", ret);
}

static int make_healthy(struct keeper *keeper, struct http_page *ret)
{
	struct text text = { 0 };

	(void)keeper;
	text_append(&text, "healthy\n");
	return page_of(&text, 200, "text/plain; charset=utf-8", ret);
}

int publish_page(void *argument, const char *path, struct http_page *ret)
{
	static const struct {
		const char *path;
		int (*make)(struct keeper *keeper, struct http_page *ret);
	} pages[] = {
		{ "/metrics", make_metrics },
		{ "/", make_landing },
		{ "/-/healthy", make_healthy },
		{ "/-/ready", make_ready },
	};
	size_t i;

	for (i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
		if (strcmp(path, pages[i].path) == 0)
			return pages[i].make(argument, ret);
	return -ENOENT;
}
