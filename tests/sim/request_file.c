/* request_file - the verbs of the control socket that are about files. */
#include "tests/sim/request.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/card.h"
#include "tests/sim/content.h"
#include "tests/sim/control.h"
#include "tests/sim/fs.h"
#include "tests/sim/gpu.h"
#include "tests/sim/machine.h"
#include "tests/sim/tree.h"

/* Is a file meant by FILE: "all", its name, a glob, or a directory above it? `*` goes over slashes.
 */
static bool is_meant(const char *pattern, const char *key)
{
	size_t size = strlen(pattern);

	return strcmp(pattern, "all") == 0 || fnmatch(pattern, key, 0) == 0 ||
	       (strncmp(pattern, key, size) == 0 && key[size] == '/');
}

/* A record for the written form of FILE is not made: only its key is wanted. */
static void pattern_of(const char *word, char *ret, size_t size)
{
	size_t digits;

	while (*word == '/' || strncmp(word, "./", 2) == 0)
		word += *word == '/' ? 1 : 2;
	if (strncmp(word, "hwmon/hwmon", 11) == 0) {
		digits = strspn(word + 11, "0123456789*");
		if (digits && (word[11 + digits] == '/' || !word[11 + digits])) {
			snprintf(ret, size, "hwmon%s", word + 11 + digits);
			return;
		}
	}
	snprintf(ret, size, "%s", word);
}

struct record *request_record(struct gpu *gpu, const char *file)
{
	struct record *record;
	char key[256];

	pattern_of(file, key, sizeof(key));
	for (record = gpu->records; record; record = record->next)
		if (strcmp(record->key, key) == 0)
			return record;
	return NULL;
}

static struct node *record_node(const struct gpu *gpu, const struct record *record)
{
	char path[300];

	if (!gpu->present)
		return NULL;
	snprintf(path, sizeof(path), "%s", record->key);
	if (strncmp(record->key, "hwmon/", 6) == 0)
		snprintf(path, sizeof(path), "hwmon/hwmon%d/%s", gpu->hwmon, record->key + 6);
	return tree_find(gpu->dir, path);
}

int request_set(struct request *request)
{
	const char *file = text_word(&request->words);
	struct record *record;
	char *value;
	size_t size;

	if (!file || !*text_trim(request->words))
		return request_refuse(request, "set gpuN FILE VALUE");
	value = text_dup(request->words, strlen(request->words));
	size = text_unescape(value);
	record = gpu_record(request->gpu, file);
	record->pin.size = 0;
	text_add(&record->pin, value, size);
	if (value[size - 1] != '\n')
		text_put(&record->pin, "\n");
	free(value);
	record->pinned = true;
	record->deleted = false;
	card_apply(request->gpu, record);
	return 0;
}

int request_load(struct request *request)
{
	const char *file = text_word(&request->words), *path = text_trim(request->words);
	struct text bytes = { 0 };
	struct record *record;
	int r;

	if (!file || !*path)
		return request_refuse(request, "load gpuN FILE PATH");
	r = text_load(path, &bytes);
	if (r < 0) {
		text_fini(&bytes);
		return request_refuse(request, "%s: %s", path, strerror(-r));
	}
	record = gpu_record(request->gpu, file);
	text_fini(&record->pin);
	record->pin = bytes;
	record->pinned = true;
	record->deleted = false;
	card_apply(request->gpu, record);
	return 0;
}

int request_delete(struct request *request)
{
	const char *file = text_word(&request->words);
	struct record *record = file ? request_record(request->gpu, file) : NULL;

	if (!file)
		return request_refuse(request, "delete gpuN FILE");
	if (!record || !card_has(request->gpu, record))
		return request_refuse(request, "gpu%d has no %s", request->gpu->index, file);
	record->deleted = true;
	card_apply(request->gpu, record);
	return 0;
}

int request_get(struct request *request)
{
	const char *file = text_word(&request->words);
	struct record *record = file ? request_record(request->gpu, file) : NULL;
	struct node *node = record ? record_node(request->gpu, record) : NULL;

	if (!file)
		return request_refuse(request, "get gpuN FILE");
	if (!node)
		return request_refuse(request, "gpu%d has no %s", request->gpu->index, file);
	content_show(request->machine, node, request->answer);
	return 0;
}

int request_fault(struct request *request)
{
	const char *file = text_word(&request->words), *mode = text_word(&request->words);
	struct record *record;
	struct fault fault;
	char pattern[256];
	int matched = 0;

	if (!file || !mode)
		return request_refuse(request, "fault gpuN FILE|all MODE");
	if (!fault_parse(mode, &fault))
		return request_refuse(request, "no fault \"%s\"; there are %s", mode, fault_modes);
	pattern_of(file, pattern, sizeof(pattern));
	for (record = request->gpu->records; record; record = record->next) {
		if (!is_meant(pattern, record->key))
			continue;
		record->fault = fault;
		matched++;
	}
	return matched || request->gpus > 1
		       ? 0
		       : request_refuse(request, "gpu%d has no %s", request->gpu->index, file);
}

int request_clear(struct request *request)
{
	const char *file = text_word(&request->words);
	struct record *record;
	char pattern[256];
	int matched = 0;

	pattern_of(file ? file : "all", pattern, sizeof(pattern));
	for (record = request->gpu->records; record; record = record->next) {
		if (!is_meant(pattern, record->key))
			continue;
		record->fault = (struct fault){ 0 };
		record->pinned = record->deleted = false;
		card_apply(request->gpu, record);
		matched++;
	}
	if (file && !matched && request->gpus == 1)
		return request_refuse(request, "gpu%d has no %s", request->gpu->index, file);
	fs_review(request->session->fs, request->gpu, true);
	return 0;
}

int request_reads(struct request *request)
{
	const char *file = text_word(&request->words);
	const struct record *record = file ? request_record(request->gpu, file) : NULL;
	char pattern[256];

	if (record) {
		text_put(request->answer, "%lu\n", record->reads);
		return 0;
	}
	pattern_of(file ? file : "all", pattern, sizeof(pattern));
	if (!file)
		text_put(request->answer, "refused %lu\n", request->gpu->refused);
	for (record = request->gpu->records; record; record = record->next)
		if (is_meant(pattern, record->key) && (file || record->reads))
			text_put(request->answer, "%s %lu\n", record->key, record->reads);
	return request->answer->size
		       ? 0
		       : request_refuse(request, "gpu%d has no %s", request->gpu->index, file);
}
