/* main - the command line of rocwatchd. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/keeper.h"
#include "daemon/sampler.h"
#include "exporter/page.h"

enum {
	OPTION_LISTEN = 256,
	OPTION_SOURCE,
	OPTION_LIBRARY,
	OPTION_CHECK,
	OPTION_METRICS,
	OPTION_RULES,
	OPTION_DEFAULTS,
	OPTION_LIVE
};

static const struct option options[] = {
	{ "config", required_argument, NULL, 'c' },
	{ "listen", required_argument, NULL, OPTION_LISTEN },
	{ "source", required_argument, NULL, OPTION_SOURCE },
	{ "rocm-smi-library", required_argument, NULL, OPTION_LIBRARY },
	{ "live", no_argument, NULL, OPTION_LIVE },
	{ "check-config", no_argument, NULL, OPTION_CHECK },
	{ "list-metrics", no_argument, NULL, OPTION_METRICS },
	{ "list-rules", no_argument, NULL, OPTION_RULES },
	{ "print-defaults", no_argument, NULL, OPTION_DEFAULTS },
	{ "version", no_argument, NULL, 'V' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static const char help[] =
	"usage: rocwatchd [OPTION]...\n"
	"\n"
	"Watches the AMD GPUs of this machine, serves Prometheus, and writes alerts to the systemd journal.\n"
	"\n"
	"  -c, --config FILE         settings (default " CONFIG_DEFAULT_PATH ", if it is there)\n"
	"      --listen ADDR:PORT    where /metrics is served (default 127.0.0.1:10720)\n"
	"      --source SOURCE       who is asked: auto (ROCm SMI first, then the driver's files), rocm_smi, sysfs\n"
	"      --rocm-smi-library PATH\n"
	"                            librocm_smi64 to load (default: /opt/rocm/lib, then .so.7 .so.6 .so.5 .so.1)\n"
	"      --live                print a line per GPU each second\n"
	"\n"
	"Instead of running:\n"
	"      --check-config        show every mistake in settings and rules; status 1 if there is one\n"
	"      --list-metrics        what is published\n"
	"      --list-rules          what is judged, in sentences\n"
	"      --print-defaults      a settings file with every setting at its default\n"
	"  -V, --version\n"
	"  -h, --help\n"
	"\n"
	"SIGHUP reads settings and rules anew; with a mistake in them the old ones stay in force.\n";

static int usage(void)
{
	fprintf(stderr, "rocwatchd: see rocwatchd --help\n");
	return 2;
}

static int list_metrics(void)
{
	metrics_print(stdout);
	page_print_families(stdout);
	return EXIT_SUCCESS;
}

/* --check-config and --list-rules: load as the daemon would, show what there is to say. */
static int load_and(const struct overrides *overrides, void (*show)(const struct rules *))
{
	struct problems problems = { 0 };
	struct rules *rules = NULL;
	struct config config;
	int r = keeper_load(overrides, &config, &rules, &problems);

	if (r < 0)
		problems_print(&problems, stderr);
	else
		show(rules);
	problems_fini(&problems);
	rules_free(rules);
	config_fini(&config);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static void show_rules(const struct rules *rules)
{
	rules_print(rules, stdout);
}

static void show_fine(const struct rules *rules)
{
	(void)rules;
	puts("settings and rules have no mistakes");
}

static int act(int action, const struct overrides *overrides)
{
	switch (action) {
	case OPTION_CHECK:
		return load_and(overrides, show_fine);
	case OPTION_RULES:
		return load_and(overrides, show_rules);
	case OPTION_METRICS:
		return list_metrics();
	case OPTION_DEFAULTS:
		config_print_defaults(stdout);
		return EXIT_SUCCESS;
	case 'V':
		puts("rocwatchd " ROCWATCH_VERSION);
		return EXIT_SUCCESS;
	case 'h':
		fputs(help, stdout);
		return EXIT_SUCCESS;
	default:
		return keeper_run(overrides);
	}
}

/* Whoever starts us without them must not make our first files the standard ones. */
static void open_standard_files(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

int main(int argc, char **argv)
{
	struct overrides overrides = { 0 };
	int action = 0, option;

	open_standard_files();
	if (argc == 2 && strcmp(argv[1], SAMPLER_ARGUMENT) == 0)
		return sampler_main();
	while ((option = getopt_long(argc, argv, "c:Vh", options, NULL)) != -1) {
		switch (option) {
		case 'c':
			overrides.config_path = optarg;
			break;
		case OPTION_LISTEN:
			overrides.listen = optarg;
			break;
		case OPTION_SOURCE:
			overrides.source = optarg;
			break;
		case OPTION_LIBRARY:
			overrides.rocm_smi_library = optarg;
			break;
		case OPTION_LIVE:
			overrides.live = true;
			break;
		case '?':
			return usage();
		default:
			action = option;
		}
	}
	if (optind < argc) {
		fprintf(stderr, "rocwatchd: \"%s\" is no option\n", argv[optind]);
		return usage();
	}
	return act(action, &overrides);
}
