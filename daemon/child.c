/* child - see the header. */
#include "daemon/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/sampler.h"

#define SHORT_LIFE_NS 60000000000ull
#define HELD_NS 200000000ull
#define BACK_OFF_FIRST_NS 100000000ull
#define BACK_OFF_MAX_NS 4000000000ull /* less than a sample may be old: each try gives one */

void child_init(struct child *child)
{
	memset(child, 0, sizeof(*child));
	child->control = child->output = -1;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Puts `from` at the number `to`, kept open over exec. Async-signal-safe. */
static bool place_fd(int from, int to)
{
	return dup2(from, to) == to && fcntl(to, F_SETFD, 0) == 0;
}

/* In the new process: descriptors to their places, then the binary anew. Only async-signal-safe calls. */
static void __attribute__((noreturn)) child_exec(int board_fd, int control, int output)
{
	static char *const arguments[] = { "rocwatchd", SAMPLER_ARGUMENT, NULL };
	extern char **environ;
	int null = open("/dev/null", O_RDWR);

	/* Above all places first, so that none overwrites another. */
	board_fd = fcntl(board_fd, F_DUPFD_CLOEXEC, 16);
	control = fcntl(control, F_DUPFD_CLOEXEC, 16);
	output = fcntl(output, F_DUPFD_CLOEXEC, 16);
	if (null >= 0 && place_fd(null, STDIN_FILENO) && place_fd(output, STDOUT_FILENO) &&
	    place_fd(output, STDERR_FILENO) && place_fd(board_fd, SAMPLER_BOARD_FD) &&
	    place_fd(control, SAMPLER_CONTROL_FD))
		execve("/proc/self/exe", arguments, environ);
	_exit(127);
}

int child_start(struct child *child, int board_fd, uint64_t now_ns)
{
	int control[2], output[2], r;
	pid_t pid;

	if (pipe2(control, O_CLOEXEC | O_NONBLOCK | O_DIRECT) < 0) /* O_DIRECT: a write is a message */
		return -errno;
	if (pipe2(output, O_CLOEXEC | O_NONBLOCK) < 0) {
		r = -errno;
		close(control[0]);
		close(control[1]);
		return r;
	}
	pid = fork();
	if (pid == 0)
		child_exec(board_fd, control[1], output[1]);
	r = pid < 0 ? -errno : 0;
	close(control[1]);
	close(output[1]);
	close_fd(&child->control);
	close_fd(&child->output);
	if (r < 0) {
		close(control[0]);
		close(output[0]);
		return r;
	}
	child->pid = pid;
	child->control = control[0];
	child->output = output[0];
	child->started_ns = now_ns;
	child->replaced_ns = child->held_ns = 0;
	return 0;
}

void child_ended(struct child *child, uint64_t now_ns, bool planned)
{
	uint64_t wait = 0;

	if (planned) {
		child->short_lives = 0;
	} else {
		child->short_lives = now_ns - child->started_ns < SHORT_LIFE_NS ? child->short_lives + 1 : 1;
		wait = child->short_lives > 9 ? BACK_OFF_MAX_NS : BACK_OFF_FIRST_NS << (child->short_lives - 1);
		if (wait > BACK_OFF_MAX_NS)
			wait = BACK_OFF_MAX_NS;
	}
	child->pid = 0;
	child->start_at_ns = now_ns + wait;
	child->restarts++;
}

bool child_reap(struct child *child, int *ret_status)
{
	bool ended = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != child->pid) {
			child->abandoned -= child->abandoned > 0;
			continue;
		}
		*ret_status = status;
		ended = true;
	}
	return ended;
}

static bool main_thread_is_dead(const struct child *child)
{
	char path[32], text[256], *state;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)child->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	state = strrchr(text, ')'); /* "36 (name) Z …" */
	return state != NULL && state[1] == ' ' && (state[2] == 'Z' || state[2] == 'X');
}

bool child_is_held(struct child *child, uint64_t now_ns)
{
	if (!main_thread_is_dead(child)) {
		child->held_ns = 0;
		return false;
	}
	/* The others of a process that ends need a moment too. */
	if (child->held_ns == 0)
		child->held_ns = now_ns;
	return now_ns - child->held_ns >= HELD_NS;
}

void child_kill(struct child *child, int sig, uint64_t now_ns)
{
	if (child->pid == 0)
		return;
	kill(child->pid, sig);
	if (child->replaced_ns == 0)
		child->replaced_ns = now_ns;
}

void child_abandon(struct child *child)
{
	kill(child->pid, SIGKILL);
	child->abandoned++;
	child->pid = 0;
	close_fd(&child->control);
	close_fd(&child->output);
}
