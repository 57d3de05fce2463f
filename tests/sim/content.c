/* content - see the header. */
#include "tests/sim/content.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "tests/sim/gpu.h"
#include "tests/sim/machine.h"
#include "tests/sim/profile.h"
#include "tests/sim/tree.h"
#include "tests/sim/value.h"

/* Files whose reading makes the driver wake the card or, since 6.13, refuse. */
static const char *const hardware[] = {
	"hwmon/*_input",     "hwmon/*_average",
	"hwmon/power*_cap*", "hwmon/fan1_*",
	"hwmon/pwm1*",	     "gpu_busy_percent",
	"mem_busy_percent",  "vcn_busy_percent",
	"gpu_metrics",	     "pp_*",
	"pcie_bw",	     "power_dpm_force_performance_level",
	"pm_metrics",
};

bool content_asks_hardware(const char *key)
{
	size_t i;

	if (fnmatch("hwmon/*_label", key, 0) == 0)
		return false;
	for (i = 0; i < sizeof(hardware) / sizeof(hardware[0]); i++)
		if (fnmatch(hardware[i], key, FNM_PATHNAME) == 0)
			return true;
	return false;
}

static bool is_table(const struct node *node)
{
	return node->record && strcmp(node->record->key, "gpu_metrics") == 0;
}

void content_show(struct machine *machine, struct node *node, struct text *ret)
{
	const struct record *record = node->record;

	if (record && record->pinned) {
		text_add(ret, record->pin.bytes, record->pin.size);
		return;
	}
	if (!node->live) {
		text_add(ret, node->text, node->text_size);
		return;
	}
	machine_refresh(machine, node->gpu);
	value_fill(node->gpu, node->text, node->text_size, ret);
	if (!is_table(node) && (!ret->size || ret->bytes[ret->size - 1] != '\n'))
		text_put(ret, "\n");
}

struct fault content_fault(const struct node *node, bool is_late)
{
	const struct record *record = node->record;
	struct fault fault = record ? record->fault : (struct fault){ 0 };
	const char *always;

	if (fault.mode == FAULT_NONE && record && node->gpu->profile && !record->pinned) {
		always = profile_text(node->gpu->profile, "fault", record->key, NULL);
		if (always)
			fault_parse(always, &fault);
	}
	if (fault.mode == FAULT_DELAY && is_late)
		fault.mode = FAULT_NONE;
	return fault;
}

int content_read(struct machine *machine, struct node *node, const struct fault *fault,
		 struct text *ret)
{
	if (node->gone)
		return -ENODEV;
	if (fault->mode == FAULT_ERRNO)
		return -fault->error;
	if (node->gpu && node->gpu->suspended && node->record &&
	    content_asks_hardware(node->record->key)) {
		node->gpu->refused++;
		return -EPERM;
	}
	content_show(machine, node, ret);
	fault_spoil(fault, is_table(node), ret);
	return 0;
}
