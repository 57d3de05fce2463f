/* reload - SIGHUP: new settings and rules, all or nothing. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/keeper.h"
#include "systemd/journal.h"
#include "systemd/message_ids.h"
#include "systemd/notify.h"

/* The file that is read: the one named, else the default one if it is there. */
static const char *config_file(const struct overrides *overrides)
{
	if (overrides->config_path != NULL)
		return overrides->config_path;
	return access(CONFIG_DEFAULT_PATH, F_OK) == 0 ? CONFIG_DEFAULT_PATH : NULL;
}

int keeper_load(const struct overrides *overrides, struct config *ret, struct rules **ret_rules,
		struct problems *problems)
{
	const char *path = config_file(overrides);

	config_init(ret);
	*ret_rules = NULL;
	if (path != NULL)
		config_read(path, ret, problems);
	if (overrides->listen != NULL)
		config_set(ret, "web", "listen", overrides->listen, "--listen", 0, problems);
	if (overrides->source != NULL)
		config_set(ret, "sampler", "source", overrides->source, "--source", 0, problems);
	if (overrides->rocm_smi_library != NULL)
		config_set(ret, "sampler", "rocm_smi_library", overrides->rocm_smi_library, "--rocm-smi-library", 0,
			   problems);
	rules_load(rules_pack, ret->shipped_rules ? rules_pack_count : 0, ret->rules_dir, ret_rules, problems);
	return problems->count > 0 ? -EINVAL : 0;
}

static bool sampler_settings_differ(const struct config *a, const struct config *b)
{
	return a->interval_ns != b->interval_ns || a->slow_interval_ns != b->slow_interval_ns ||
	       a->rescan_ns != b->rescan_ns || a->source != b->source ||
	       strcmp(a->rocm_smi_library, b->rocm_smi_library) != 0;
}

/* What a running daemon cannot change is said, not silently dropped. */
static void tell_what_waits(const struct config *old, const struct config *new)
{
	if (strcmp(old->listen, new->listen) != 0)
		log_warning("[web] listen = %s takes effect at the next start; still listening as before", new->listen);
	if (old->history_ns != new->history_ns)
		log_warning("[sampler] history takes effect at the next start");
	if (old->max_connections != new->max_connections || old->timeout_ns != new->timeout_ns)
		log_warning("[web] max_connections and timeout take effect at the next start");
}

static void reject(struct keeper *keeper, const struct problems *problems)
{
	size_t i;

	pthread_mutex_lock(&keeper->lock);
	keeper->reload_ok = false;
	pthread_mutex_unlock(&keeper->lock);
	for (i = 0; i < problems->count; i++)
		log_error("%s:%d: %s", problems->list[i].file, problems->list[i].line, problems->list[i].text);
	journal_log(LOG_PRIORITY_ERROR, MESSAGE_CONFIG_REJECTED, NULL,
		    "the new settings have %zu mistake%s and are rejected; the old ones stay in force", problems->count,
		    problems->count == 1 ? "" : "s");
}

static void take(struct keeper *keeper, struct config *config, struct rules *rules, struct alerts *alerts)
{
	bool again = sampler_settings_differ(&keeper->config, config);

	tell_what_waits(&keeper->config, config);
	pthread_mutex_lock(&keeper->lock);
	alerts_adopt(alerts, keeper->alerts, now_monotonic(), watch_alert, keeper);
	alerts_free(keeper->alerts);
	rules_free(keeper->rules);
	keeper->alerts = alerts;
	keeper->rules = rules;
	config_fini(&keeper->config);
	keeper->config = *config;
	keeper->alert_limit.burst = config->burst;
	keeper->reload_ok = true;
	keeper->reloaded_realtime_ns = now_realtime();
	pthread_mutex_unlock(&keeper->lock);
	alert_outbox_send(&keeper->outbox);
	keeper->restart_wanted |= again;
	journal_log(LOG_PRIORITY_NOTICE, MESSAGE_CONFIG_RELOADED, NULL, "the new settings are in force%s",
		    again ? "; the sampler starts anew with them" : "");
}

void reload(struct keeper *keeper)
{
	struct problems problems = { 0 };
	struct rules *rules = NULL;
	struct alerts *alerts = NULL;
	struct config config;

	if (keeper->ready) /* before that, systemd waits for the start and not for a reload */
		notify_reloading();
	if (keeper_load(&keeper->overrides, &config, &rules, &problems) == 0)
		alerts = alerts_new(rules, watch_gap_ns(&config));
	if (alerts != NULL) {
		take(keeper, &config, rules, alerts);
	} else {
		reject(keeper, &problems);
		config_fini(&config);
		rules_free(rules);
	}
	problems_fini(&problems);
	if (keeper->ready)
		notify_ready();
}
