/* value - what `$name` stands for in a profile. */
#ifndef SIM_VALUE_H
#define SIM_VALUE_H

#include <stdbool.h>
#include <stddef.h>

struct gpu;
struct text;

/* A number by name and unit ("junction_mC", "power_uW", "energy_2e-16J"); false if there is none of
 * that name. */
bool value_number(const struct gpu *gpu, const char *name, double *ret);

/* Anything by name, as text: also "bdf", "unique_id", "clock_sclk", "ecc_umc_ue", "card" …; false
 * if unknown. */
bool value_put(struct gpu *gpu, const char *name, struct text *to);

/* A template with each $name and ${name} filled in. An unknown name stays as it is. */
void value_fill(struct gpu *gpu, const char *from, size_t size, struct text *to);

#endif
