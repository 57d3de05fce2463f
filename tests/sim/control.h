/* control - the socket through which a running node is changed: one request line, one answer, end
 * of file. */
#ifndef SIM_CONTROL_H
#define SIM_CONTROL_H

#include <poll.h>
#include <stdbool.h>
#include <sys/types.h>

struct fs;
struct machine;
struct text;

#define CONTROL_CLIENTS 16

/* What requests work on. */
struct session {
	struct machine *machine;
	struct fs *fs;
	pid_t command;
	bool is_quitting;
};

struct control;

/* Listens at a path (NULL: nowhere, which is no error); NULL on failure, told on stderr. */
struct control *control_new(const char *path);
void control_free(struct control *control);

/* Fills in what to poll (at most CONTROL_CLIENTS + 1), returns how many; then serves what came of
 * it. */
int control_poll(const struct control *control, struct pollfd *polls);
void control_serve(struct control *control, struct session *session, const struct pollfd *polls);

/* Carries out one request line; an answer that is an error starts with "error: ". */
void request_run(struct session *session, char *line, struct text *answer);

/* The client: sends words as a request and prints the answer; exit status. */
int control_ask(const char *path, char *const *words);

#endif
