/* control - see the header. */
#include "tests/sim/control.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/sim/text.h"

#define REQUEST_MAX 65536
#define APPEAR_MS 5000 /* how long a client waits for the socket of a node that just starts */

struct client {
	int fd; /* -1: free */
	struct text request;
};

struct control {
	char path[sizeof(((struct sockaddr_un *)NULL)->sun_path)];
	int listener;
	struct client clients[CONTROL_CLIENTS];
};

static int address_of(const char *path, struct sockaddr_un *ret)
{
	*ret = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof(ret->sun_path))
		return -ENAMETOOLONG;
	snprintf(ret->sun_path, sizeof(ret->sun_path), "%s", path);
	return 0;
}

/* Connects, or -errno. */
static int path_connect(const char *path)
{
	struct sockaddr_un address;
	int fd, r = address_of(path, &address);

	if (r < 0)
		return r;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	r = -errno;
	close(fd);
	return r;
}

static int path_listen(const char *path)
{
	struct sockaddr_un address;
	int fd, r = address_of(path, &address);

	if (r < 0)
		return r;
	fd = path_connect(path);
	if (fd >= 0) {
		close(fd);
		return -EADDRINUSE;
	}
	if (fd == -ECONNREFUSED)
		unlink(path); /* left by one that was killed */
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
	    listen(fd, CONTROL_CLIENTS) < 0) {
		r = -errno;
		if (fd >= 0)
			close(fd);
		return r;
	}
	return fd;
}

struct control *control_new(const char *path)
{
	struct control *control = text_zalloc(sizeof(*control));
	int i;

	control->listener = -1;
	for (i = 0; i < CONTROL_CLIENTS; i++)
		control->clients[i].fd = -1;
	if (!path)
		return control;
	control->listener = path_listen(path);
	if (control->listener < 0) {
		fprintf(stderr, "rocwatch-sim: cannot listen at %s: %s\n", path,
			strerror(-control->listener));
		free(control);
		return NULL;
	}
	snprintf(control->path, sizeof(control->path), "%s", path);
	return control;
}

static void client_end(struct client *client)
{
	close(client->fd);
	client->fd = -1;
	text_fini(&client->request);
}

void control_free(struct control *control)
{
	int i;

	if (!control)
		return;
	for (i = 0; i < CONTROL_CLIENTS; i++)
		if (control->clients[i].fd >= 0)
			client_end(&control->clients[i]);
	if (control->listener >= 0) {
		close(control->listener);
		unlink(control->path);
	}
	free(control);
}

int control_poll(const struct control *control, struct pollfd *polls)
{
	int i;

	polls[0] = (struct pollfd){ .fd = control->listener, .events = POLLIN };
	for (i = 0; i < CONTROL_CLIENTS; i++)
		polls[i + 1] = (struct pollfd){ .fd = control->clients[i].fd, .events = POLLIN };
	return CONTROL_CLIENTS + 1;
}

static void client_answer(struct session *session, struct client *client)
{
	struct text answer = { 0 };
	size_t sent = 0;
	ssize_t r;

	request_run(session, client->request.bytes, &answer);
	while (sent < answer.size) {
		r = send(client->fd, answer.bytes + sent, answer.size - sent, MSG_NOSIGNAL);
		if (r <= 0)
			break;
		sent += r;
	}
	text_fini(&answer);
}

static void client_serve(struct session *session, struct client *client)
{
	char chunk[4096];
	ssize_t got = recv(client->fd, chunk, sizeof(chunk), MSG_DONTWAIT);
	char *end;

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got > 0)
		text_add(&client->request, chunk, got);
	if (got <= 0 || client->request.size > REQUEST_MAX) {
		client_end(client);
		return;
	}
	end = strchr(client->request.bytes, '\n');
	if (!end)
		return;
	*end = '\0';
	client_answer(session, client);
	client_end(client);
}

void control_serve(struct control *control, struct session *session, const struct pollfd *polls)
{
	int i, fd;

	for (i = 0; i < CONTROL_CLIENTS; i++)
		if (control->clients[i].fd >= 0 && polls[i + 1].revents)
			client_serve(session, &control->clients[i]);
	for (i = 0; i < CONTROL_CLIENTS && polls[0].revents; i++) {
		if (control->clients[i].fd >= 0)
			continue;
		fd = accept4(control->listener, NULL, NULL, SOCK_CLOEXEC);
		if (fd < 0)
			return;
		control->clients[i].fd = fd;
	}
}

static int appearing_connect(const char *path)
{
	int waited, fd;

	for (waited = 0;; waited += 20) {
		fd = path_connect(path);
		if ((fd != -ENOENT && fd != -ECONNREFUSED) || waited >= APPEAR_MS)
			return fd;
		usleep(20000);
	}
}

/* Words with blanks between; a line break within one is sent as its escape. */
static void request_make(char *const *words, struct text *request)
{
	const char *c;

	for (; *words; words++) {
		for (c = *words; *c; c++)
			text_put(request, *c == '\n' ? "\\n" : "%c", *c);
		text_put(request, words[1] ? " " : "\n");
	}
}

int control_ask(const char *path, char *const *words)
{
	struct text request = { 0 }, answer = { 0 };
	char chunk[4096];
	ssize_t got;
	int fd = appearing_connect(path), is_error;

	if (fd < 0) {
		fprintf(stderr, "rocwatch-sim: %s: %s\n", path, strerror(-fd));
		return 1;
	}
	request_make(words, &request);
	if (send(fd, request.bytes, request.size, MSG_NOSIGNAL) != (ssize_t)request.size)
		perror("rocwatch-sim: send");
	while ((got = recv(fd, chunk, sizeof(chunk), 0)) > 0)
		text_add(&answer, chunk, got);
	close(fd);
	is_error = answer.size >= 7 && strncmp(answer.bytes, "error: ", 7) == 0;
	if (is_error)
		fprintf(stderr, "rocwatch-sim: %s", answer.bytes + 7);
	else if (answer.size)
		fwrite(answer.bytes, 1, answer.size, stdout);
	text_fini(&request);
	text_fini(&answer);
	return is_error;
}
