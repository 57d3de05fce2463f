/* clock - the clock domains of a card: their levels, and how pp_dpm_* shows them. */
#ifndef SIM_CLOCK_H
#define SIM_CLOCK_H

struct gpu;
struct text;

/* Lowest and highest level, and where it rests when idle (deep sleep, or the lowest level), in MHz.
 */
struct clock_range {
	double min, max, rest;
};

/* All zero for a domain the profile does not name. */
struct clock_range clock_range(const struct gpu *gpu, const char *domain);

/* What a domain does when it is asked for a frequency: the level next to it, or that between its
 * limits; 0 for a domain the profile does not name. */
double clock_level(const struct gpu *gpu, const char *domain, double mhz);

/* The text of pp_dpm_DOMAIN. */
void clock_print(const struct gpu *gpu, const char *domain, struct text *to);

#endif
