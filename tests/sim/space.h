/* space - a command in a mount namespace of its own, with the simulated /sys and a private
 * /dev/shm. */
#ifndef SIM_SPACE_H
#define SIM_SPACE_H

#include <signal.h>
#include <sys/types.h>

/* Starts the command as a child and mounts a FUSE over its /sys; the child waits for nothing but
 * answers from that. `mask`: the signals blocked in the command. Returns the child and the
 * descriptor to serve; -1 on failure, which was told on stderr. */
pid_t space_start(char *const *command, const sigset_t *mask, int *fuse_fd);

#endif
