/* process - what the kernel says of our own processes, for the process_* families. */
#ifndef DAEMON_PROCESS_H
#define DAEMON_PROCESS_H

#include <sys/types.h>

struct process_figures {
	double cpu_seconds;                                      /* both processes, user and system */
	double resident_bytes, virtual_bytes, open_fds, max_fds; /* of this one */
	char driver_version[64], kernel[65];                     /* "" unknown */
};

void process_read(pid_t sampler, struct process_figures *ret);

#endif
