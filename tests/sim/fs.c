/* fs - see the header. */
#define FUSE_USE_VERSION 314
#include "tests/sim/fs.h"

#include <errno.h>
#include <fuse_lowlevel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/sim/content.h"
#include "tests/sim/gpu.h"
#include "tests/sim/machine.h"
#include "tests/sim/tree.h"

#define SYSFS_SIZE 4096 /* what stat(2) says of every file of sysfs */

/* An open file or directory: what was shown at offset 0 is what later offsets read on. */
struct handle {
	struct node *node;
	struct text shown;
	struct handle *before, *after;
};

/* A read(2) without an answer yet. */
struct wait {
	fuse_req_t request;
	struct handle *handle;
	size_t size;
	off_t offset;
	double due; /* monotonic clock, s; 0: not until something changes */
	struct wait *next;
};

struct fs {
	struct machine *machine;
	struct fuse_session *session;
	struct fuse_buf buffer;
	struct wait *waits;
	struct handle *handles;
	bool is_ending; /* nobody may wait any more */
};

static double monotonic(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec * 1e-9;
}

static struct node *node_of(fuse_req_t request, fuse_ino_t inode)
{
	struct fs *fs = fuse_req_userdata(request);

	return inode == FUSE_ROOT_ID ? fs->machine->root : (struct node *)inode;
}

static fuse_ino_t inode_of(const struct fs *fs, const struct node *node)
{
	return node == fs->machine->root ? FUSE_ROOT_ID : (fuse_ino_t)node;
}

static struct stat status_of(const struct fs *fs, const struct node *node)
{
	static const mode_t types[] = {
		[NODE_DIR] = S_IFDIR, [NODE_LINK] = S_IFLNK, [NODE_FILE] = S_IFREG
	};

	return (struct stat){
		.st_ino = inode_of(fs, node),
		.st_mode = types[node->kind] | (node->kind == NODE_LINK ? 0777 : node->mode),
		.st_nlink = node->kind == NODE_DIR ? 2 : 1,
		.st_size = node->kind == NODE_FILE ? SYSFS_SIZE : 0,
	};
}

static void on_lookup(fuse_req_t request, fuse_ino_t parent, const char *name)
{
	struct fs *fs = fuse_req_userdata(request);
	struct node *dir = node_of(request, parent), *node;
	struct fuse_entry_param entry = { 0 };

	node = dir->gone ? NULL : tree_child(dir, name);
	if (!node) {
		fuse_reply_err(request, ENOENT);
		return;
	}
	entry.ino = inode_of(fs, node);
	entry.attr = status_of(fs, node);
	fuse_reply_entry(request, &entry);
}

static void on_getattr(fuse_req_t request, fuse_ino_t inode, struct fuse_file_info *file)
{
	struct stat status = status_of(fuse_req_userdata(request), node_of(request, inode));

	(void)file;
	fuse_reply_attr(request, &status, 0);
}

static void on_readlink(fuse_req_t request, fuse_ino_t inode)
{
	struct node *node = node_of(request, inode);

	if (node->gone)
		fuse_reply_err(request, ENOENT);
	else
		fuse_reply_readlink(request, node->text);
}

static struct handle *handle_open(struct fs *fs, struct node *node)
{
	struct handle *handle = text_zalloc(sizeof(*handle));

	handle->node = node;
	handle->after = fs->handles;
	if (handle->after)
		handle->after->before = handle;
	fs->handles = handle;
	return handle;
}

static void handle_close(struct fs *fs, struct handle *handle)
{
	if (handle->before)
		handle->before->after = handle->after;
	else
		fs->handles = handle->after;
	if (handle->after)
		handle->after->before = handle->before;
	text_fini(&handle->shown);
	free(handle);
}

static void on_open(fuse_req_t request, fuse_ino_t inode, struct fuse_file_info *file)
{
	struct node *node = node_of(request, inode);

	if (node->gone) {
		fuse_reply_err(request, ENODEV);
		return;
	}
	if ((file->flags & O_ACCMODE) != O_RDONLY) {
		fuse_reply_err(request, EACCES);
		return;
	}
	file->fh = (uintptr_t)handle_open(fuse_req_userdata(request), node);
	file->direct_io = 1;
	fuse_reply_open(request, file);
}

static void on_release(fuse_req_t request, fuse_ino_t inode, struct fuse_file_info *file)
{
	(void)inode;
	handle_close(fuse_req_userdata(request), (struct handle *)file->fh);
	fuse_reply_err(request, 0);
}

static void reply_slice(fuse_req_t request, const struct text *text, size_t size, off_t offset)
{
	size_t left = (size_t)offset < text->size ? text->size - offset : 0;

	fuse_reply_buf(request, left ? text->bytes + offset : NULL, left < size ? left : size);
}

/* Answers a read, or says that it must wait (true) and, with a delay, for how long. */
static bool answer(struct fs *fs, struct wait *wait, bool is_late)
{
	struct handle *handle = wait->handle;
	struct fault fault = content_fault(handle->node, is_late);
	int r;

	if (fs->is_ending && fault.mode == FAULT_HANG)
		fault = (struct fault){ .mode = FAULT_ERRNO, .error = EIO };
	if (!handle->node->gone && (fault.mode == FAULT_HANG || fault.mode == FAULT_DELAY)) {
		wait->due = fault.mode == FAULT_DELAY ? monotonic() + fault.delay_ms * 1e-3 : 0;
		return true;
	}
	handle->shown.size = 0;
	r = content_read(fs->machine, handle->node, &fault, &handle->shown);
	if (r < 0)
		fuse_reply_err(wait->request, -r);
	else
		reply_slice(wait->request, &handle->shown, wait->size, wait->offset);
	return false;
}

static void on_read(fuse_req_t request, fuse_ino_t inode, size_t size, off_t offset,
		    struct fuse_file_info *file)
{
	struct fs *fs = fuse_req_userdata(request);
	struct handle *handle = (struct handle *)file->fh;
	struct wait wait = { request, handle, size, offset, 0, NULL }, *kept;

	(void)inode;
	if (handle->node->gone) {
		fuse_reply_err(request, ENODEV);
		return;
	}
	if (offset > 0 && handle->shown.bytes) {
		reply_slice(request, &handle->shown, size, offset);
		return;
	}
	if (handle->node->record)
		handle->node->record->reads++;
	if (!answer(fs, &wait, false))
		return;
	kept = text_zalloc(sizeof(*kept));
	*kept = wait;
	kept->next = fs->waits;
	fs->waits = kept;
}

static void entry_add(const struct fs *fs, fuse_req_t request, struct text *list, const char *name,
		      const struct node *node)
{
	struct stat status = status_of(fs, node);
	size_t size = fuse_add_direntry(request, NULL, 0, name, NULL, 0);
	char *entry = text_zalloc(size);

	fuse_add_direntry(request, entry, size, name, &status, list->size + size);
	text_add(list, entry, size);
	free(entry);
}

static void on_opendir(fuse_req_t request, fuse_ino_t inode, struct fuse_file_info *file)
{
	struct fs *fs = fuse_req_userdata(request);
	struct node *dir = node_of(request, inode), *child;
	struct handle *handle;

	if (dir->gone) {
		fuse_reply_err(request, ENOENT);
		return;
	}
	handle = handle_open(fs, dir);
	entry_add(fs, request, &handle->shown, ".", dir);
	entry_add(fs, request, &handle->shown, "..", dir->parent ? dir->parent : dir);
	for (child = dir->child; child; child = child->next)
		entry_add(fs, request, &handle->shown, child->name, child);
	file->fh = (uintptr_t)handle;
	fuse_reply_open(request, file);
}

static void on_readdir(fuse_req_t request, fuse_ino_t inode, size_t size, off_t offset,
		       struct fuse_file_info *file)
{
	(void)inode;
	reply_slice(request, &((struct handle *)file->fh)->shown, size, offset);
}

static const struct fuse_lowlevel_ops operations = {
	.lookup = on_lookup,
	.getattr = on_getattr,
	.readlink = on_readlink,
	.open = on_open,
	.read = on_read,
	.release = on_release,
	.opendir = on_opendir,
	.readdir = on_readdir,
	.releasedir = on_release,
};

struct fs *fs_new(struct machine *machine, int fuse_fd)
{
	char *words[] = { "rocwatch-sim", NULL };
	struct fuse_args arguments = FUSE_ARGS_INIT(1, words);
	struct fs *fs = text_zalloc(sizeof(*fs));
	char path[32];

	fs->machine = machine;
	fs->session = fuse_session_new(&arguments, &operations, sizeof(operations), fs);
	fuse_opt_free_args(&arguments);
	snprintf(path, sizeof(path), "/dev/fd/%d", fuse_fd);
	if (!fs->session || fuse_session_mount(fs->session, path) != 0) {
		free(fs);
		return NULL;
	}
	return fs;
}

int fs_fd(const struct fs *fs)
{
	return fuse_session_fd(fs->session);
}

int fs_process(struct fs *fs)
{
	int r = fuse_session_receive_buf(fs->session, &fs->buffer);

	if (r == -EINTR || r == -EAGAIN)
		return 0;
	if (r <= 0 || fuse_session_exited(fs->session))
		return -ENODEV;
	fuse_session_process_buf(fs->session, &fs->buffer);
	return 0;
}

/* Runs through the waiting readers; those that `is_ready` lets be answered leave the list. */
static void waits_sweep(struct fs *fs, const struct gpu *gpu, bool is_cleared)
{
	struct wait **at = &fs->waits, *wait;
	double now = monotonic();

	while ((wait = *at)) {
		bool is_late = wait->due > 0 && (is_cleared || wait->due <= now);

		if ((gpu && wait->handle->node->gpu != gpu) || (wait->due > 0 && !is_late) ||
		    answer(fs, wait, is_late)) {
			at = &wait->next;
			continue;
		}
		*at = wait->next;
		free(wait);
	}
}

int fs_due(struct fs *fs)
{
	const struct wait *wait;
	double left, least = -1, now;

	waits_sweep(fs, NULL, false);
	now = monotonic();
	for (wait = fs->waits; wait; wait = wait->next) {
		if (wait->due <= 0)
			continue;
		left = wait->due > now ? wait->due - now : 0;
		least = least < 0 || left < least ? left : least;
	}
	return least < 0 ? -1 : (int)(least * 1e3) + 1;
}

void fs_review(struct fs *fs, const struct gpu *gpu, bool is_cleared)
{
	waits_sweep(fs, gpu, is_cleared);
}

void fs_abort(struct fs *fs)
{
	struct wait *wait;

	fs->is_ending = true;
	while ((wait = fs->waits)) {
		fs->waits = wait->next;
		fuse_reply_err(wait->request, EIO);
		free(wait);
	}
}

int fs_waiting(const struct fs *fs, const struct gpu *gpu)
{
	const struct wait *wait;
	int count = 0;

	for (wait = fs->waits; wait; wait = wait->next)
		count += wait->handle->node->gpu == gpu;
	return count;
}

void fs_free(struct fs *fs)
{
	if (!fs)
		return;
	fs_abort(fs);
	while (fs->handles)
		handle_close(fs, fs->handles);
	fuse_session_unmount(fs->session);
	fuse_session_destroy(fs->session);
	free(fs->buffer.mem);
	free(fs);
}
