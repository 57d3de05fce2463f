/* journal_queue - see the header. */
#include "systemd/journal_queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all below */
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
static struct journal_entry *first, **end = &first;
static unsigned int waiting; /* in the queue, or being delivered */
static uint64_t dropped;
static bool running, has_thread;
static void (*deliver_entry)(const struct journal_entry *entry);

static size_t fields_size(const char *const *fields, size_t *ret_count)
{
	size_t size = 0, n;

	for (n = 0; fields != NULL && fields[n] != NULL; n++)
		size += strlen(fields[n]) + 1;
	*ret_count = n;
	return size;
}

/* The entry, its list of fields, their texts and its own text, in one piece of memory. */
static struct journal_entry *copy_entry(const struct journal_entry *entry)
{
	size_t count, bytes = fields_size(entry->fields, &count), i;
	size_t head = sizeof(struct journal_entry) + (count + 1) * sizeof(char *);
	struct journal_entry *copy = malloc(head + bytes + strlen(entry->text) + 1);
	const char **fields;
	char *room;

	if (copy == NULL)
		return NULL;
	fields = (const char **)(copy + 1);
	room = (char *)copy + head;
	*copy = (struct journal_entry){ .priority = entry->priority,
					.message_id = entry->message_id,
					.fields = fields };
	for (i = 0; i < count; i++) {
		fields[i] = room;
		room = stpcpy(room, entry->fields[i]) + 1;
	}
	fields[count] = NULL;
	copy->text = room;
	strcpy(room, entry->text);
	return copy;
}

static void *deliver_all(void *argument)
{
	(void)argument;
	pthread_mutex_lock(&lock);
	for (;;) {
		void (*deliver)(const struct journal_entry *entry);
		struct journal_entry *entry;

		while (first == NULL)
			pthread_cond_wait(&filled, &lock);
		entry = first;
		first = entry->next;
		if (first == NULL)
			end = &first;
		deliver = deliver_entry;
		pthread_mutex_unlock(&lock);
		deliver(entry); /* may wait for as long as it likes */
		free(entry);
		pthread_mutex_lock(&lock);
		waiting--;
		if (waiting == 0)
			pthread_cond_broadcast(&emptied);
	}
	return NULL;
}

static bool start_thread(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	bool started;

	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	started = pthread_create(&thread, &attributes, deliver_all, NULL) == 0;
	pthread_attr_destroy(&attributes);
	return started;
}

bool journal_queue_start(void (*deliver)(const struct journal_entry *entry))
{
	bool started;

	pthread_mutex_lock(&lock);
	deliver_entry = deliver;
	has_thread = has_thread || start_thread();
	running = started = has_thread;
	pthread_mutex_unlock(&lock);
	return started;
}

bool journal_queue_put(const struct journal_entry *entry)
{
	struct journal_entry *copy;
	bool taken;

	pthread_mutex_lock(&lock);
	taken = running;
	copy = taken && waiting < QUEUE_MOST ? copy_entry(entry) : NULL;
	if (copy != NULL) {
		*end = copy;
		end = &copy->next;
		waiting++;
		pthread_cond_signal(&filled);
	} else {
		dropped += taken;
	}
	pthread_mutex_unlock(&lock);
	return taken;
}

void journal_queue_stop(uint64_t patience_ns)
{
	struct timespec until;
	int r = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += (time_t)(patience_ns / 1000000000u);
	until.tv_nsec += (long)(patience_ns % 1000000000u);
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&lock);
	while (running && waiting > 0 && r == 0)
		r = pthread_cond_timedwait(&emptied, &lock, &until);
	running = false;
	pthread_mutex_unlock(&lock);
}

uint64_t journal_queue_dropped(void)
{
	uint64_t count;

	pthread_mutex_lock(&lock);
	count = dropped;
	pthread_mutex_unlock(&lock);
	return count;
}
