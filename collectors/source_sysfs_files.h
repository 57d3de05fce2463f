/* source_sysfs_files - the kept-open files of one GPU, and which hwmon channel is which sensor. */
#ifndef COLLECTORS_SOURCE_SYSFS_FILES_H
#define COLLECTORS_SOURCE_SYSFS_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collectors/metric.h"

#define SYSFS_FILES_MAX 64

struct sysfs_file {
	char name[40]; /* below the device, or "hwmon/NAME" whatever the hwmon's number */
	int fd;        /* -1: closed */
	int error;     /* of opening it, 0: not tried or open */
};

struct sysfs_files {
	int dir;   /* /sys/bus/pci/devices/<address>, O_PATH */
	int hwmon; /* its hwmon directory, O_PATH; -1 none */
	int hwmon_number;
	unsigned int age; /* passes since the last look for files that were missing */
	bool stale;       /* something went away: look again */
	int sensor[3];    /* channel N of temp<N>_input by enum sensor, 0: none */
	int clock[2];     /* channel N of freq<N>_input by enum clock_domain, 0: none */
	unsigned int count;
	struct sysfs_file file[SYSFS_FILES_MAX];
};

/* 0, or -errno where the device is not there. */
int sysfs_files_open(struct sysfs_files *files, const char *sysfs, const char *pci);
void sysfs_files_close(struct sysfs_files *files);

/* Start of a pass: forgets what went away in the one before, and looks now and then for what was missing. */
void sysfs_files_begin(struct sysfs_files *files);

/* Reads a file. Length/0, or -errno; -EOPNOTSUPP where the card has no such file or the driver says so for it. */
int sysfs_files_text(struct sysfs_files *files, const char *name, char *to, size_t size);
ssize_t sysfs_files_binary(struct sysfs_files *files, const char *name, void *to, size_t size);

/* A number; -ERANGE for the sentinels of 32 and 64 bits. */
int sysfs_files_int64(struct sysfs_files *files, const char *name, int64_t *ret);

/* hwmon channel of the sensor (edge, junction, memory) or clock (gfx, memory): from 1, or 0. */
int sysfs_files_sensor(struct sysfs_files *files, enum sensor sensor);
int sysfs_files_clock(struct sysfs_files *files, enum clock_domain domain);

#endif
