/* run - see the header. */
#include "tests/sim/run.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/sim/control.h"
#include "tests/sim/fs.h"
#include "tests/sim/machine.h"
#include "tests/sim/space.h"

#define GRACE_S 10.0 /* a command that was told to end gets this long while a read of it hangs */
#define KILL_S 5.0   /* and this long after that, or after `quit` */

struct node_run {
	struct session session;
	struct control *control;
	int signals;
	int status;	/* of the command, once `is_over` */
	bool is_over;
	double told;	/* when it was told to end, 0: was not */
	double released; /* when hung reads were let go, 0: were not */
};

static double monotonic(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec * 1e-9;
}

/* Takes the command's status if it has one; waits for it unless `options` says not to. */
static void reap(struct node_run *run, int options)
{
	int status;

	if (waitpid(run->session.command, &status, options) != run->session.command)
		return;
	run->is_over = true;
	run->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void signal_take(struct node_run *run)
{
	struct signalfd_siginfo info;

	if (read(run->signals, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGCHLD) {
		reap(run, WNOHANG);
		return;
	}
	if (info.ssi_code != SI_KERNEL) /* the terminal tells the command itself */
		kill(run->session.command, info.ssi_signo);
	if (run->told <= 0)
		run->told = monotonic();
}

/* Ends that do not come by themselves. Milliseconds to the next step, or -1. */
static int end_press(struct node_run *run)
{
	double now = monotonic();

	if (run->session.is_quitting && run->released <= 0) {
		kill(run->session.command, SIGTERM);
		run->told = now - GRACE_S;
	}
	if (run->told <= 0)
		return -1;
	if (run->released <= 0 && now >= run->told + GRACE_S) {
		fs_abort(run->session.fs);
		run->released = now;
	}
	if (run->released > 0 && now >= run->released + KILL_S)
		kill(run->session.command, SIGKILL);
	return 200;
}

static int sooner(int a, int b)
{
	if (a < 0 || b < 0)
		return a < 0 ? b : a;
	return a < b ? a : b;
}

static void loop(struct node_run *run)
{
	struct pollfd polls[CONTROL_CLIENTS + 3];
	int count, wait;

	while (!run->is_over) {
		polls[0] = (struct pollfd){ .fd = fs_fd(run->session.fs), .events = POLLIN };
		polls[1] = (struct pollfd){ .fd = run->signals, .events = POLLIN };
		count = 2 + control_poll(run->control, polls + 2);
		wait = sooner(fs_due(run->session.fs), end_press(run));
		if (poll(polls, count, wait) <= 0)
			continue;
		if (polls[1].revents)
			signal_take(run);
		if (polls[0].revents && fs_process(run->session.fs) < 0) {
			reap(run, 0); /* its namespace is gone, so it is, or soon */
			return;
		}
		control_serve(run->control, &run->session, polls + 2);
	}
}

int run_command(struct machine *machine, const char *control, char *const *command)
{
	struct node_run run = { .session.machine = machine, .status = 125 };
	sigset_t wanted, before;
	int fuse;

	run.control = control_new(control);
	if (!run.control)
		return 125;
	sigemptyset(&wanted);
	sigaddset(&wanted, SIGINT);
	sigaddset(&wanted, SIGTERM);
	sigaddset(&wanted, SIGHUP);
	sigaddset(&wanted, SIGCHLD);
	sigprocmask(SIG_BLOCK, &wanted, &before);
	run.signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
	run.session.command = space_start(command, &before, &fuse);
	if (run.session.command > 0) {
		run.session.fs = fs_new(machine, fuse);
		if (run.session.fs)
			loop(&run);
		else
			kill(run.session.command, SIGKILL);
		fs_free(run.session.fs);
	}
	control_free(run.control);
	close(run.signals);
	return run.status;
}
