/* request - what a node does when it is asked through its socket. */
#include "tests/sim/request.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/control.h"
#include "tests/sim/fs.h"
#include "tests/sim/gpu.h"
#include "tests/sim/machine.h"
#include "tests/sim/profile.h"

int request_refuse(struct request *request, const char *format, ...)
{
	va_list args;

	request->answer->size = 0;
	text_put(request->answer, "error: ");
	va_start(args, format);
	text_vput(request->answer, format, args);
	va_end(args);
	text_put(request->answer, "\n");
	return -EINVAL;
}

static int do_workload(struct request *request)
{
	const char *name = text_word(&request->words);
	enum workload workload;
	int i;

	if (!name || !workload_find(name, &workload)) {
		request_refuse(request, "no workload \"%s\"; there are", name ? name : "");
		request->answer->size--;
		for (i = 0; i < WORKLOADS; i++)
			text_put(request->answer, " %s", workload_names[i]);
		text_put(request->answer, "\n");
		return -EINVAL;
	}
	machine_refresh(request->machine, request->gpu);
	live_work(request->gpu, workload);
	return 0;
}

static int do_ecc(struct request *request)
{
	const char *block = text_word(&request->words), *kind = text_word(&request->words);
	const char *count = text_word(&request->words);
	unsigned long long *counter;
	struct ecc *ecc;
	char key[64];
	int64_t number;

	if (!block || !kind || !count || !text_number(count + (*count == '+'), &number))
		return request_refuse(request, "ecc gpuN BLOCK ue|ce|de +COUNT");
	snprintf(key, sizeof(key), "ras/%.20s_err_count", block);
	if (!request_record(request->gpu, key))
		return request_refuse(request, "gpu%d has no %s", request->gpu->index, key);
	ecc = gpu_ecc(request->gpu, block);
	if (strcmp(kind, "ue") == 0)
		counter = &ecc->ue;
	else if (strcmp(kind, "ce") == 0)
		counter = &ecc->ce;
	else if (strcmp(kind, "de") == 0)
		counter = &ecc->de;
	else
		return request_refuse(request, "no kind of error \"%s\"; there are ue, ce and de",
				      kind);
	*counter = *count == '+' ? *counter + number : (unsigned long long)number;
	return 0;
}

static int do_suspend(struct request *request)
{
	request->gpu->suspended = true;
	return 0;
}

static int do_resume(struct request *request)
{
	request->gpu->suspended = false;
	return 0;
}

static int do_remove(struct request *request)
{
	if (machine_remove(request->machine, request->gpu) < 0)
		return request_refuse(request, "gpu%d is not there", request->gpu->index);
	return 0;
}

static int do_add(struct request *request)
{
	const char *as = text_word(&request->words), *name = text_word(&request->words);
	int card = -1, r;
	char rest;

	if (as && (strcmp(as, "as") != 0 || !name || sscanf(name, "card%d%c", &card, &rest) != 1 ||
		   card < 0))
		return request_refuse(request, "add gpuN [as cardM]");
	r = machine_return(request->machine, request->gpu, card);
	if (r == -EALREADY)
		return request_refuse(request, "gpu%d is there", request->gpu->index);
	if (r < 0)
		return request_refuse(request, "card%d is taken",
				      card < 0 ? request->gpu->card : card);
	return 0;
}

static struct gpu *gpu_named(struct machine *machine, const char *word)
{
	int i, index = -1;
	char rest;

	if (word && sscanf(word, "gpu%d%c", &index, &rest) != 1)
		index = -1;
	for (i = 0; word && i < machine->count; i++)
		if (i == index || strcmp(machine->gpus[i]->bdf, word) == 0)
			return machine->gpus[i];
	return NULL;
}

static int do_swap(struct request *request)
{
	struct gpu *other = gpu_named(request->machine, text_word(&request->words));
	int r;

	if (!other || other == request->gpu)
		return request_refuse(request, "swap gpuN gpuM");
	r = machine_swap(request->machine, request->gpu, other);
	if (r == -ENODEV)
		return request_refuse(request, "one of the two is not there");
	return r < 0 ? request_refuse(request, "the two are not partitioned alike") : 0;
}

/* The distinct faults of a card, "hwmon/temp1_input:eio", "all:hang"; "-" for none. */
static void faults_put(const struct gpu *gpu, struct text *to)
{
	const struct record *record;
	int faulty = 0, all = 0;
	bool alike = true;

	for (record = gpu->records; record; record = record->next) {
		all++;
		faulty += record->fault.mode != FAULT_NONE;
		alike = alike &&
			memcmp(&record->fault, &gpu->records->fault, sizeof(record->fault)) == 0;
	}
	if (!faulty)
		text_put(to, "-");
	for (record = gpu->records; record && faulty; record = record->next) {
		if (record->fault.mode == FAULT_NONE)
			continue;
		text_put(to, "%s:", faulty == all && alike ? "all" : record->key);
		fault_print(&record->fault, to);
		if (faulty == all && alike)
			break;
		if (--faulty)
			text_put(to, ",");
	}
}

static int do_list(struct request *request)
{
	const struct gpu *gpu;
	int i;

	for (i = 0; i < request->machine->count; i++) {
		gpu = request->machine->gpus[i];
		text_put(request->answer, "gpu%d %s %s card%d renderD%d hwmon%d %s %s ", i,
			 gpu->profile ? gpu->profile->name : basename(gpu->dump), gpu->bdf,
			 gpu->card, gpu->minor, gpu->hwmon,
			 !gpu->present	  ? "removed"
			 : gpu->suspended ? "suspended"
					  : "active",
			 gpu->profile ? workload_names[gpu->live.workload] : "-");
		faults_put(gpu, request->answer);
		text_put(request->answer, " refused=%lu waiting=%d\n", gpu->refused,
			 fs_waiting(request->session->fs, gpu));
	}
	return 0;
}

static int do_time(struct request *request)
{
	const char *word = text_word(&request->words);
	struct machine *machine = request->machine;
	double now = machine_time(machine), to;
	char *end;

	if (!word) {
		text_put(request->answer, "%.2f\n", now);
		return 0;
	}
	if (strcmp(word, "run") == 0) {
		machine->frozen = -1;
		machine->offset += now - machine_time(machine);
		return 0;
	}
	to = strtod(word, &end);
	if (*end || end == word || to < 0 || to > 1e7)
		return request_refuse(request, "time [SECONDS | +SECONDS | run]");
	to += *word == '+' ? now : 0;
	if (to < now)
		return request_refuse(request, "time is at %.2f s and does not run backwards", now);
	if (*word == '+' && machine->frozen < 0)
		machine->offset += to - now;
	else
		machine->frozen = to;
	return 0;
}

static int do_pid(struct request *request)
{
	text_put(request->answer, "%d\n", (int)request->session->command);
	return 0;
}

static int do_quit(struct request *request)
{
	request->session->is_quitting = true;
	return 0;
}

/* `for_gpu`: the next word names a card, or "all". */
static const struct {
	const char *name;
	int (*run)(struct request *request);
	bool for_gpu;
} verbs[] = {
	{ "add", do_add, true },	   { "clear", request_clear, true },
	{ "delete", request_delete, true },	   { "ecc", do_ecc, true },
	{ "fault", request_fault, true },	   { "get", request_get, true },
	{ "list", do_list, false },	   { "load", request_load, true },
	{ "pid", do_pid, false },	   { "quit", do_quit, false },
	{ "reads", request_reads, true },	   { "remove", do_remove, true },
	{ "resume", do_resume, true },	   { "set", request_set, true },
	{ "suspend", do_suspend, true },   { "swap", do_swap, true },
	{ "time", do_time, false },	   { "workload", do_workload, true },
};
#define VERBS (sizeof(verbs) / sizeof(verbs[0]))

static void run_for_all(struct request *request, int (*run)(struct request *))
{
	char *line = text_dup(request->words, strlen(request->words)), *copy;
	int i, r = 0;

	request->gpus = request->machine->count;
	for (i = 0; i < request->machine->count && r == 0; i++) {
		copy = text_dup(line, strlen(line));
		request->words = copy;
		request->gpu = request->machine->gpus[i];
		r = run(request);
		free(copy);
	}
	free(line);
}

void request_run(struct session *session, char *line, struct text *answer)
{
	struct request request = { session, session->machine, NULL, text_trim(line), answer, 1 };
	const char *verb = text_word(&request.words), *word;
	size_t i;

	for (i = 0; verb && i < VERBS && strcmp(verbs[i].name, verb) != 0; i++)
		;
	if (!verb || i == VERBS) {
		request_refuse(&request, "no command \"%s\"", verb ? verb : "");
		return;
	}
	word = verbs[i].for_gpu ? text_word(&request.words) : NULL;
	if (word && strcmp(word, "all") == 0) {
		run_for_all(&request, verbs[i].run);
	} else {
		request.gpu = gpu_named(session->machine, word);
		if (verbs[i].for_gpu && !request.gpu)
			request_refuse(&request, "%s: no card \"%s\"; there are gpu0 to gpu%d",
				       verb, word ? word : "", session->machine->count - 1);
		else
			verbs[i].run(&request);
	}
	fs_review(session->fs, NULL, false);
}
