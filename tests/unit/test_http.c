/* The listening end, spoken to over a real socket: methods, paths, odd requests, limits, several at once. */
#include "tests/unit/test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "exporter/http.h"

static struct http *http;

static int make(void *argument, const char *path, struct http_page *ret)
{
	(void)argument;
	if (strcmp(path, "/broken") == 0)
		return -ENOMEM;
	if (strcmp(path, "/page") != 0)
		return -ENOENT;
	*ret = (struct http_page){ .status = 200, .content_type = "text/plain; version=0.0.4; charset=utf-8",
				   .body = strdup("a page\n"), .length = 7 };
	return 0;
}

static int setup(void **state)
{
	static const struct http_limits limits = { .connections = 8, .timeout_s = 1 };
	char why[128];

	(void)state;
	return http_start("127.0.0.1:0", &limits, make, NULL, NULL, &http, why, sizeof(why));
}

static int teardown(void **state)
{
	(void)state;
	http_stop(http);
	return 0;
}

static int connect_to(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	to.sin_port = htons((uint16_t)strtoul(strrchr(http_address(http), ':') + 1, NULL, 10));
	assert_true(fd >= 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	return fd;
}

/* Sends bytes and reads until the other end closes. */
static void ask_bytes(const char *bytes, size_t length, char *to, size_t size)
{
	int fd = connect_to();
	size_t got = 0;
	ssize_t n;

	assert_true(send(fd, bytes, length, MSG_NOSIGNAL) >= 0);
	while (got < size - 1 && (n = recv(fd, to + got, size - 1 - got, 0)) > 0)
		got += (size_t)n;
	to[got] = '\0';
	close(fd);
}

static void ask(const char *request, char *to, size_t size)
{
	char bytes[512];
	int n = snprintf(bytes, sizeof(bytes), "%s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", request);

	ask_bytes(bytes, (size_t)n, to, size);
}

static void pages_and_refusals(void **state)
{
	static const struct {
		const char *request, *status;
	} cases[] = {
		{ "GET /page", "HTTP/1.1 200 " },	     { "GET /page?collect[]=power", "HTTP/1.1 200 " },
		{ "HEAD /page", "HTTP/1.1 200 " },	     { "GET /nothing", "HTTP/1.1 404 " },
		{ "GET /page%00x", "HTTP/1.1 404 " },	     { "GET /%70age", "HTTP/1.1 404 " },
		{ "GET /../page", "HTTP/1.1 404 " },	     { "DELETE /page", "HTTP/1.1 405 " },
		{ "PUT /page", "HTTP/1.1 405 " },	     { "GET /broken", "HTTP/1.1 500 " },
	};
	char answer[4096];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ask(cases[i].request, answer, sizeof(answer));
		if (strncmp(answer, cases[i].status, strlen(cases[i].status)) != 0)
			fail_msg("%s gives: %s", cases[i].request, answer);
	}
}

static void head_has_the_headers_and_no_body(void **state)
{
	char answer[4096];

	(void)state;
	ask("HEAD /page", answer, sizeof(answer));
	assert_non_null(strstr(answer, "Content-Length: 7\r\n"));
	assert_null(strstr(answer, "a page"));
	ask("GET /page", answer, sizeof(answer));
	assert_non_null(strstr(answer, "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"));
	assert_non_null(strstr(answer, "\r\n\r\na page\n"));
}

static void not_allowed_says_what_is(void **state)
{
	static const char request[] = "POST /page HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc";
	char answer[4096];

	(void)state;
	ask_bytes(request, sizeof(request) - 1, answer, sizeof(answer));
	assert_non_null(strstr(answer, "405"));
	assert_non_null(strstr(answer, "Allow: GET, HEAD\r\n"));
}

static void huge_headers_are_refused(void **state)
{
	char *bytes = malloc(70000), answer[4096];
	int n = snprintf(bytes, 70000, "GET /page HTTP/1.1\r\nHost: x\r\nX-Large: ");

	(void)state;
	memset(bytes + n, 'a', 60000);
	memcpy(bytes + n + 60000, "\r\n\r\n", 4);
	ask_bytes(bytes, (size_t)n + 60004, answer, sizeof(answer));
	assert_null(strstr(answer, "200 OK"));
	ask("GET /page", answer, sizeof(answer));
	assert_non_null(strstr(answer, "200 OK"));
	free(bytes);
}

static void silent_connections_do_not_keep_others_out(void **state)
{
	char answer[4096] = "", byte;
	int fds[12], i, tries;

	(void)state;
	for (i = 0; i < 12; i++) {
		fds[i] = connect_to();
		assert_true(send(fds[i], "GET /pa", 7, MSG_NOSIGNAL) >= 0);
	}
	/* They are closed by their time limit at the latest: this read returns then, not before. */
	assert_true(recv(fds[0], &byte, 1, 0) <= 0);
	for (tries = 0; tries < 100 && strstr(answer, "200 OK") == NULL; tries++)
		ask("GET /page", answer, sizeof(answer));
	assert_non_null(strstr(answer, "200 OK"));
	for (i = 0; i < 12; i++)
		close(fds[i]);
}

static void *ask_many(void *argument)
{
	char answer[4096];
	int i;

	for (i = 0; i < 50; i++) {
		ask("GET /page", answer, sizeof(answer));
		*(int *)argument += strstr(answer, "a page\n") != NULL;
	}
	return NULL;
}

static void several_are_served_at_once(void **state)
{
	pthread_t threads[3];
	int got[3] = { 0 }, i;

	(void)state;
	for (i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, ask_many, &got[i]), 0);
	for (i = 0; i < 3; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(got[i], 50);
	}
}

static void a_taken_address_is_told(void **state)
{
	static const struct http_limits limits = { .connections = 8, .timeout_s = 1 };
	struct http *second;
	char why[128];

	(void)state;
	assert_int_equal(http_start(http_address(http), &limits, make, NULL, NULL, &second, why, sizeof(why)), -EADDRINUSE);
	assert_non_null(strstr(why, http_address(http)));
	assert_non_null(strstr(why, "in use"));
	assert_true(http_start("nonsense", &limits, make, NULL, NULL, &second, why, sizeof(why)) < 0);
	assert_true(http_start("300.1.1.1:80", &limits, make, NULL, NULL, &second, why, sizeof(why)) < 0);
}

static void ipv6_too(void **state)
{
	static const struct http_limits limits = { .connections = 8, .timeout_s = 1 };
	struct http *second;
	char why[128];

	(void)state;
	if (http_start("[::1]:0", &limits, make, NULL, NULL, &second, why, sizeof(why)) < 0)
		skip_because("no IPv6 here: %s", why);
	assert_int_equal(strncmp(http_address(second), "[::1]:", 6), 0);
	http_stop(second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(pages_and_refusals, setup, teardown),
		cmocka_unit_test_setup_teardown(head_has_the_headers_and_no_body, setup, teardown),
		cmocka_unit_test_setup_teardown(not_allowed_says_what_is, setup, teardown),
		cmocka_unit_test_setup_teardown(huge_headers_are_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(silent_connections_do_not_keep_others_out, setup, teardown),
		cmocka_unit_test_setup_teardown(several_are_served_at_once, setup, teardown),
		cmocka_unit_test_setup_teardown(a_taken_address_is_told, setup, teardown),
		cmocka_unit_test_setup_teardown(ipv6_too, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
