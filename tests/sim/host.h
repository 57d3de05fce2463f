/* host - what of /sys does not belong to a GPU: directories, CPUs, a display of the server's own,
 * other hwmons. */
#ifndef SIM_HOST_H
#define SIM_HOST_H

struct machine;
struct gpu;
struct node;

void host_build(struct machine *machine);

/* Sensors of the processor and of a disk, under the lowest hwmon numbers that are free. */
void host_hwmons(struct machine *machine);

/* The server's remote-management display: a card that is no amdgpu. */
void host_display(struct machine *machine);

/* Device directory of a PCI address, with the bridges above it. */
struct node *host_pci(struct machine *machine, unsigned int domain, unsigned int bus,
		      const char *bdf);

/* A drm minor below a device: dev, uevent, device, and its link in class/drm, which is returned. */
struct node *host_drm(struct machine *machine, struct node *device, const char *name, int minor);

#endif
