/* space - see the header. */
#include "tests/sim/space.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

static void die(const char *format, ...)
{
	va_list args;

	fprintf(stderr, "rocwatch-sim: ");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	_exit(125);
}

static void file_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die("%s: %s", path, strerror(errno));
	close(fd);
}

static void namespaces_enter(void)
{
	unsigned int uid = geteuid(), gid = getegid();
	char map[64];

	if (unshare(CLONE_NEWNS) == 0)
		return;
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		die("cannot make a mount namespace (%s): run as root, or allow user namespaces "
		    "(sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone)",
		    strerror(errno));
	file_write("/proc/self/setgroups", "deny");
	snprintf(map, sizeof(map), "0 %u 1", uid);
	file_write("/proc/self/uid_map", map);
	snprintf(map, sizeof(map), "0 %u 1", gid);
	file_write("/proc/self/gid_map", map);
}

/* Opened inside the namespaces: the kernel wants the mounter and the opener to be of one user
 * namespace. */
static int sys_mount(void)
{
	char options[128];
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die("/dev/fuse: %s: %s", strerror(errno),
		    errno == ENOENT ? "load the fuse module (modprobe fuse)"
				    : "run as root, or allow it (chmod 666 /dev/fuse)");
	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=40555,user_id=0,group_id=0,allow_other,default_permissions", fd);
	if (mount("rocwatch-sim", "/sys", "fuse", MS_NOSUID | MS_NODEV | MS_NOEXEC, options) < 0)
		die("cannot mount over /sys: %s", strerror(errno));
	return fd;
}

/* A failure to send shows as one to receive. */
static void fd_send(int socket, int fd)
{
	char byte = 0, control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec part = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	sendmsg(socket, &message, MSG_NOSIGNAL);
}

static int fd_receive(int socket)
{
	char byte, control[CMSG_SPACE(sizeof(int))];
	struct iovec part = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *header;
	int fd = -1;

	if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) <= 0)
		return -1;
	header = CMSG_FIRSTHDR(&message);
	if (header && header->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(header), sizeof(fd));
	return fd;
}

/* Brings the real control groups back into view; programs that look for their own can live without.
 */
static void cgroup_bind(int fd)
{
	char path[32];

	if (fd < 0)
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (mount(path, "/sys/fs/cgroup", NULL, MS_BIND | MS_REC, NULL) < 0)
		fprintf(stderr, "rocwatch-sim: /sys/fs/cgroup stays empty: %s\n", strerror(errno));
	close(fd);
}

static void child_run(char *const *command, const sigset_t *mask, int socket)
{
	int cgroup, fuse;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	namespaces_enter();
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		die("cannot make mounts private: %s", strerror(errno));
	cgroup = open("/sys/fs/cgroup", O_PATH | O_DIRECTORY | O_CLOEXEC);
	fuse = sys_mount();
	fd_send(socket, fuse);
	close(fuse);
	close(socket);
	if (access("/dev/shm", F_OK) == 0 &&
	    mount("rocwatch-sim", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777") < 0)
		die("cannot mount a private /dev/shm: %s", strerror(errno));
	cgroup_bind(cgroup);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(command[0], command);
	fprintf(stderr, "rocwatch-sim: %s: %s\n", command[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

pid_t space_start(char *const *command, const sigset_t *mask, int *fuse_fd)
{
	int pair[2], status;
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) {
		perror("rocwatch-sim: socketpair");
		return -1;
	}
	child = fork();
	if (child == 0) {
		close(pair[0]);
		child_run(command, mask, pair[1]);
	}
	close(pair[1]);
	*fuse_fd = child > 0 ? fd_receive(pair[0]) : -1;
	close(pair[0]);
	if (child > 0 && *fuse_fd < 0) {
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
		return -1;
	}
	return child;
}
