/* test_journal - entries, their rate, the catalog, and what the service manager is told. */
#include "tests/unit/test.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/alert_journal.h"
#include "systemd/message_ids.h"
#include "systemd/notify.h"

#define SECOND 1000000000ull

/* ---- where messages go ---- */

/* A datagram socket in a fresh directory. */
static int listening_socket(char *directory, char *path, size_t size)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	assert_non_null(mkdtemp(directory));
	snprintf(path, size, "%s/socket", directory);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	return fd;
}

static void a_journal_listens_or_not(void **state)
{
	char directory[] = "/tmp/rocwatch-journal-XXXXXX", path[64];
	int fd = listening_socket(directory, path, sizeof(path));

	(void)state;
	assert_true(journal_listens(path));
	close(fd);
	assert_false(journal_listens(path)); /* the file is there, nobody behind it */
	unlink(path);
	rmdir(directory);
	assert_false(journal_listens(path));
	assert_false(journal_listens("/dev/null"));
}

static void a_stream_is_known_by_its_inode(void **state)
{
	struct stat st;
	char stream[64];
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(fstat(ends[1], &st), 0);
	snprintf(stream, sizeof(stream), "%ju:%ju", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino);
	assert_true(journal_is_stream(stream, ends[1]));
	assert_false(journal_is_stream(stream, STDERR_FILENO));
	assert_false(journal_is_stream("8:1", ends[1]));
	assert_false(journal_is_stream("", ends[1]));
	assert_false(journal_is_stream(NULL, ends[1]));
	close(ends[0]);
	close(ends[1]);
}

static void lines_of_standard_error(void **state)
{
	char line[32];

	(void)state;
	assert_int_equal(journal_line(false, 4, "GPU 3 hot", line, sizeof(line)), 10);
	assert_string_equal(line, "GPU 3 hot\n");
	journal_line(true, 2, "GPU 3\nhot\x1b[31m", line, sizeof(line));
	assert_string_equal(line, "<2>GPU 3 hot [31m\n");
	assert_int_equal(journal_line(false, 4, "a text that is longer than the room", line, 12), 11);
	assert_string_equal(line, "a text tha\n");
}

/* Before journal_init() nothing goes to a journal: the test machine's own one stays clean. */
static void without_a_journal_it_is_standard_error(void **state)
{
	int ends[2], saved = dup(STDERR_FILENO);
	char text[256];
	ssize_t n;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], STDERR_FILENO);
	log_warning("GPU %d is %s", 3, "hot");
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(ends[1]);
	n = read(ends[0], text, sizeof(text) - 1);
	close(ends[0]);
	assert_true(n > 0);
	text[n] = '\0';
	assert_string_equal(text, "GPU 3 is hot\n");
}

/* ---- alerts ---- */

static struct rules *load(const char *text)
{
	struct rule_text shipped = { "test.conf", text };
	struct problems problems = { 0 };
	struct rules *rules;

	assert_int_equal(rules_load(&shipped, 1, NULL, &rules, &problems), 0);
	return rules;
}

/* The text after "NAME=" among an entry's fields, or NULL. */
static const char *field(const struct alert_entry *entry, const char *name)
{
	size_t length = strlen(name), i;

	for (i = 0; entry->fields[i] != NULL; i++)
		if (strncmp(entry->fields[i], name, length) == 0 && entry->fields[i][length] == '=')
			return entry->fields[i] + length + 1;
	return NULL;
}

static struct alert_event hot(const struct rule *rule)
{
	return (struct alert_event){
		.rule = rule,
		.gpu = 3,
		.pci = "0000:c3:00.0",
		.gpu_name = "Instinct MI210",
		.row = metric_row(Q_TEMPERATURE, SENSOR_JUNCTION),
		.from = ALERT_PENDING,
		.to = ALERT_FIRING,
		.judgement = { .verdict = VERDICT_BAD, .value = 96.5, .limit = 95, .reading = 96.5 },
		.duration_ns = 10 * SECOND,
	};
}

static void fields_of_an_alert(void **state)
{
	struct rules *rules = load("[alert hot]\nkind = threshold\nmetric = amdgpu_temperature_celsius{sensor=\"junction\"}\n"
				   "above = 95C\nseverity = critical\nrunbook = docs/runbook.md#hot\n");
	struct alert_event event = hot(rules->list[0]);
	struct alert_entry entry;

	(void)state;
	alert_entry_make(&event, &entry);
	assert_int_equal(entry.priority, 2);
	assert_string_equal(entry.message_id, MESSAGE_ALERT_FIRING);
	assert_non_null(strstr(entry.message, "GPU 3 (0000:c3:00.0) junction temperature"));
	assert_string_equal(field(&entry, "GPU"), "3");
	assert_string_equal(field(&entry, "PCI_ADDRESS"), "0000:c3:00.0");
	assert_string_equal(field(&entry, "RULE"), "hot");
	assert_string_equal(field(&entry, "STATE"), "firing");
	assert_string_equal(field(&entry, "SEVERITY"), "critical");
	assert_string_equal(field(&entry, "METRIC"), "amdgpu_temperature_celsius{sensor=\"junction\"}");
	assert_string_equal(field(&entry, "VALUE"), "96.5");
	assert_string_equal(field(&entry, "THRESHOLD"), "95");
	assert_string_equal(field(&entry, "GPU_NAME"), "Instinct MI210");
	assert_string_equal(field(&entry, "RUNBOOK"), "docs/runbook.md#hot");
	event.from = ALERT_FIRING;
	event.to = ALERT_INACTIVE;
	alert_entry_make(&event, &entry);
	assert_int_equal(entry.priority, 5);
	assert_string_equal(entry.message_id, MESSAGE_ALERT_RESOLVED);
	assert_string_equal(field(&entry, "STATE"), "resolved");
	rules_free(rules);
}

static void an_alert_without_figures(void **state)
{
	struct rules *rules = load("[alert gone]\nkind = absent\nseverity = info\n");
	struct alert_event event = hot(rules->list[0]);
	struct alert_entry entry;

	(void)state;
	event.row = -1;
	event.gpu_name = "";
	event.judgement = (struct judgement){ .verdict = VERDICT_BAD, .value = NAN, .limit = 5, .state = GPU_LOST };
	alert_entry_make(&event, &entry);
	assert_int_equal(entry.priority, 6);
	assert_string_equal(field(&entry, "METRIC"), "amdgpu_up");
	assert_null(field(&entry, "VALUE"));
	assert_null(field(&entry, "GPU_NAME"));
	assert_string_equal(field(&entry, "THRESHOLD"), "5");
	rules_free(rules);
}

/* ---- the limit on their rate ---- */

static unsigned int taken(struct alert_limit *limit, bool critical, uint64_t now_ns, unsigned int tries)
{
	unsigned int n = 0;

	while (tries-- > 0)
		n += alert_limit_take(limit, critical, now_ns);
	return n;
}

static void a_burst_is_limited(void **state)
{
	struct alert_limit limit;
	uint64_t now = 1000 * SECOND;

	(void)state;
	alert_limit_init(&limit, 120);
	assert_int_equal(taken(&limit, false, now, 200), 90);
	assert_int_equal(taken(&limit, true, now, 200), 30); /* kept for what is critical */
	assert_int_equal(limit.suppressed, 280);
	assert_int_equal(alert_limit_report(&limit, now), 0); /* not into the storm */
	assert_int_equal(taken(&limit, true, now + SECOND, 10), 2);
	assert_int_equal(alert_limit_report(&limit, now + 32 * SECOND), 288);
	assert_int_equal(alert_limit_report(&limit, now + 33 * SECOND), 0); /* told once */
	assert_int_equal(limit.suppressed, 288);
	assert_int_equal(taken(&limit, true, now + 200 * SECOND, 200), 120);
	alert_limit_init(&limit, 0);
	assert_int_equal(taken(&limit, true, now, 5), 0);
}

/* ---- the catalog ---- */

/* A file whole, or NULL. */
static char *slurp(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text;
	size_t n;

	if (file == NULL)
		return NULL;
	text = calloc(1, 1 << 17);
	n = fread(text, 1, (1 << 17) - 1, file);
	text[n] = '\0';
	fclose(file);
	return text;
}

static void every_message_has_a_catalog_entry(void **state)
{
	char *ids = slurp("systemd/message_ids.h"), *catalog = slurp("systemd/rocwatch.catalog");
	unsigned int found = 0;
	char *at, entry[48];

	(void)state;
	if (ids == NULL || catalog == NULL) {
		free(ids);
		free(catalog);
		skip_because("systemd/rocwatch.catalog is not below the current directory");
	}
	for (at = ids; (at = strstr(at, "#define MESSAGE_")) != NULL; at++) {
		const char *id = strchr(at, '"') + 1;

		assert_int_equal(strspn(id, "0123456789abcdef"), 32);
		snprintf(entry, sizeof(entry), "\n-- %.32s\nSubject: ", id);
		if (strstr(catalog, entry) == NULL)
			fail_msg("no entry for %.48s", at);
		found++;
	}
	assert_int_equal(found, 14);
	free(ids);
	free(catalog);
}

static void journalctl_reads_the_catalog(void **state)
{
	char root[] = "/tmp/rocwatch-catalog-XXXXXX", command[512];
	int r;

	(void)state;
	if (access("systemd/rocwatch.catalog", R_OK) < 0)
		skip_because("systemd/rocwatch.catalog is not below the current directory");
	if (system("command -v journalctl >/dev/null 2>&1") != 0)
		skip_because("there is no journalctl");
	assert_non_null(mkdtemp(root));
	snprintf(command, sizeof(command),
		 "mkdir -p %s/usr/lib/systemd/catalog %s/var/lib/systemd/catalog && "
		 "cp systemd/rocwatch.catalog %s/usr/lib/systemd/catalog/ && "
		 "journalctl --root=%s --update-catalog 2>%s/said && ! grep . %s/said && "
		 "test $(journalctl --root=%s --list-catalog | grep -c rocwatch) -eq 14",
		 root, root, root, root, root, root, root);
	r = system(command);
	snprintf(command, sizeof(command), "rm -rf %s", root);
	assert_int_equal(system(command), 0);
	assert_int_equal(r, 0);
}

/* ---- the service manager ---- */

static void expect_datagram(int fd, const char *text)
{
	char got[512];
	ssize_t n = recv(fd, got, sizeof(got) - 1, 0);

	assert_true(n > 0);
	got[n] = '\0';
	assert_memory_equal(got, text, strlen(text));
}

static void the_manager_is_told(void **state)
{
	char directory[] = "/tmp/rocwatch-notify-XXXXXX", path[64];
	int fd = listening_socket(directory, path, sizeof(path));

	(void)state;
	setenv("NOTIFY_SOCKET", path, 1);
	notify_ready();
	expect_datagram(fd, "READY=1");
	notify_reloading();
	expect_datagram(fd, "RELOADING=1\nMONOTONIC_USEC=");
	notify_status("%d GPUs, %d alerts firing", 8, 1);
	expect_datagram(fd, "STATUS=8 GPUs, 1 alerts firing");
	notify_watchdog();
	expect_datagram(fd, "WATCHDOG=1");
	notify_stopping();
	expect_datagram(fd, "STOPPING=1");
	unsetenv("NOTIFY_SOCKET");
	notify_ready(); /* nobody to tell: nothing happens */
	close(fd);
	unlink(path);
	rmdir(directory);
}

static void the_watchdog_interval(void **state)
{
	(void)state;
	unsetenv("WATCHDOG_PID");
	unsetenv("WATCHDOG_USEC");
	assert_int_equal(notify_watchdog_interval_ns(), 0);
	setenv("WATCHDOG_USEC", "30000000", 1);
	assert_int_equal(notify_watchdog_interval_ns(), 15 * SECOND);
	unsetenv("WATCHDOG_USEC");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_journal_listens_or_not),
		cmocka_unit_test(a_stream_is_known_by_its_inode),
		cmocka_unit_test(lines_of_standard_error),
		cmocka_unit_test(without_a_journal_it_is_standard_error),
		cmocka_unit_test(fields_of_an_alert),
		cmocka_unit_test(an_alert_without_figures),
		cmocka_unit_test(a_burst_is_limited),
		cmocka_unit_test(every_message_has_a_catalog_entry),
		cmocka_unit_test(journalctl_reads_the_catalog),
		cmocka_unit_test(the_manager_is_told),
		cmocka_unit_test(the_watchdog_interval),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
