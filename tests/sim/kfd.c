/* kfd - see the header. */
#include "tests/sim/kfd.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/dump.h"
#include "tests/sim/gpu.h"
#include "tests/sim/machine.h"
#include "tests/sim/profile.h"
#include "tests/sim/tree.h"

enum link_type { LINK_CPU = 1, LINK_PCIE = 2, LINK_XGMI = 11 };

/* A node of the topology: a CPU socket (gpu is NULL), or a GPU's partition. */
struct member {
	struct gpu *gpu;
	int partition, socket;
	struct node *dir;
	int io_links, p2p_links;
};

struct topology {
	struct member *members;
	int count;
};

static struct topology topology_of(const struct machine *machine)
{
	struct topology topology = { .members = text_zalloc(
					     (machine->sockets + machine->count * PARTITIONS_MAX) *
					     sizeof(struct member)) };
	struct gpu *gpu;
	int i, partition;

	for (i = 0; i < machine->sockets; i++)
		topology.members[topology.count++].socket = i;
	for (i = 0; i < machine->count; i++) {
		gpu = machine->gpus[i];
		if (!gpu->present || (gpu->dump && strcmp(dump_driver(gpu), "amdgpu") != 0))
			continue;
		for (partition = 0; partition < gpu->partitions; partition++)
			topology.members[topology.count++] = (struct member) {
				.gpu = gpu,
				.partition = partition,
				.socket = gpu->numa > 0 ? gpu->numa : 0,
			};
	}
	return topology;
}

static void link_put(struct topology *topology, int from, int to, bool is_p2p, enum link_type type,
		     int weight)
{
	struct member *member = &topology->members[from];
	const char *bandwidth = "0";
	char path[48];

	if (type == LINK_XGMI)
		bandwidth = profile_text(member->gpu->profile, "let", "xgmi_MBps", "50000");
	snprintf(path, sizeof(path), "%s/%d/properties", is_p2p ? "p2p_links" : "io_links",
		 is_p2p ? member->p2p_links++ : member->io_links++);
	tree_text(member->dir, path,
		  "type %d\nversion_major 0\nversion_minor 0\nnode_from %d\nnode_to %d\nweight %d\n"
		  "min_latency 0\nmax_latency 0\nmin_bandwidth %s\nmax_bandwidth %s\n"
		  "recommended_transfer_size 0\nrecommended_sdma_engine_id_mask 0\nflags %d",
		  type, from, to, weight, bandwidth, type == LINK_PCIE ? "32000" : bandwidth,
		  type == LINK_XGMI ? 0 : 1);
}

static void link_build(struct topology *topology, int from, int to)
{
	const struct member *a = &topology->members[from], *b = &topology->members[to];

	if (!a->gpu && !b->gpu)
		link_put(topology, from, to, false, LINK_CPU, 32);
	else if (!a->gpu || !b->gpu)
		link_put(topology, from, to, a->socket != b->socket, LINK_PCIE,
			 a->socket == b->socket ? 20 : 52);
	else if (a->gpu->hive_id && a->gpu->hive_id == b->gpu->hive_id)
		link_put(topology, from, to, false, LINK_XGMI, 15);
	else
		link_put(topology, from, to, true, LINK_PCIE, a->socket == b->socket ? 40 : 72);
}

/* What is of this machine and not of the kind of card; NULL for the rest. */
static const char *own_property(const struct member *member, const char *name, char *text,
				size_t size)
{
	const struct gpu *gpu = member->gpu;

	if (strcmp(name, "io_links_count") == 0)
		snprintf(text, size, "%d", member->io_links);
	else if (strcmp(name, "p2p_links_count") == 0)
		snprintf(text, size, "%d", member->p2p_links);
	else if (!gpu)
		return NULL;
	else if (strcmp(name, "location_id") == 0)
		snprintf(text, size, "%u",
			 gpu->bus << 8 | gpu->device << 3 | (gpu->function + member->partition));
	else if (strcmp(name, "domain") == 0)
		snprintf(text, size, "%u", gpu->domain);
	else if (strcmp(name, "drm_render_minor") == 0)
		snprintf(text, size, "%d", gpu->minor + member->partition);
	else if (strcmp(name, "hive_id") == 0)
		snprintf(text, size, "%" PRIu64, gpu->hive_id);
	else if (strcmp(name, "unique_id") == 0 &&
		 profile_text(gpu->profile, "file", "unique_id", NULL))
		snprintf(text, size, "%" PRIu64, gpu->unique_id);
	else
		return NULL;
	return text;
}

/* Names in the driver's order, with what a GPU has unless its profile says otherwise. */
static const struct {
	const char *name, *gpu, *cpu;
} properties[] = {
	{ "cpu_cores_count", "0", "64" },
	{ "simd_count", "0", "0" },
	{ "mem_banks_count", "1", "1" },
	{ "caches_count", "0", "0" },
	{ "io_links_count", "0", "0" },
	{ "p2p_links_count", "0", "0" },
	{ "cpu_core_id_base", "0", "0" },
	{ "simd_id_base", "2147487744", "0" },
	{ "max_waves_per_simd", "8", "0" },
	{ "lds_size_in_kb", "64", "0" },
	{ "gds_size_in_kb", "0", "0" },
	{ "num_gws", "64", "0" },
	{ "wave_front_size", "64", "0" },
	{ "array_count", "8", "0" },
	{ "simd_arrays_per_engine", "1", "0" },
	{ "cu_per_simd_array", "14", "0" },
	{ "simd_per_cu", "4", "0" },
	{ "max_slots_scratch_cu", "32", "0" },
	{ "gfx_target_version", "0", "0" },
	{ "vendor_id", "4098", "0" },
	{ "device_id", "0", "0" },
	{ "location_id", "0", "0" },
	{ "domain", "0", "0" },
	{ "drm_render_minor", "0", "0" },
	{ "hive_id", "0", "0" },
	{ "num_sdma_engines", "2", "0" },
	{ "num_sdma_xgmi_engines", "0", "0" },
	{ "num_sdma_queues_per_engine", "8", "0" },
	{ "num_cp_queues", "24", "0" },
	{ "max_engine_clk_fcompute", "1700", NULL },
	{ "local_mem_size", "0", NULL },
	{ "fw_version", "92", NULL },
	{ "capability", "746037888", NULL },
	{ "debug_prop", "1511", NULL },
	{ "sdma_fw_version", "9", NULL },
	{ "unique_id", "0", NULL },
	{ "num_xcc", "1", NULL },
	{ "max_engine_clk_ccompute", "2450", "2450" },
};

static void property_put(const struct member *member, const char *name, const char *value,
			 struct text *to)
{
	char text[32];
	const char *own = own_property(member, name, text, sizeof(text));

	text_put(to, "%s %s\n", name, own ? own : value);
}

/* A dump's own properties, but with the ids of this machine. */
static void properties_of_dump(const struct member *member, struct text *to)
{
	char *copy = text_dup(member->gpu->dump_kfd, strlen(member->gpu->dump_kfd)), *rest = copy,
	     *line, *value;

	while ((line = strsep(&rest, "\n"))) {
		value = strchr(line, ' ');
		if (!value)
			continue;
		*value++ = '\0';
		property_put(member, line, value, to);
	}
	free(copy);
}

static void properties_build(const struct member *member)
{
	const struct profile *profile = member->gpu ? member->gpu->profile : NULL;
	struct text text = { 0 };
	const char *value;
	size_t i;

	if (member->gpu && member->gpu->dump_kfd) {
		properties_of_dump(member, &text);
	} else {
		for (i = 0; i < sizeof(properties) / sizeof(properties[0]); i++) {
			value = member->gpu ? profile_text(profile, "kfd", properties[i].name,
							   properties[i].gpu)
					    : properties[i].cpu;
			if (value)
				property_put(member, properties[i].name, value, &text);
		}
	}
	tree_file(member->dir, "properties", text.bytes, text.size);
	text_fini(&text);
}

static void member_build(struct member *member)
{
	const struct gpu *gpu = member->gpu;
	unsigned int id = 0;
	double memory = 540e9;

	if (gpu) {
		id = 1 + text_hash(gpu->seed, 5, member->partition) % 0xfffe;
		memory = profile_number(gpu->profile, "model", "vram_B", 0) / gpu->partitions;
	}
	tree_text(member->dir, "gpu_id", "%u", id);
	tree_text(member->dir, "name", "%s",
		  gpu ? profile_text(gpu->profile, "", "kfd_name", "ip discovery") : "");
	tree_text(member->dir, "mem_banks/0/properties",
		  "heap_type %d\nsize_in_bytes %.0f\nflags 0\nwidth %d\nmem_clk_max %s",
		  gpu ? 1 : 0, memory, gpu ? 4096 : 64,
		  gpu ? profile_text(gpu->profile, "let", "mem_clk_max", "1600") : "3200");
	tree_dir(member->dir, "caches");
	tree_dir(member->dir, "io_links");
	tree_dir(member->dir, "p2p_links");
	if (gpu)
		tree_dir(member->dir, "perf");
}

void kfd_build(struct machine *machine)
{
	struct topology topology = topology_of(machine);
	struct node *kfd = tree_dir(machine->root, "devices/virtual/kfd/kfd"), *nodes;
	char path[32];
	int i, j;

	tree_text(kfd, "dev", "235:0");
	tree_text(kfd, "uevent", "MAJOR=235\nMINOR=0\nDEVNAME=kfd");
	tree_dir(kfd, "proc");
	tree_text(kfd, "topology/generation_id", "%u", machine->generation);
	tree_text(kfd, "topology/system_properties",
		  "platform_oem 2314885604102193731\nplatform_id 87232116311372\n"
		  "platform_rev 2");
	nodes = tree_find(kfd, "topology/nodes");
	if (nodes)
		tree_remove(nodes);
	nodes = tree_dir(kfd, "topology/nodes");
	for (i = 0; i < topology.count; i++) {
		snprintf(path, sizeof(path), "%d", i);
		topology.members[i].dir = tree_dir(nodes, path);
		member_build(&topology.members[i]);
	}
	for (i = 0; i < topology.count; i++)
		for (j = 0; j < topology.count; j++)
			if (i != j)
				link_build(&topology, i, j);
	for (i = 0; i < topology.count; i++)
		properties_build(&topology.members[i]);
	free(topology.members);
}
