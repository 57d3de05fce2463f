/* sysfs - reading one small file or link of /sys, without surprises. */
#ifndef COLLECTORS_SYSFS_H
#define COLLECTORS_SYSFS_H

#include <stddef.h>
#include <stdint.h>

/* Reads up to size-1 bytes of a file at the directory, NUL-terminated, trailing white space and padding cut off.
 * Returns the length or -errno; -ENODATA for an empty file. May block as long as the driver does. */
int sysfs_text(int dirfd, const char *path, char *to, size_t size);

/* The same through a descriptor that was opened before. */
int sysfs_text_fd(int fd, char *to, size_t size);

/* The whole file as a number, decimal with sign or 0x…. 0, -errno, or -EBADMSG where it is no number. */
int sysfs_int64(int dirfd, const char *path, int64_t *ret);

/* Last part of the text of a link: "amdgpu" of driver -> ../../../bus/pci/drivers/amdgpu. Length or -errno. */
int sysfs_link_name(int dirfd, const char *path, char *to, size_t size);

/* First entry of a directory whose name is `prefix` and a number; its number, or -errno (-ENOENT: none). */
int sysfs_find_numbered(int dirfd, const char *path, const char *prefix);

/* The number at the start of a text, as the drivers write them; *end behind it. 0, -EBADMSG or -ERANGE. */
int sysfs_parse(const char *text, int64_t *ret, const char **end);

#endif
