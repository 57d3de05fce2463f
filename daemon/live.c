/* live - a line per GPU each second on standard output, for someone who looks (--live). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/keeper.h"

/* One column: which row, and how wide a person needs it. */
static const struct {
	const char *title;
	enum quantity quantity;
	int selector, width;
} columns[] = {
	{ "gfx", Q_UTILIZATION, ENGINE_GFX, 6 },
	{ "power", Q_POWER, 0, 9 },
	{ "junction", Q_TEMPERATURE, SENSOR_JUNCTION, 10 },
	{ "edge", Q_TEMPERATURE, SENSOR_EDGE, 10 },
	{ "memory used", Q_MEMORY_USED, POOL_VRAM, 12 },
	{ "clock", Q_CLOCK, CLOCK_GFX, 10 },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static void print_head(void)
{
	size_t i;

	printf("%-4s %-13s %-9s", "gpu", "pci", "state");
	for (i = 0; i < COLUMNS; i++)
		printf(" %*s", columns[i].width, columns[i].title);
	printf("\n");
}

static void print_gpu(struct keeper *keeper, unsigned int gpu, uint64_t now_ns)
{
	struct board_identity who;
	struct sample sample;
	enum gpu_state state = board_gpu_state(&keeper->board, gpu, keeper->watched[gpu].state, now_ns,
					       keeper->config.stale_after_ns, &sample);
	size_t i;

	if (board_identity(&keeper->board, gpu, &who) < 0)
		return;
	printf("%-4u %-13s %-9s", gpu, who.place.pci, gpu_state_name(state));
	for (i = 0; i < COLUMNS; i++) {
		int row = metric_row(columns[i].quantity, columns[i].selector);
		char text[32] = "-";
		int width = columns[i].width;

		if (sample.sequence != 0 && sample.reason[row] == READ_OK)
			unit_format(metrics[row].unit, sample.value[row], text, sizeof(text));
		/* The degree sign is two bytes and one column. */
		printf(" %*s", strstr(text, "°") != NULL ? width + 1 : width, text);
	}
	printf("\n");
}

void live_print(struct keeper *keeper, uint64_t now_ns)
{
	unsigned int gpus = board_gpus(&keeper->board), gpu;

	print_head();
	for (gpu = 0; gpu < gpus; gpu++)
		print_gpu(keeper, gpu, now_ns);
	if (gpus == 0)
		printf("no AMD GPU found so far\n");
	fflush(stdout);
}
