/* journal - see the header. */
#include "systemd/journal.h"
#include "systemd/journal_queue.h"

#define SD_JOURNAL_SUPPRESS_LOCATION /* this file's lines tell nobody anything */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <systemd/sd-journal.h>
#include <unistd.h>

#define TEXT_SIZE 2048
#define STOP_PATIENCE_NS 500000000u

/* Set once, before there are threads. */
static bool to_journal, stderr_is_journal;

bool journal_listens(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd, r;

	if (strlen(path) >= sizeof(address.sun_path))
		return false;
	strcpy(address.sun_path, path);
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return false;
	r = connect(fd, (const struct sockaddr *)&address, sizeof(address));
	close(fd);
	return r == 0;
}

bool journal_is_stream(const char *stream, int fd)
{
	struct stat st;
	char own[64];

	if (stream == NULL || fstat(fd, &st) < 0)
		return false;
	snprintf(own, sizeof(own), "%ju:%ju", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino);
	return strcmp(own, stream) == 0;
}

void journal_init(void)
{
	to_journal = journal_listens(JOURNAL_SOCKET);
	stderr_is_journal = journal_is_stream(getenv("JOURNAL_STREAM"), STDERR_FILENO);
}

size_t journal_line(bool with_priority, int priority, const char *text, char *to, size_t size)
{
	int n = with_priority ? snprintf(to, size, "<%d>%s", priority, text) : snprintf(to, size, "%s", text);
	size_t length = n < 0 ? 0 : (size_t)n, i;

	if (length > size - 2)
		length = size - 2;
	for (i = 0; i < length; i++)
		if ((unsigned char)to[i] < ' ' || to[i] == 0x7f)
			to[i] = ' ';
	to[length++] = '\n';
	to[length] = '\0';
	return length;
}

/* One write, so that lines of several threads do not mix. A full pipe or a closed terminal loses the line. */
static void say_on_stderr(int priority, const char *text)
{
	char line[TEXT_SIZE + 8];
	size_t length = journal_line(stderr_is_journal, priority, text, line, sizeof(line));

	if (write(STDERR_FILENO, line, length) < 0)
		return;
}

static void add_field(struct iovec *vector, int *count, const char *text)
{
	vector[*count].iov_base = (char *)text;
	vector[*count].iov_len = strlen(text);
	(*count)++;
}

static void send_entry(int priority, const char *message_id, const char *const fields[], const char *text)
{
	struct iovec vector[JOURNAL_FIELDS_MAX + 4];
	char message[TEXT_SIZE + 8], level[16], id[48];
	int count = 0, i;

	snprintf(message, sizeof(message), "MESSAGE=%s", text);
	snprintf(level, sizeof(level), "PRIORITY=%d", priority);
	add_field(vector, &count, message);
	add_field(vector, &count, level);
	add_field(vector, &count, "SYSLOG_IDENTIFIER=rocwatchd");
	if (message_id != NULL) {
		snprintf(id, sizeof(id), "MESSAGE_ID=%s", message_id);
		add_field(vector, &count, id);
	}
	for (i = 0; fields != NULL && fields[i] != NULL && i < JOURNAL_FIELDS_MAX; i++)
		add_field(vector, &count, fields[i]);
	sd_journal_sendv(vector, count);
}

static void deliver(const struct journal_entry *entry)
{
	if (to_journal)
		send_entry(entry->priority, entry->message_id, entry->fields, entry->text);
	if (!to_journal || !stderr_is_journal)
		say_on_stderr(entry->priority, entry->text);
}

void journal_start(void)
{
	journal_queue_start(deliver);
}

void journal_stop(void)
{
	journal_queue_stop(STOP_PATIENCE_NS);
}

void journal_log(int priority, const char *message_id, const char *const fields[], const char *format, ...)
{
	char text[TEXT_SIZE];
	struct journal_entry entry = { .priority = priority, .message_id = message_id, .fields = fields, .text = text };
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (!journal_queue_put(&entry))
		deliver(&entry);
}
