/* rocwatch-sim - plays the /sys of a machine with AMD GPUs to one command. See README.md. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/control.h"
#include "tests/sim/machine.h"
#include "tests/sim/profile.h"
#include "tests/sim/run.h"
#include "tests/sim/text.h"

static const char usage[] =
	"usage: rocwatch-sim run [OPTION]... -- COMMAND [ARGUMENT]...\n"
	"       rocwatch-sim ctl SOCKET REQUEST...\n"
	"       rocwatch-sim profiles [--profiles DIR]\n"
	"\n"
	"run: runs COMMAND in a mount namespace of its own whose /sys shows simulated AMD GPUs.\n"
	"  -g, --gpus SPEC       PROFILE[:COUNT][,...], e.g. mi210:8 or mi300x:2,rx7900xtx\n"
	"  -t, --tree DIR        adopt a dump of a card (DIR/cardN/device/..., DIR/kfd/...)\n"
	"                        both may be given again, and together\n"
	"  -c, --control SOCKET  listen there for ctl\n"
	"  -s, --seed N          what random values start from (1)\n"
	"  -w, --workload NAME   what every card does: idle training inference leak\n"
	"                        thermal-runaway off steady; without it each does its own\n"
	"  -p, --profiles DIR    where profiles are (else $ROCWATCH_SIM_PROFILES, else beside\n"
	"                        the program)\n"
	"\n"
	"ctl: changes a running node and prints its answer. FILE is below the device directory;\n"
	"hwmon/X means hwmonN/X; \"all\" in place of gpuN means each card.\n"
	"  list | pid | quit | time [SECONDS | +SECONDS | run]\n"
	"  get gpuN FILE | set gpuN FILE VALUE | load gpuN FILE PATH | delete gpuN FILE\n"
	"  fault gpuN FILE|GLOB|DIRECTORY|all MODE, where MODE is eio eperm einval enodev ebusy\n"
	"        eagain enodata eopnotsupp empty garbage ones torn delay=500ms hang none\n"
	"  clear gpuN [FILE] | reads gpuN [FILE] | suspend gpuN | resume gpuN\n"
	"  workload gpuN NAME | ecc gpuN BLOCK ue|ce|de +COUNT\n"
	"  remove gpuN | add gpuN [as cardM] | swap gpuN gpuM\n";

static const struct option options[] = {
	{ "gpus", required_argument, NULL, 'g' },     { "tree", required_argument, NULL, 't' },
	{ "control", required_argument, NULL, 'c' },  { "seed", required_argument, NULL, 's' },
	{ "workload", required_argument, NULL, 'w' }, { "profiles", required_argument, NULL, 'p' },
	{ "help", no_argument, NULL, 'h' },	      { NULL, 0, NULL, 0 },
};

#define TREES_MAX 64

struct choice {
	const char *specs[TREES_MAX], *trees[TREES_MAX];
	int specs_count, trees_count;
	const char *control, *profiles, *workload;
	int64_t seed;
};

static int misuse(const char *format, const char *what)
{
	fprintf(stderr, "rocwatch-sim: ");
	fprintf(stderr, format, what);
	fprintf(stderr, "\nTry 'rocwatch-sim --help'.\n");
	return 2;
}

/* 0, or the exit status. -1: help was asked for. */
static int options_read(int argc, char **argv, struct choice *choice)
{
	int letter;

	while ((letter = getopt_long(argc, argv, "+g:t:c:s:w:p:h", options, NULL)) != -1) {
		if (letter == 'g' && choice->specs_count < TREES_MAX)
			choice->specs[choice->specs_count++] = optarg;
		else if (letter == 't' && choice->trees_count < TREES_MAX)
			choice->trees[choice->trees_count++] = optarg;
		else if (letter == 'c')
			choice->control = optarg;
		else if (letter == 's' && !text_number(optarg, &choice->seed))
			return misuse("--seed wants a number, not \"%s\"", optarg);
		else if (letter == 'w')
			choice->workload = optarg;
		else if (letter == 'p')
			choice->profiles = optarg;
		else if (letter == 'h')
			return -1;
		else if (letter != 's')
			return misuse("cannot go on%s", "");
	}
	return 0;
}

static int spec_add(struct machine *machine, const char *dir, const char *spec)
{
	char copy[512], *rest = copy, *part, *colon;
	int64_t count;

	snprintf(copy, sizeof(copy), "%s", spec);
	while ((part = strsep(&rest, ","))) {
		colon = strchr(part, ':');
		count = 1;
		if (colon)
			*colon++ = '\0';
		if (!*part || (colon && (!text_number(colon, &count) || count < 1 || count > 64)))
			return misuse(
				"--gpus wants PROFILE[:COUNT][,...] with 1 to 64 cards, not \"%s\"",
				spec);
		if (machine_add_profile(machine, dir, part, count) < 0)
			return 2;
	}
	return 0;
}

static int machine_make(struct machine *machine, const struct choice *choice)
{
	int i, r;

	machine_init(machine, choice->seed);
	machine->is_mixed = !choice->workload || strcmp(choice->workload, "mix") == 0;
	if (!machine->is_mixed && !workload_find(choice->workload, &machine->workload))
		return misuse("no workload \"%s\"", choice->workload);
	for (i = 0; i < choice->trees_count; i++)
		if (machine_add_dump(machine, choice->trees[i]) < 0)
			return 2;
	for (i = 0; i < choice->specs_count; i++) {
		r = spec_add(machine, profile_dir(choice->profiles), choice->specs[i]);
		if (r)
			return r;
	}
	machine_start(machine);
	return 0;
}

static int verb_run(int argc, char **argv)
{
	struct choice choice = { .seed = 1 };
	struct machine machine;
	int r = options_read(argc, argv, &choice);

	if (r < 0)
		return fputs(usage, stdout) < 0;
	if (r > 0)
		return r;
	if (!argv[optind])
		return misuse("run: no COMMAND%s", "");
	r = machine_make(&machine, &choice);
	if (r == 0)
		r = run_command(&machine, choice.control, argv + optind);
	machine_fini(&machine);
	return r;
}

static int verb_profiles(int argc, char **argv)
{
	struct choice choice = { .seed = 1 };
	const char *dir;
	int r = options_read(argc, argv, &choice);

	if (r)
		return r < 0 ? fputs(usage, stdout) < 0 : r;
	dir = profile_dir(choice.profiles);
	r = profile_list(dir);
	if (r < 0)
		fprintf(stderr, "rocwatch-sim: %s: %s\n", dir, strerror(-r));
	return r < 0;
}

/* A path is meant as the client sees it. */
static void path_absolute(char **words)
{
	static char path[PATH_MAX];
	int i;

	for (i = 0; i < 4; i++)
		if (!words[i])
			return;
	if (strcmp(words[0], "load") == 0 && realpath(words[3], path))
		words[3] = path;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";

	if (strcmp(verb, "run") == 0)
		return verb_run(argc - 1, argv + 1);
	if (strcmp(verb, "profiles") == 0)
		return verb_profiles(argc - 1, argv + 1);
	if (strcmp(verb, "--help") == 0 || strcmp(verb, "-h") == 0 || strcmp(verb, "help") == 0)
		return fputs(usage, stdout) < 0;
	if (strcmp(verb, "ctl") != 0)
		return misuse(*verb ? "no command \"%s\"" : "no command given%s", verb);
	if (argc < 4)
		return misuse("ctl wants SOCKET and a request%s", "");
	path_absolute(argv + 3);
	return control_ask(argv[2], argv + 3);
}
