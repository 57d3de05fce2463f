/* self - the daemon's own families: sampler, sources, configuration, alerts, process. */
#ifndef EXPORTER_SELF_H
#define EXPORTER_SELF_H

#include "exporter/page.h"

void self_render(struct text *text, const struct page_gpu *gpus, size_t gpus_count, const struct page_self *self);
void self_print_families(FILE *to);

/* Begins a series with the labels that every series of a GPU has (page.c). */
void page_gpu_begin(struct text *text, const char *family, const struct page_gpu *gpu);

#endif
