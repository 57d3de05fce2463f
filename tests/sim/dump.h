/* dump - adopts the saved sysfs files of a real card. Its files are shown as they are; nothing
 * moves. */
#ifndef SIM_DUMP_H
#define SIM_DUMP_H

struct gpu;
struct node;

/* Finds out who the card of a dump is; 0 or -errno, told on stderr. */
int dump_open(struct gpu *gpu, const char *dir);

/* Makes a record of every file of the device. */
void dump_records(struct gpu *gpu);

/* Puts one file at `path` below the device directory; NULL if the dump has none and none is due. */
struct node *dump_file(struct gpu *gpu, const char *key, const char *path);

/* Puts the files of the drm minor. */
void dump_drm(struct gpu *gpu, struct node *card);

/* "amdgpu" or "radeon". */
const char *dump_driver(const struct gpu *gpu);

#endif
