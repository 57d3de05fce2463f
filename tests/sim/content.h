/* content - what a file shows when it is read. */
#ifndef SIM_CONTENT_H
#define SIM_CONTENT_H

#include <stdbool.h>

#include "tests/sim/fault.h"

struct machine;
struct node;
struct text;

/* The contents now, with pins but without faults. */
void content_show(struct machine *machine, struct node *node, struct text *ret);

/* Would reading it ask the hardware, which a suspended card refuses? */
bool content_asks_hardware(const char *key);

/* As a reader sees it: 0, or -errno of the fault, of suspension or of a card that is gone. */
int content_read(struct machine *machine, struct node *node, const struct fault *fault,
		 struct text *ret);

/* The fault that holds for a file now; `is_late`: its delay has passed. */
struct fault content_fault(const struct node *node, bool is_late);

#endif
