/* table - see the header. A field is told as `gm FIELD = VALUE…`; see profiles/mi210.profile. */
#include "tests/sim/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/gpu_metrics_layout.h"
#include "tests/sim/gpu.h"
#include "tests/sim/profile.h"
#include "tests/sim/value.h"

#define ITEMS_MAX 64

/* The values of one field; behind the last one all is left at ones. */
struct items {
	int count;
	bool each;	/* the same in every partition's record */
	uint64_t value[ITEMS_MAX];
};

static uint64_t item_value(const struct gpu *gpu, const char *word)
{
	double number;

	if (*word == '$') {
		if (!value_number(gpu, word + 1, &number))
			return UINT64_MAX;
		return (uint64_t)llround(fmax(number, 0));
	}
	return strtoull(word, NULL, 0);
}

/* "V", "V V V", "VxN" (N times), "each V…" */
static struct items items_read(const struct gpu *gpu, const char *text)
{
	char copy[512], *words = copy, *word, *times;
	struct items items = { 0 };
	uint64_t value;
	int i, count;

	snprintf(copy, sizeof(copy), "%s", text);
	while ((word = text_word(&words))) {
		if (strcmp(word, "each") == 0) {
			items.each = true;
			continue;
		}
		times = *word == '0' ? NULL : strrchr(word, '*');
		count = times ? atoi(times + 1) : 1;
		if (times)
			*times = '\0';
		value = item_value(gpu, word);
		for (i = 0; i < count && items.count < ITEMS_MAX; i++)
			items.value[items.count++] = value;
	}
	return items;
}

static void place_write(const struct gpu *gpu, const struct gm_place *place, const char *text,
			unsigned char *table)
{
	struct items items = items_read(gpu, text);
	int record, i, byte, records = items.each ? gpu->partitions : 1;

	for (record = 0; record < records && record < place->records; record++) {
		for (i = 0; i < items.count && i < place->count; i++) {
			unsigned char *at = table + place->offset + record * place->stride +
					    i * place->width;

			for (byte = 0; byte < place->width; byte++)
				at[byte] = items.value[i] >> (8 * byte);
		}
	}
}

void table_put(struct gpu *gpu, struct text *to)
{
	const char *version = profile_text(gpu->profile, "", "gpu_metrics", "");
	const struct gm_layout *layout;
	const struct setting *setting;
	unsigned char table[GM_SIZE_MAX];
	unsigned int format, content;
	int i;

	if (sscanf(version, "%u.%u", &format, &content) != 2)
		return;
	layout = gm_layout_find(format, content);
	if (!layout)
		return;
	memset(table, 0xff, layout->size);
	table[0] = layout->size & 0xff;
	table[1] = layout->size >> 8;
	table[2] = format;
	table[3] = content;
	for (i = 0; i < layout->places_count; i++) {
		setting = profile_find(gpu->profile, gpu_is_second(gpu), "gm",
				       gm_field_name(layout->places[i].field));
		if (setting)
			place_write(gpu, &layout->places[i], setting->value, table);
	}
	text_add(to, table, layout->size);
}
