/* run - one node: a machine, its file system, its control socket, and the command that lives in it.
 */
#ifndef SIM_RUN_H
#define SIM_RUN_H

struct machine;

/* Runs a command on a machine until it ends; `control` is a socket path or NULL. Exit status of the
 * command, 128+N after signal N, or 125 where it could not be started. */
int run_command(struct machine *machine, const char *control, char *const *command);

#endif
