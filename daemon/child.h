/* child - the life of the sampler process: started, watched, ended, started again with back-off. No log in here. */
#ifndef DAEMON_CHILD_H
#define DAEMON_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct child {
	pid_t pid;   /* 0: none runs */
	int control; /* what it has to say; -1 */
	int output;  /* what the library in it prints; -1 */
	uint64_t started_ns;
	uint64_t start_at_ns;     /* when to start the next one */
	uint64_t replaced_ns;     /* since when one that was told to end has not ended; 0: not told */
	uint64_t held_ns;         /* since when its main thread is dead and it is not; 0: it is not so */
	unsigned int short_lives; /* in a row: the back-off grows with them */
	uint64_t restarts;        /* rocwatch_sampler_restarts_total */
	unsigned int abandoned;   /* told to die, but in the kernel's hands with a GPU that does not answer */
};

void child_init(struct child *child);

/* Starts a sampler on that board. 0 or -errno. */
int child_start(struct child *child, int board_fd, uint64_t now_ns);

/* The process ended, or is given up. `planned`: it was asked to, and the next one starts at once. */
void child_ended(struct child *child, uint64_t now_ns, bool planned);

/* Reaps without waiting, also those that were abandoned. true and the wait status where the current sampler ended. */
bool child_reap(struct child *child, int *ret_status);

/* Whether its main thread is dead for some time while the process is not: a thread of it waits in the kernel for a GPU.
 * Call it each tick. */
bool child_is_held(struct child *child, uint64_t now_ns);

/* Tells it to die. */
void child_kill(struct child *child, int sig, uint64_t now_ns);

/* Gives up on one that was told to die and did not: it can do no harm, as it dies on the way out of the kernel. */
void child_abandon(struct child *child);

#endif
