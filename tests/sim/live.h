/* live - what a card is doing: utilisation, power, heat, clocks, memory, energy, all moving
 * together.
 *
 * Advances in ticks of fixed length, so that what a card shows depends on seed, index, workload and
 * time alone and not on how often somebody looks. */
#ifndef SIM_LIVE_H
#define SIM_LIVE_H

#include <stdbool.h>
#include <stdint.h>

struct gpu;
struct text;

enum workload {
	WORKLOAD_IDLE,
	WORKLOAD_TRAINING,
	WORKLOAD_INFERENCE,
	WORKLOAD_LEAK,
	WORKLOAD_THERMAL_RUNAWAY,
	WORKLOAD_OFF,
	WORKLOAD_STEADY,
	WORKLOADS
};

/* What the live values of a card can be asked for; see live_value() for the units. */
struct live {
	enum workload workload;
	uint64_t ticks;		/* done since start */
	uint64_t since;		/* tick at which the workload began */
	double time;		/* s since start */
	double busy, mem_busy, mm_busy;				/* % */
	double power, volt;					/* W, mV */
	double edge, junction, mem, vrgfx, vrsoc, vrmem;	/* °C */
	double heat;		/* °C above what the power explains */
	double sclk, mclk, socclk, fclk, vclk, dclk;		/* MHz */
	double fan, pwm;					/* rpm, 0..255 */
	double vram, gtt;					/* bytes used */
	double energy;						/* J */
	double busy_acc, mem_acc;				/* % accumulated */
	double accumulation, ppt_residency, thermal_residency, hbm_residency; /* ms-scale ticks */
	double pcie_acc, xgmi_acc;				/* GB/s accumulated, KB */
	bool throttled_power, throttled_thermal;
	bool frozen;		/* time was stopped: clocks of the host stand still too */
};

/* Name of a workload, and back (false if there is none). */
extern const char *const workload_names[WORKLOADS];
bool workload_find(const char *name, enum workload *ret);

/* Puts a card into its first state. */
void live_init(struct gpu *gpu, enum workload workload);

/* Changes what it does from now on. */
void live_work(struct gpu *gpu, enum workload workload);

/* Brings a card to `time` seconds since start; time that is past changes nothing. */
void live_advance(struct gpu *gpu, double time);

/* Utilisation and share of memory used a workload wants `t` seconds after it began. */
struct demand {
	double busy, mem_busy, vram_share;
	double heat_rate;	/* °C per second from elsewhere */
};
struct demand workload_demand(const struct gpu *gpu, double t);

/* 0 <= noise < 1, the same for the same card, tick and channel. */
double live_noise(const struct gpu *gpu, uint64_t tick, int channel);

#endif
