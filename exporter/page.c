/* page - see the header. Families that are rows of the table come from it; the others are written out here, once each.
 */
#include "exporter/page.h"

#include <string.h>

#include "exporter/self.h"

/* Every series of a GPU begins so. */
void page_gpu_begin(struct text *text, const char *family, const struct page_gpu *gpu)
{
	char index[16];

	snprintf(index, sizeof(index), "%u", gpu->index);
	text_begin(text, family);
	text_label(text, "gpu", index);
	text_label(text, "pci", gpu->who.place.pci);
}

static void label_number(struct text *text, const char *name, const char *format, long long number, bool known)
{
	char value[32];

	snprintf(value, sizeof(value), format, number);
	text_label(text, name, known ? value : "");
}

/* KFD's decimal 90010 is gfx90a: two digits each, the last two in hexadecimal. */
static void label_gfx_target(struct text *text, uint32_t version)
{
	char value[24];

	snprintf(value, sizeof(value), "gfx%u%x%x", version / 10000, version / 100 % 100, version % 100);
	text_label(text, "gfx_target", version != 0 ? value : "");
}

static void render_info(struct text *text, const struct page_gpu *gpu)
{
	const struct device_identity *identity = &gpu->who.identity;

	page_gpu_begin(text, "amdgpu_info", gpu);
	text_label(text, "name", identity->name);
	label_number(text, "device_id", "0x%04llx", identity->device_id, identity->device_id != 0);
	text_label(text, "unique_id", identity->unique_id);
	text_label(text, "serial", identity->serial);
	text_label(text, "vbios", identity->vbios);
	text_label(text, "vram_vendor", identity->vram_vendor);
	label_number(text, "numa_node", "%lld", identity->numa_node, identity->numa_node >= 0);
	label_number(text, "render_node", "renderD%lld", gpu->who.place.render, gpu->who.place.render >= 0);
	label_number(text, "kfd_gpu_id", "%lld", identity->kfd_gpu_id, identity->kfd_gpu_id != 0);
	label_number(text, "card", "card%lld", gpu->who.place.card, gpu->who.place.card >= 0);
	label_gfx_target(text, identity->gfx_target_version);
	label_number(text, "compute_units", "%lld", identity->compute_units, identity->compute_units != 0);
	text_value(text, 1);
}

static void render_up(struct text *text, const struct page_gpu *gpu)
{
	page_gpu_begin(text, "amdgpu_up", gpu);
	text_value(text, gpu->state == GPU_OK || gpu->state == GPU_SUSPENDED);
}

static void render_state(struct text *text, const struct page_gpu *gpu)
{
	enum gpu_state state;

	for (state = 0; state < GPU_STATES; state++) {
		page_gpu_begin(text, "amdgpu_state", gpu);
		text_label(text, "state", gpu_state_name(state));
		text_value(text, gpu->state == state);
	}
}

static void render_timestamp(struct text *text, const struct page_gpu *gpu)
{
	if (gpu->sample_seconds <= 0)
		return;
	page_gpu_begin(text, "amdgpu_sample_timestamp_seconds", gpu);
	text_value(text, gpu->sample_seconds);
}

/* What every GPU has beside the rows of the table. */
static const struct {
	const char *family, *help;
	void (*render)(struct text *text, const struct page_gpu *gpu);
} families[] = {
	{ "amdgpu_info", "Who the GPU is; join it on gpu and pci. Unknown labels are left out.", render_info },
	{ "amdgpu_up",
	  "1: the last pass was in time and core readings came (or the GPU sleeps). 0: hung, lost, or all core "
	  "readings fail.",
	  render_up },
	{ "amdgpu_state", "Exactly one state is 1.", render_state },
	{ "amdgpu_sample_timestamp_seconds", "Wall time of the newest sample, also where it is too old to be shown.",
	  render_timestamp },
};

#define FAMILIES (sizeof(families) / sizeof(families[0]))

static const char *type_name(enum metric_type type)
{
	return type == METRIC_COUNTER ? "counter" : "gauge";
}

static bool family_has_value(unsigned int first, unsigned int end, const struct page_gpu *gpus, size_t count)
{
	unsigned int row;
	size_t i;

	for (i = 0; i < count; i++)
		for (row = first; row < end && gpus[i].sample.sequence != 0; row++)
			if (gpus[i].sample.reason[row] == READ_OK)
				return true;
	return false;
}

/* A family without a series is left out. Series stand GPU by GPU. */
static void render_rows(struct text *text, unsigned int first, unsigned int end, const struct page_gpu *gpus,
			size_t count)
{
	const struct metric *metric = &metrics[first];
	unsigned int row;
	size_t i;

	if (!family_has_value(first, end, gpus, count))
		return;
	text_family(text, metric->family, type_name(metric->type), metric->help);
	for (i = 0; i < count; i++) {
		for (row = first; row < end && gpus[i].sample.sequence != 0; row++) {
			if (gpus[i].sample.reason[row] != READ_OK)
				continue;
			page_gpu_begin(text, metric->family, &gpus[i]);
			text_labels(text, metrics[row].labels);
			text_value(text, gpus[i].sample.value[row]);
		}
	}
}

static void render_table(struct text *text, const struct page_gpu *gpus, size_t count)
{
	unsigned int first = 0, end;

	while (first < metrics_count) {
		for (end = first + 1; end < metrics_count && metrics[end].help == NULL; end++)
			;
		render_rows(text, first, end, gpus, count);
		first = end;
	}
}

void page_render(struct text *text, const struct page_gpu *gpus, size_t gpus_count, const struct page_self *self)
{
	size_t f, i;

	for (f = 0; f < FAMILIES && gpus_count > 0; f++) {
		text_family(text, families[f].family, "gauge", families[f].help);
		for (i = 0; i < gpus_count; i++)
			families[f].render(text, &gpus[i]);
	}
	render_table(text, gpus, gpus_count);
	self_render(text, gpus, gpus_count, self);
}

void page_print_families(FILE *to)
{
	size_t f;

	for (f = 0; f < FAMILIES; f++)
		fprintf(to, "\n%s (gauge)\n    %s\n", families[f].family, families[f].help);
	self_print_families(to);
}
