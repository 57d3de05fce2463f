/* config - the settings of rocwatchd, from one table: see config.c. */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "config/problems.h"

#define CONFIG_DEFAULT_PATH "/etc/rocwatch/rocwatch.conf"

enum config_source { SOURCE_AUTO, SOURCE_ROCM_SMI, SOURCE_SYSFS };

/* Strings are owned by the struct. Times are nanoseconds. */
struct config {
	/* [sampler] */
	uint64_t interval_ns;      /* between two samples of a GPU; 100 ms to 1 min, default 1 s */
	uint64_t slow_interval_ns; /* between two readings of what changes rarely (limits, ECC, fan, link); default 5 s
				    */
	uint64_t history_ns;       /* how much past the ring of a GPU holds; default 5 min */
	uint64_t stale_after_ns; /* a sample older than this is not shown and the GPU counts as not answering; default 5
				    s */
	uint64_t rescan_ns;      /* between two looks for GPUs that came or went; default 2 s */
	int source;              /* enum config_source */
	char *rocm_smi_library;  /* path of librocm_smi64; "" searches */
	uint64_t gpus_expected;  /* how many GPUs the node should have; 0: as many as were ever seen */
	/* [web] */
	char *listen; /* ADDR:PORT or [IPV6]:PORT, default 127.0.0.1:10720 */
	uint64_t max_connections;
	uint64_t timeout_ns; /* an idle or slow connection is closed after this */
	/* [alerts] */
	char *rules_dir;    /* default /etc/rocwatch/rules.d */
	bool shipped_rules; /* judge by the embedded rules too; default true */
	uint64_t burst;     /* most alert messages to the journal in one minute; the rest is counted, default 120 */
};

/* Defaults, before any file. */
void config_init(struct config *config);
void config_fini(struct config *config);

/* Reads `path` over what stands in *ret (config_init() first). Every mistake is added to `problems`. Returns 0 where
 * there was none, else -EINVAL or the -errno of reading; *ret is then not to be used but safe to config_fini(). */
int config_read(const char *path, struct config *ret, struct problems *problems);

/* One setting by name from elsewhere than a file (a command line option), e.g. ("web", "listen", "0.0.0.0:10720").
 * `where` is what a message names as the file, e.g. "--listen". 0 or -EINVAL with a problem added. */
int config_set(struct config *config, const char *section, const char *key, const char *value, const char *where,
	       int line, struct problems *problems);

/* Writes a complete file with every setting commented out at its default and its meaning above it: config/rocwatch.conf
 * is this output. */
void config_print_defaults(FILE *to);

#endif
