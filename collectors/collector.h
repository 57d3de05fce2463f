/* collector - the thread around a pass: one per GPU, on an absolute schedule. */
#ifndef COLLECTORS_COLLECTOR_H
#define COLLECTORS_COLLECTOR_H

#include "collectors/board.h"

/* Says something to the operator: priority as in syslog (3 error, 4 warning, 5 notice, 6 info). Any thread. */
typedef void collector_say(int priority, const char *text);

/* Starts the thread for GPU n of the board; it ends by itself when the GPU is no longer present. 0 or -errno. */
int collector_start(const struct board *board, unsigned int gpu, const struct device_place *place, collector_say *say);

/* When the next pass is due, and how many ticks were lost, for a pass that was due at `due_ns` and ended at `now_ns`.
 */
uint64_t collector_next(uint64_t due_ns, uint64_t now_ns, uint64_t interval_ns, uint64_t *ret_missed);

#endif
