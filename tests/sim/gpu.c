/* gpu - see the header. */
#include "tests/sim/gpu.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "hwmon/hwmon3/temp1_input" and "./hwmon/temp1_input" are the same file as "hwmon/temp1_input". */
static void key_make(const char *path, char *ret, size_t size)
{
	const char *rest;

	while (strncmp(path, "./", 2) == 0 || *path == '/')
		path += *path == '/' ? 1 : 2;
	rest = path;
	if (strncmp(path, "hwmon/hwmon", 11) == 0) {
		for (rest = path + 11; isdigit((unsigned char)*rest); rest++)
			;
		if (*rest == '/') {
			snprintf(ret, size, "hwmon%s", rest);
			return;
		}
	}
	snprintf(ret, size, "%s", path);
}

struct record *gpu_record(struct gpu *gpu, const char *path)
{
	struct record *record, **end = &gpu->records;
	char key[256];

	key_make(path, key, sizeof(key));
	for (; *end; end = &(*end)->next)
		if (strcmp((*end)->key, key) == 0)
			return *end;
	record = text_zalloc(sizeof(*record));
	record->key = text_dup(key, strlen(key));
	*end = record;
	return record;
}

struct ecc *gpu_ecc(struct gpu *gpu, const char *block)
{
	struct ecc *ecc;

	for (ecc = gpu->eccs; ecc; ecc = ecc->next)
		if (strcmp(ecc->block, block) == 0)
			return ecc;
	ecc = text_zalloc(sizeof(*ecc));
	snprintf(ecc->block, sizeof(ecc->block), "%s", block);
	ecc->next = gpu->eccs;
	gpu->eccs = ecc;
	return ecc;
}

void gpu_free(struct gpu *gpu)
{
	struct record *record, *next_record;
	struct ecc *ecc, *next_ecc;

	for (record = gpu->records; record; record = next_record) {
		next_record = record->next;
		free(record->key);
		text_fini(&record->pin);
		free(record);
	}
	for (ecc = gpu->eccs; ecc; ecc = next_ecc) {
		next_ecc = ecc->next;
		free(ecc);
	}
	free(gpu->owned);
	free(gpu->dump_kfd);
	free(gpu);
}
