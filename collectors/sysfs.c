/* sysfs - see the header. */
#include "collectors/sysfs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "config/value.h"

int sysfs_text_fd(int fd, char *to, size_t size)
{
	ssize_t n = pread(fd, to, size - 1, 0);

	if (n < 0)
		return -errno;
	to[n] = '\0';
	n = (ssize_t)strlen(to); /* archived copies are padded with zeros */
	while (n > 0 && isspace((unsigned char)to[n - 1]))
		to[--n] = '\0';
	return n > 0 ? (int)n : -ENODATA;
}

int sysfs_text(int dirfd, const char *path, char *to, size_t size)
{
	int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);
	int r;

	if (fd < 0)
		return -errno;
	r = sysfs_text_fd(fd, to, size);
	close(fd);
	return r;
}

int sysfs_parse(const char *text, int64_t *ret, const char **end)
{
	bool negative = *text == '-';
	int64_t value = 0;

	text += negative;
	if (!isdigit((unsigned char)*text))
		return -EBADMSG;
	for (; isdigit((unsigned char)*text); text++)
		if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *text - '0', &value))
			return -ERANGE;
	*ret = negative ? -value : value;
	*end = text;
	return 0;
}

/* "0x740f", "f111" are not what sysfs_parse takes: attributes in hexadecimal say so by their 0x. */
static int parse_hex(const char *text, int64_t *ret)
{
	uint64_t value = 0;

	for (text += 2; isxdigit((unsigned char)*text); text++) {
		if (value >> 60)
			return -ERANGE;
		value = value * 16 + (uint64_t)(isdigit((unsigned char)*text) ?
							*text - '0' :
							tolower((unsigned char)*text) - 'a' + 10);
	}
	if (*text != '\0')
		return -EBADMSG;
	*ret = (int64_t)value;
	return 0;
}

int sysfs_int64(int dirfd, const char *path, int64_t *ret)
{
	char text[64];
	const char *end;
	int64_t value;
	int r = sysfs_text(dirfd, path, text, sizeof(text));

	if (r < 0)
		return r;
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return parse_hex(text, ret);
	r = sysfs_parse(text, &value, &end);
	if (r < 0)
		return r;
	if (*end != '\0')
		return -EBADMSG;
	*ret = value;
	return 0;
}

int sysfs_link_name(int dirfd, const char *path, char *to, size_t size)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(dirfd, path, target, sizeof(target) - 1);
	const char *name;

	if (n < 0)
		return -errno;
	target[n] = '\0';
	name = strrchr(target, '/');
	name = name != NULL ? name + 1 : target;
	if (strlen(name) >= size)
		return -ENAMETOOLONG;
	strcpy(to, name);
	return (int)strlen(name);
}

int sysfs_find_numbered(int dirfd, const char *path, const char *prefix)
{
	int fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	size_t length = strlen(prefix);
	int found = -ENOENT;
	struct dirent *entry;
	DIR *dir;

	if (fd < 0)
		return -errno;
	dir = fdopendir(fd);
	if (dir == NULL) {
		close(fd);
		return -ENOMEM;
	}
	while (found < 0 && (entry = readdir(dir)) != NULL) {
		uint64_t number;

		if (strncmp(entry->d_name, prefix, length) == 0 && value_uint64(entry->d_name + length, &number) == 0 &&
		    number <= INT_MAX)
			found = (int)number;
	}
	closedir(dir);
	return found;
}
