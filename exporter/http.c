/* http - see the header. One epoll thread of libmicrohttpd; every answer is made from memory, so nothing waits. */
#include "exporter/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECTION_MEMORY 8192 /* headers larger than this are answered with 431 or 414 */
#define PER_ADDRESS_SHARE 2    /* one address may take half of the connections */

struct http {
	struct MHD_Daemon *daemon;
	http_make *make;
	void *argument;
	void (*log)(const char *text);
	char address[80];
};

static enum MHD_Result respond(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response,
			       const char *content_type)
{
	enum MHD_Result result;

	if (response == NULL)
		return MHD_NO;
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, content_type);
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result respond_text(struct MHD_Connection *connection, unsigned int status, const char *text)
{
	return respond(connection, status,
		       MHD_create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_MUST_COPY),
		       "text/plain; charset=utf-8");
}

static enum MHD_Result respond_page(struct http *http, struct MHD_Connection *connection, const char *path)
{
	struct http_page page = { .status = MHD_HTTP_OK };
	int r = http->make(http->argument, path, &page);

	if (r == -ENOENT)
		return respond_text(connection, MHD_HTTP_NOT_FOUND, "404: there is no such page; see /\n");
	if (r < 0)
		return respond_text(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, "500: the page could not be made\n");
	return respond(connection, page.status,
		       MHD_create_response_from_buffer(page.length, page.body, MHD_RESPMEM_MUST_FREE),
		       page.content_type);
}

static enum MHD_Result handle(void *argument, struct MHD_Connection *connection, const char *url, const char *method,
			      const char *version, const char *upload, size_t *upload_size, void **state)
{
	static int headers_seen;

	(void)version;
	(void)upload;
	/* The first call comes with the headers; a body is read and thrown away before the answer. */
	if (*state == NULL) {
		*state = &headers_seen;
		return MHD_YES;
	}
	if (*upload_size > 0) {
		*upload_size = 0;
		return MHD_YES;
	}
	if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
		return respond_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "405: only GET and HEAD\n");
	return respond_page(argument, connection, url);
}

/* Paths are compared as they came: decoding "%00" would cut them short. */
static size_t leave_escaped(void *argument, struct MHD_Connection *connection, char *text)
{
	(void)argument;
	(void)connection;
	return strlen(text);
}

static void __attribute__((format(printf, 2, 0))) library_log(void *argument, const char *format, va_list arguments)
{
	struct http *http = argument;
	char text[256];

	vsnprintf(text, sizeof(text), format, arguments);
	text[strcspn(text, "\n")] = '\0';
	if (http->log != NULL)
		http->log(text);
}

/* Splits "[::1]:80" or "127.0.0.1:80". */
static int split_address(const char *listen, char *host, size_t size, const char **ret_port)
{
	const char *colon = strrchr(listen, ':');
	size_t length;

	if (colon == NULL)
		return -EINVAL;
	*ret_port = colon + 1;
	length = (size_t)(colon - listen);
	if (length >= 2 && listen[0] == '[' && colon[-1] == ']') {
		listen++;
		length -= 2;
	}
	if (length >= size)
		return -EINVAL;
	memcpy(host, listen, length);
	host[length] = '\0';
	return 0;
}

static int open_socket(const struct addrinfo *where)
{
	int fd = socket(where->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1, r;

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (where->ai_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
	if (bind(fd, where->ai_addr, where->ai_addrlen) == 0 && listen(fd, 128) == 0)
		return fd;
	r = -errno;
	close(fd);
	return r;
}

static int listen_on(const char *listen, char *why, size_t why_size)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV | AI_PASSIVE }, *found;
	char host[64];
	const char *port;
	int fd, r;

	if (split_address(listen, host, sizeof(host), &port) < 0) {
		snprintf(why, why_size, "\"%s\" is not ADDR:PORT", listen);
		return -EINVAL;
	}
	r = getaddrinfo(host[0] != '\0' ? host : NULL, port, &hints, &found);
	if (r != 0) {
		snprintf(why, why_size, "cannot listen on %s: %s", listen, gai_strerror(r));
		return -EADDRNOTAVAIL;
	}
	fd = open_socket(found);
	freeaddrinfo(found);
	if (fd < 0)
		snprintf(why, why_size, "cannot listen on %s: %s", listen, strerrordesc_np(-fd));
	return fd;
}

static void note_address(struct http *http, int fd)
{
	struct sockaddr_storage address;
	socklen_t size = sizeof(address);
	char host[64], port[16];

	if (getsockname(fd, (struct sockaddr *)&address, &size) < 0 ||
	    getnameinfo((struct sockaddr *)&address, size, host, sizeof(host), port, sizeof(port),
			NI_NUMERICHOST | NI_NUMERICSERV) != 0)
		return;
	snprintf(http->address, sizeof(http->address), strchr(host, ':') != NULL ? "[%s]:%s" : "%s:%s", host, port);
}

int http_start(const char *listen, const struct http_limits *limits, http_make *make, void *argument,
	       void (*log)(const char *text), struct http **ret, char *why, size_t why_size)
{
	struct http *http = calloc(1, sizeof(*http));
	int fd;

	if (http == NULL)
		return -ENOMEM;
	http->make = make;
	http->argument = argument;
	http->log = log;
	fd = listen_on(listen, why, why_size);
	if (fd < 0) {
		free(http);
		return fd;
	}
	note_address(http, fd);
	http->daemon = MHD_start_daemon(
		MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ERROR_LOG, 0, NULL, NULL, handle, http,
		MHD_OPTION_EXTERNAL_LOGGER, library_log, http, MHD_OPTION_LISTEN_SOCKET, fd,
		MHD_OPTION_CONNECTION_LIMIT, limits->connections, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
		(limits->connections + PER_ADDRESS_SHARE - 1) / PER_ADDRESS_SHARE, MHD_OPTION_CONNECTION_TIMEOUT,
		limits->timeout_s, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
		MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, NULL, MHD_OPTION_END);
	if (http->daemon == NULL) {
		snprintf(why, why_size, "cannot start the HTTP server on %s", listen);
		close(fd);
		free(http);
		return -EIO;
	}
	*ret = http;
	return 0;
}

const char *http_address(const struct http *http)
{
	return http->address;
}

void http_stop(struct http *http)
{
	if (http == NULL)
		return;
	MHD_stop_daemon(http->daemon); /* closes the socket */
	free(http);
}
