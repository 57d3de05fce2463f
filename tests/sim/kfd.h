/* kfd - the KFD topology: one node per CPU socket, then one per GPU or partition, and the links
 * between them. */
#ifndef SIM_KFD_H
#define SIM_KFD_H

struct machine;

/* Makes the topology anew from the cards that are present. */
void kfd_build(struct machine *machine);

#endif
