/* card - makes and takes away the /sys entries of one card. */
#ifndef SIM_CARD_H
#define SIM_CARD_H

#include <stdbool.h>

struct gpu;
struct machine;
struct record;

void card_build(struct machine *machine, struct gpu *gpu);
void card_remove(struct gpu *gpu);

/* Makes the file of a record come or go as the record says, on a card that is present. */
void card_apply(struct gpu *gpu, struct record *record);

/* Is there such a file on the card now? */
bool card_has(const struct gpu *gpu, const struct record *record);

#endif
