/* fs - serves a machine's /sys through FUSE. One thread; fs_process() is called when there is
 * something to do. */
#ifndef SIM_FS_H
#define SIM_FS_H

#include <stdbool.h>

struct fs;
struct gpu;
struct machine;

/* On an open and mounted /dev/fuse descriptor, which it owns from then on; NULL on failure. */
struct fs *fs_new(struct machine *machine, int fuse_fd);

/* Answers all that waits with EIO, ends the session and closes the descriptor. */
void fs_free(struct fs *fs);

/* Descriptor to poll, and what to do when it is readable; 0, or -ENODEV when it was unmounted. */
int fs_fd(const struct fs *fs);
int fs_process(struct fs *fs);

/* Answers what is due; returns milliseconds until something will be, or -1. */
int fs_due(struct fs *fs);

/* Looks again at the waiting readers of a card (NULL: of all) after something changed;
 * `is_cleared`: delays end too. */
void fs_review(struct fs *fs, const struct gpu *gpu, bool is_cleared);

/* Answers every waiting reader with EIO, and lets none wait from now on. */
void fs_abort(struct fs *fs);

/* How many readers wait for a card. */
int fs_waiting(const struct fs *fs, const struct gpu *gpu);

#endif
