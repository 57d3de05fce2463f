/* request - one line from the control socket, and the verbs that are about files. */
#ifndef SIM_REQUEST_H
#define SIM_REQUEST_H

struct gpu;
struct machine;
struct record;
struct session;
struct text;

/* One request for one card. `words` is what is left of the line. */
struct request {
	struct session *session;
	struct machine *machine;
	struct gpu *gpu;
	char *words;
	struct text *answer;
	int gpus; /* how many cards the line is for */
};

/* Puts "error: …" in place of the answer; -EINVAL. */
int request_refuse(struct request *request, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The record of a file a card has or had, or NULL. */
struct record *request_record(struct gpu *gpu, const char *file);

/* The verbs: 0, or negative after request_refuse(). */
int request_set(struct request *request);
int request_load(struct request *request);
int request_delete(struct request *request);
int request_get(struct request *request);
int request_fault(struct request *request);
int request_clear(struct request *request);
int request_reads(struct request *request);

#endif
