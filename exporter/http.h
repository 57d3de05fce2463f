/* http - the listening end. The only includer of microhttpd.h; knows no GPU and no metric. */
#ifndef EXPORTER_HTTP_H
#define EXPORTER_HTTP_H

#include <stddef.h>
#include <stdint.h>

/* A page as it goes out. `body` is malloc()ed and taken over. */
struct http_page {
	unsigned int status;      /* 200, 503, … */
	const char *content_type; /* a constant */
	char *body;
	size_t length;
};

/* Makes the page at `path` ("/metrics"), on the HTTP thread: must not block. 0, or -ENOENT: there is no such page,
 * or another -errno: something is wrong (500). */
typedef int http_make(void *argument, const char *path, struct http_page *ret);

struct http_limits {
	unsigned int connections; /* all together; more are closed at once */
	unsigned int timeout_s;   /* a silent connection is closed after this */
};

struct http;

/* Listens on "ADDR:PORT", "[IPV6]:PORT" or "localhost:PORT" (port 0: any free one). 0 or -errno, with a sentence on
 * what went wrong in `why`. `log` (may be NULL) takes what the library complains of. */
int http_start(const char *listen, const struct http_limits *limits, http_make *make, void *argument,
	       void (*log)(const char *text), struct http **ret, char *why, size_t why_size);

/* "127.0.0.1:10720", as it really listens. */
const char *http_address(const struct http *http);

/* Stops; NULL is fine. No make() runs after it returns. */
void http_stop(struct http *http);

#endif
