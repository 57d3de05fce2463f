/* table - writes the driver's binary gpu_metrics table of a card. */
#ifndef SIM_TABLE_H
#define SIM_TABLE_H

struct gpu;
struct text;

/* Adds the table in the profile's version. Fields the profile does not name are all ones. */
void table_put(struct gpu *gpu, struct text *to);

#endif
