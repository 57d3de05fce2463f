/* journal - where the daemon speaks: the systemd journal if one listens, and standard error unless that is the journal.
 *
 * Any thread, after journal_init(). journal.c is the only includer of <systemd/sd-journal.h>. */
#ifndef SYSTEMD_JOURNAL_H
#define SYSTEMD_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

/* As syslog numbers them. */
enum log_priority {
	LOG_PRIORITY_CRITICAL = 2,
	LOG_PRIORITY_ERROR = 3,
	LOG_PRIORITY_WARNING = 4,
	LOG_PRIORITY_NOTICE = 5,
	LOG_PRIORITY_INFO = 6,
};

#define JOURNAL_SOCKET "/run/systemd/journal/socket"
#define JOURNAL_FIELDS_MAX 24

/* Looks once where messages have to go: sd_journal_send() says 0 also when nobody listens, so it cannot tell. */
void journal_init(void);

/* From here on a thread of its own delivers what is said: who says it never waits for a journal or a pipe. Without it,
 * journal_log() delivers itself. */
void journal_start(void);

/* Waits half a second at most for what is not delivered yet. */
void journal_stop(void);

/* One entry. `message_id` (message_ids.h) and `fields` ("GPU=3", …, NULL) may be NULL. Control characters in the text
 * become spaces: one entry is one line on standard error. */
void journal_log(int priority, const char *message_id, const char *const fields[], const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#define log_error(...) journal_log(LOG_PRIORITY_ERROR, NULL, NULL, __VA_ARGS__)
#define log_warning(...) journal_log(LOG_PRIORITY_WARNING, NULL, NULL, __VA_ARGS__)
#define log_notice(...) journal_log(LOG_PRIORITY_NOTICE, NULL, NULL, __VA_ARGS__)
#define log_info(...) journal_log(LOG_PRIORITY_INFO, NULL, NULL, __VA_ARGS__)

/* Whether a datagram socket with that path takes messages. */
bool journal_listens(const char *path);

/* Whether `stream` ("device:inode", what JOURNAL_STREAM says; NULL: unset) is the open file `fd`. */
bool journal_is_stream(const char *stream, int fd);

/* The line for standard error, with its end; `<4>` before it where a journal reads it from there. Returns its length.
 */
size_t journal_line(bool with_priority, int priority, const char *text, char *to, size_t size);

#endif
