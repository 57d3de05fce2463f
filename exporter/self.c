/* self - see the header. One row per family: its words, and what renders it. */
#include "exporter/self.h"

#include <stdio.h>

struct scene {
	const struct page_gpu *gpus;
	size_t gpus_count;
	const struct page_self *self;
};

struct family {
	const char *name, *type, *help;
	void (*render)(struct text *text, const struct family *family, const struct scene *scene);
	size_t offset; /* of the figure in struct page_self, for the plain ones */
};

static void render_double(struct text *text, const struct family *family, const struct scene *scene)
{
	text_begin(text, family->name);
	text_value(text, *(const double *)((const char *)scene->self + family->offset));
}

static void render_count(struct text *text, const struct family *family, const struct scene *scene)
{
	text_begin(text, family->name);
	text_value(text, (double)*(const uint64_t *)((const char *)scene->self + family->offset));
}

static void render_flag(struct text *text, const struct family *family, const struct scene *scene)
{
	text_begin(text, family->name);
	text_value(text, *(const bool *)((const char *)scene->self + family->offset));
}

static void render_gpus(struct text *text, const struct family *family, const struct scene *scene)
{
	size_t i, present = 0;

	for (i = 0; i < scene->gpus_count; i++)
		present += scene->gpus[i].state != GPU_LOST;
	text_begin(text, family->name);
	text_value(text, (double)present);
}

static void render_expected(struct text *text, const struct family *family, const struct scene *scene)
{
	text_begin(text, family->name);
	text_value(text, (double)(scene->self->gpus_expected > 0 ? scene->self->gpus_expected : scene->gpus_count));
}

static void render_driver(struct text *text, const struct family *family, const struct scene *scene)
{
	text_begin(text, family->name);
	text_label(text, "version", scene->self->driver_version);
	text_label(text, "kernel", scene->self->kernel);
	text_value(text, 1);
}

static void render_source(struct text *text, const struct family *family, const struct scene *scene)
{
	text_begin(text, family->name);
	text_label(text, "source", scene->self->source);
	text_label(text, "library_path", scene->self->library_path);
	text_label(text, "library_version", scene->self->library_version);
	text_value(text, 1);
}

static void render_build(struct text *text, const struct family *family, const struct scene *scene)
{
	text_begin(text, family->name);
	text_label(text, "version", scene->self->version);
	text_value(text, 1);
}

static void render_passes(struct text *text, const struct family *family, const struct scene *scene)
{
	size_t i;

	for (i = 0; i < scene->gpus_count; i++) {
		page_gpu_begin(text, family->name, &scene->gpus[i]);
		text_value(text, (double)scene->gpus[i].passes);
	}
}

static void render_missed(struct text *text, const struct family *family, const struct scene *scene)
{
	size_t i;

	for (i = 0; i < scene->gpus_count; i++) {
		page_gpu_begin(text, family->name, &scene->gpus[i]);
		text_value(text, (double)scene->gpus[i].missed_ticks);
	}
}

static void render_duration(struct text *text, const struct family *family, const struct scene *scene)
{
	static const double buckets[PASS_BUCKETS_COUNT] = PASS_BUCKETS;
	char name[64], bound[TEXT_NUMBER_SIZE];
	size_t i, b;

	for (i = 0; i < scene->gpus_count; i++) {
		const struct page_gpu *gpu = &scene->gpus[i];
		uint64_t sum = 0;

		snprintf(name, sizeof(name), "%s_bucket", family->name);
		for (b = 0; b <= PASS_BUCKETS_COUNT; b++) {
			sum += gpu->pass_bucket[b];
			page_gpu_begin(text, name, gpu);
			text_label(text, "le", b < PASS_BUCKETS_COUNT ? text_number(buckets[b], bound) : "+Inf");
			text_value(text, (double)sum);
		}
		snprintf(name, sizeof(name), "%s_sum", family->name);
		page_gpu_begin(text, name, gpu);
		text_value(text, (double)gpu->pass_sum_ns / 1e9);
		snprintf(name, sizeof(name), "%s_count", family->name);
		page_gpu_begin(text, name, gpu);
		text_value(text, (double)sum);
	}
}

static void render_failure(struct text *text, const struct family *family, const struct page_gpu *gpu,
			   const char *quantity, const char *reason, uint64_t count)
{
	page_gpu_begin(text, family->name, gpu);
	text_label(text, "quantity", quantity);
	text_label(text, "reason", reason);
	text_value(text, (double)count);
}

/* Only what happened has a series, but `timeout` always: a page without failures shows at least that they are counted.
 */
static void render_failures(struct text *text, const struct family *family, const struct scene *scene)
{
	static const char *const reasons[READ_FAILURES] = {
		[FAILURE_ERROR] = "error", [FAILURE_IMPLAUSIBLE] = "implausible"
	};
	size_t i;
	int q, f;

	for (i = 0; i < scene->gpus_count; i++) {
		const struct page_gpu *gpu = &scene->gpus[i];

		for (q = 0; q < Q_QUANTITIES; q++)
			for (f = 0; f < READ_FAILURES; f++)
				if (gpu->failures[q][f] > 0)
					render_failure(text, family, gpu, quantity_name((enum quantity)q), reasons[f],
						       gpu->failures[q][f]);
		render_failure(text, family, gpu, "all", "timeout", gpu->hangs);
	}
}

static void render_alerts(struct text *text, const struct family *family, const struct scene *scene)
{
	bool no_data = family->offset != 0;
	size_t i, g;

	for (i = 0; i < scene->self->alerts_count; i++) {
		const struct page_alert *alert = &scene->self->alerts[i];

		for (g = 0; g < scene->gpus_count; g++) {
			if (scene->gpus[g].index != alert->gpu || (no_data && !alert->no_data))
				continue;
			page_gpu_begin(text, family->name, &scene->gpus[g]);
			text_label(text, "rule", alert->rule);
			text_label(text, "severity", alert->severity);
			text_value(text, no_data ? alert->no_data : alert->firing);
		}
	}
}

static void render_transitions(struct text *text, const struct family *family, const struct scene *scene)
{
	size_t i;

	for (i = 0; i < scene->self->transitions_count; i++) {
		text_begin(text, family->name);
		text_label(text, "rule", scene->self->transitions[i].rule);
		text_label(text, "to", scene->self->transitions[i].to);
		text_value(text, (double)scene->self->transitions[i].count);
	}
}

#define FIGURE(field) offsetof(struct page_self, field)

static const struct family families[] = {
	{ "amdgpu_driver_info", "gauge",
	  "Version of the amdgpu module, where it is not the kernel's own, and of the kernel.", render_driver, 0 },
	{ "rocwatch_alert_firing", "gauge", "1 while the rule fires on the GPU, else 0.", render_alerts, 0 },
	{ "rocwatch_alert_no_data", "gauge",
	  "1 while the rule cannot be judged on the GPU: what it needs is not there.", render_alerts, 1 },
	{ "rocwatch_alert_transitions_total", "counter", "Changes of state of the rule, on all GPUs.",
	  render_transitions, 0 },
	{ "rocwatch_alerts_suppressed_total", "counter",
	  "Alert messages that were held back from the journal by the limit on their rate.", render_count,
	  FIGURE(alerts_suppressed) },
	{ "rocwatch_read_errors_total", "counter",
	  "Readings that failed, by what was read. timeout: the whole pass did not end in time.", render_failures, 0 },
	{ "rocwatch_source_info", "gauge", "Who is asked first, and which ROCm SMI library is loaded.", render_source,
	  0 },
	{ "rocwatch_gpus", "gauge", "GPUs that the PCI bus shows.", render_gpus, 0 },
	{ "rocwatch_gpus_expected", "gauge",
	  "GPUs that the node should have: the setting, else as many as were ever seen.", render_expected, 0 },
	{ "rocwatch_sampler_restarts_total", "counter", "Times that the sampler process was started anew.",
	  render_count, FIGURE(sampler_restarts) },
	{ "rocwatch_passes_total", "counter", "Passes over the GPU that ended.", render_passes, 0 },
	{ "rocwatch_pass_duration_seconds", "histogram", "Time that a pass over the GPU took.", render_duration, 0 },
	{ "rocwatch_missed_ticks_total", "counter", "Passes that were left out because the one before took too long.",
	  render_missed, 0 },
	{ "rocwatch_samples_missed_total", "counter",
	  "Samples that no rule judged because they were overwritten first. Always 0 on a sound node.", render_count,
	  FIGURE(samples_missed) },
	{ "rocwatch_config_last_reload_successful", "gauge",
	  "0 after a reload that was rejected; the old settings are in force.", render_flag, FIGURE(reload_ok) },
	{ "rocwatch_config_last_reload_success_timestamp_seconds", "gauge", "When settings were last taken.",
	  render_double, FIGURE(reload_seconds) },
	{ "rocwatch_build_info", "gauge", "Version of rocwatchd.", render_build, 0 },
	{ "process_cpu_seconds_total", "counter", "CPU time of the keeper and the sampler.", render_double,
	  FIGURE(process_cpu_seconds) },
	{ "process_start_time_seconds", "gauge", "When the keeper was started.", render_double,
	  FIGURE(process_start_seconds) },
	{ "process_resident_memory_bytes", "gauge", "Resident memory of the keeper.", render_double,
	  FIGURE(process_resident_bytes) },
	{ "process_virtual_memory_bytes", "gauge", "Virtual memory of the keeper.", render_double,
	  FIGURE(process_virtual_bytes) },
	{ "process_open_fds", "gauge", "Open file descriptors of the keeper.", render_double,
	  FIGURE(process_open_fds) },
	{ "process_max_fds", "gauge", "Most file descriptors the keeper may open.", render_double,
	  FIGURE(process_max_fds) },
};

#define FAMILIES (sizeof(families) / sizeof(families[0]))

void self_render(struct text *text, const struct page_gpu *gpus, size_t gpus_count, const struct page_self *self)
{
	struct scene scene = { .gpus = gpus, .gpus_count = gpus_count, .self = self };
	size_t f;

	for (f = 0; f < FAMILIES; f++) {
		size_t before, head;

		before = text->length;
		text_family(text, families[f].name, families[f].type, families[f].help);
		head = text->length;
		families[f].render(text, &families[f], &scene);
		if (text->length == head)
			text->length = before; /* a family without a series is left out */
	}
}

void self_print_families(FILE *to)
{
	size_t f;

	for (f = 0; f < FAMILIES; f++)
		fprintf(to, "\n%s (%s)\n    %s\n", families[f].name, families[f].type, families[f].help);
}
