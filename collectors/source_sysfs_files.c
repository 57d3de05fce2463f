/* source_sysfs_files - see the header. */
#include "collectors/source_sysfs_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collectors/sysfs.h"

#define CHANNELS 8    /* hwmon temp<N>, freq<N> of amdgpu are few */
#define LOOK_AGAIN 30 /* passes between two looks for files that were missing */

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Channels by label. A lone temp1 without a label is the edge sensor (radeon, early amdgpu). */
static void map_channels(struct sysfs_files *files)
{
	static const char *const sensors[3] = {
		[SENSOR_EDGE] = "edge", [SENSOR_JUNCTION] = "junction", [SENSOR_MEMORY] = "mem"
	};
	static const char *const clocks[2] = { [CLOCK_GFX] = "sclk", [CLOCK_MEMORY] = "mclk" };
	char path[40], label[32];
	int n, i;

	memset(files->sensor, 0, sizeof(files->sensor));
	memset(files->clock, 0, sizeof(files->clock));
	for (n = 1; n <= CHANNELS; n++) {
		snprintf(path, sizeof(path), "temp%d_label", n);
		if (sysfs_text(files->hwmon, path, label, sizeof(label)) > 0)
			for (i = 0; i < 3; i++)
				if (strcmp(label, sensors[i]) == 0)
					files->sensor[i] = n;
		snprintf(path, sizeof(path), "freq%d_label", n);
		if (sysfs_text(files->hwmon, path, label, sizeof(label)) > 0)
			for (i = 0; i < 2; i++)
				if (strcmp(label, clocks[i]) == 0)
					files->clock[i] = n;
	}
	if (files->sensor[0] + files->sensor[1] + files->sensor[2] == 0 &&
	    faccessat(files->hwmon, "temp1_input", F_OK, 0) == 0)
		files->sensor[SENSOR_EDGE] = 1;
}

static void find_hwmon(struct sysfs_files *files)
{
	int number = sysfs_find_numbered(files->dir, "hwmon", "hwmon");
	char path[40];

	close_fd(&files->hwmon);
	files->hwmon_number = number;
	memset(files->sensor, 0, sizeof(files->sensor));
	memset(files->clock, 0, sizeof(files->clock));
	if (number < 0)
		return;
	snprintf(path, sizeof(path), "hwmon/hwmon%d", number);
	files->hwmon = openat(files->dir, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (files->hwmon >= 0)
		map_channels(files);
}

int sysfs_files_open(struct sysfs_files *files, const char *sysfs, const char *pci)
{
	char path[256];

	memset(files, 0, sizeof(*files));
	files->hwmon = -1;
	snprintf(path, sizeof(path), "%s/bus/pci/devices/%s", sysfs, pci);
	files->dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (files->dir < 0)
		return -errno;
	find_hwmon(files);
	return 0;
}

static void forget_files(struct sysfs_files *files)
{
	unsigned int i;

	for (i = 0; i < files->count; i++)
		close_fd(&files->file[i].fd);
	files->count = 0;
}

void sysfs_files_close(struct sysfs_files *files)
{
	forget_files(files);
	close_fd(&files->hwmon);
	close_fd(&files->dir);
}

void sysfs_files_begin(struct sysfs_files *files)
{
	unsigned int i;

	if (!files->stale && ++files->age < LOOK_AGAIN)
		return;
	files->age = 0;
	if (files->stale || sysfs_find_numbered(files->dir, "hwmon", "hwmon") != files->hwmon_number) {
		forget_files(files);
		find_hwmon(files);
	}
	files->stale = false;
	for (i = 0; i < files->count; i++)
		files->file[i].error = 0;
}

static struct sysfs_file *find_file(struct sysfs_files *files, const char *name)
{
	struct sysfs_file *file;
	unsigned int i;

	for (i = 0; i < files->count; i++)
		if (strcmp(files->file[i].name, name) == 0)
			return &files->file[i];
	if (files->count == SYSFS_FILES_MAX)
		return NULL;
	file = &files->file[files->count++];
	snprintf(file->name, sizeof(file->name), "%s", name);
	file->fd = -1;
	file->error = 0;
	return file;
}

/* The descriptor of a file, opened at first use; -errno. */
static int file_fd(struct sysfs_files *files, struct sysfs_file *file)
{
	static const char hwmon[] = "hwmon/";
	bool in_hwmon = strncmp(file->name, hwmon, sizeof(hwmon) - 1) == 0;

	if (file->fd >= 0)
		return file->fd;
	if (file->error != 0)
		return file->error;
	if (in_hwmon && files->hwmon < 0)
		return file->error = -ENOENT;
	file->fd = openat(in_hwmon ? files->hwmon : files->dir, file->name + (in_hwmon ? sizeof(hwmon) - 1 : 0),
			  O_RDONLY | O_CLOEXEC);
	if (file->fd < 0)
		file->error = -errno;
	return file->fd >= 0 ? file->fd : file->error;
}

/* What an error of a read means. A file that went away with its device is looked for again. */
static int judge_error(struct sysfs_files *files, struct sysfs_file *file, int error)
{
	switch (error) {
	case -ENODEV:
	case -EBADF:
	case -ESTALE:
	case -ENXIO:
		close_fd(&file->fd);
		files->stale = true;
		return error;
	case -ENOENT:
	case -ENOTDIR:
	case -ENOTSUP:
		return -EOPNOTSUPP;
	default:
		return error;
	}
}

ssize_t sysfs_files_binary(struct sysfs_files *files, const char *name, void *to, size_t size)
{
	struct sysfs_file *file = find_file(files, name);
	size_t length = 0;
	ssize_t n;
	int fd;

	if (file == NULL)
		return -ENFILE;
	fd = file_fd(files, file);
	if (fd < 0)
		return judge_error(files, file, fd);
	while (length < size) {
		n = pread(fd, (char *)to + length, size - length, (off_t)length);
		if (n < 0)
			return judge_error(files, file, -errno);
		if (n == 0)
			break;
		length += (size_t)n;
	}
	return (ssize_t)length;
}

int sysfs_files_text(struct sysfs_files *files, const char *name, char *to, size_t size)
{
	struct sysfs_file *file = find_file(files, name);
	int fd, r;

	if (file == NULL)
		return -ENFILE;
	fd = file_fd(files, file);
	r = fd < 0 ? fd : sysfs_text_fd(fd, to, size);
	return r < 0 ? judge_error(files, file, r) : r;
}

int sysfs_files_int64(struct sysfs_files *files, const char *name, int64_t *ret)
{
	char text[64];
	const char *end;
	int r = sysfs_files_text(files, name, text, sizeof(text));

	if (r < 0)
		return r;
	r = sysfs_parse(text, ret, &end);
	if (r < 0)
		return r;
	if (*end != '\0')
		return -EBADMSG;
	return *ret == UINT32_MAX || *ret == INT64_MAX ? -ERANGE : 0;
}

int sysfs_files_sensor(struct sysfs_files *files, enum sensor sensor)
{
	return files->sensor[sensor];
}

int sysfs_files_clock(struct sysfs_files *files, enum clock_domain domain)
{
	return files->clock[domain];
}
