/* process - see the header. From /proc and getrusage(2); nothing here belongs to a GPU. */
#include "daemon/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "collectors/sysfs.h"

static double seconds(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

/* utime and stime of a process that still runs, in seconds. */
static double running_cpu_seconds(pid_t pid)
{
	unsigned long user = 0, system = 0;
	char path[32], text[1024], *end;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (pid == 0 || sysfs_text(AT_FDCWD, path, text, sizeof(text)) < 0)
		return 0;
	end = strrchr(text, ')'); /* the name before it may hold anything */
	if (end == NULL || sscanf(end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
		return 0;
	return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static double count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;
	int n = -1; /* the directory's own */

	if (dir == NULL)
		return 0;
	while ((entry = readdir(dir)) != NULL)
		n += entry->d_name[0] != '.';
	closedir(dir);
	return n;
}

void process_read(pid_t sampler, struct process_figures *ret)
{
	unsigned long size = 0, resident = 0;
	struct rusage self, children;
	struct rlimit files = { 0 };
	struct utsname kernel;
	char text[128];

	memset(ret, 0, sizeof(*ret));
	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children); /* the samplers that ended */
	ret->cpu_seconds = seconds(&self.ru_utime) + seconds(&self.ru_stime) + seconds(&children.ru_utime) +
			   seconds(&children.ru_stime) + running_cpu_seconds(sampler);
	if (sysfs_text(AT_FDCWD, "/proc/self/statm", text, sizeof(text)) > 0 &&
	    sscanf(text, "%lu %lu", &size, &resident) == 2) {
		ret->virtual_bytes = (double)size * (double)sysconf(_SC_PAGESIZE);
		ret->resident_bytes = (double)resident * (double)sysconf(_SC_PAGESIZE);
	}
	ret->open_fds = count_fds();
	if (getrlimit(RLIMIT_NOFILE, &files) == 0)
		ret->max_fds = (double)files.rlim_cur;
	if (uname(&kernel) == 0)
		snprintf(ret->kernel, sizeof(ret->kernel), "%s", kernel.release);
	/* A file of the module, not of a card: it does not block. */
	if (sysfs_text(AT_FDCWD, "/sys/module/amdgpu/version", ret->driver_version, sizeof(ret->driver_version)) < 0)
		ret->driver_version[0] = '\0';
}
