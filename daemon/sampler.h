/* sampler - the child process that touches GPUs: the same binary, executed anew by the keeper. */
#ifndef DAEMON_SAMPLER_H
#define DAEMON_SAMPLER_H

/* argv[1] of the child. Its descriptors: SAMPLER_BOARD_FD the board, SAMPLER_CONTROL_FD what it has to say, 1 and 2
 * what the vendor library prints. */
#define SAMPLER_ARGUMENT "--sampler"
#define SAMPLER_BOARD_FD 3
#define SAMPLER_CONTROL_FD 4

/* A control message (one write, one read: the pipe keeps their bounds) is a digit, the syslog priority, and a text.
 * This letter alone asks to be started anew. */
#define SAMPLER_AGAIN 'R'

/* The child's main; returns its exit status. */
int sampler_main(void);

#endif
