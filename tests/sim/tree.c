/* tree - see the header. */
#include "tests/sim/tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/text.h"

static struct node *removed; /* first of those taken out, linked by `next` */

static struct node *node_new(enum node_kind kind, const char *name, size_t name_size)
{
	struct node *node = text_zalloc(sizeof(*node));

	node->kind = kind;
	node->mode = kind == NODE_FILE ? 0444 : 0755;
	node->name = text_dup(name, name_size);
	return node;
}

struct node *tree_new(void)
{
	return node_new(NODE_DIR, "", 0);
}

static void node_free(struct node *node)
{
	struct node *child, *next;

	for (child = node->child; child; child = next) {
		next = child->next;
		node_free(child);
	}
	free(node->name);
	free(node->text);
	free(node);
}

void tree_free(struct node *root)
{
	struct node *next;

	for (; removed; removed = next) {
		next = removed->next;
		node_free(removed);
	}
	if (root)
		node_free(root);
}

static struct node *child_find(const struct node *dir, const char *name, size_t size)
{
	struct node *child;

	for (child = dir->child; child; child = child->next)
		if (strncmp(child->name, name, size) == 0 && !child->name[size])
			return child;
	return NULL;
}

struct node *tree_child(const struct node *dir, const char *name)
{
	return child_find(dir, name, strlen(name));
}

static struct node *child_add(struct node *dir, enum node_kind kind, const char *name, size_t size)
{
	struct node *node = node_new(kind, name, size), **end = &dir->child;

	while (*end)
		end = &(*end)->next;
	*end = node;
	node->parent = dir;
	node->gpu = dir->gpu;
	return node;
}

struct node *tree_find(struct node *dir, const char *path)
{
	size_t size;

	for (; dir && *path; path += size) {
		path += strspn(path, "/");
		size = strcspn(path, "/");
		if (size)
			dir = child_find(dir, path, size);
	}
	return dir;
}

/* Walks to the last part of a path, making directories. */
static struct node *parent_of(struct node *dir, const char **path)
{
	struct node *next;
	size_t size;

	for (;;) {
		*path += strspn(*path, "/");
		size = strcspn(*path, "/");
		if (!(*path)[size])
			return dir;
		next = child_find(dir, *path, size);
		dir = next ? next : child_add(dir, NODE_DIR, *path, size);
		*path += size;
	}
}

struct node *tree_dir(struct node *dir, const char *path)
{
	struct node *node;

	dir = parent_of(dir, &path);
	if (!*path)
		return dir;
	node = tree_child(dir, path);
	return node ? node : child_add(dir, NODE_DIR, path, strlen(path));
}

struct node *tree_file(struct node *dir, const char *path, const void *bytes, size_t size)
{
	struct node *node;

	dir = parent_of(dir, &path);
	node = tree_child(dir, path);
	if (!node)
		node = child_add(dir, NODE_FILE, path, strlen(path));
	free(node->text);
	node->text = text_dup(bytes, size);
	node->text_size = size;
	return node;
}

struct node *tree_text(struct node *dir, const char *path, const char *format, ...)
{
	struct text text = { 0 };
	struct node *node;
	va_list args;

	va_start(args, format);
	text_vput(&text, format, args);
	va_end(args);
	text_put(&text, "\n");
	node = tree_file(dir, path, text.bytes, text.size);
	text_fini(&text);
	return node;
}

static int depth_of(const struct node *node)
{
	int depth = 0;

	for (; node->parent; node = node->parent)
		depth++;
	return depth;
}

struct node *tree_link(struct node *dir, const char *path, const struct node *target)
{
	const struct node *from, *to = target->parent;
	struct text up = { 0 }, down = { 0 };
	struct node *node;

	from = dir = parent_of(dir, &path);
	text_put(&down, "%s", target->name);
	while (from != to) { /* up to the first directory that is above the target too */
		if (depth_of(from) >= depth_of(to)) {
			text_put(&up, "../");
			from = from->parent;
			continue;
		}
		text_insert(&down, "/");
		text_insert(&down, to->name);
		to = to->parent;
	}
	text_put(&up, "%s", down.bytes);
	node = child_add(dir, NODE_LINK, path, strlen(path));
	node->text = text_dup(up.bytes, up.size);
	node->text_size = up.size;
	text_fini(&up);
	text_fini(&down);
	return node;
}

static void mark_gone(struct node *node)
{
	struct node *child;

	node->gone = true;
	for (child = node->child; child; child = child->next)
		mark_gone(child);
}

void tree_remove(struct node *node)
{
	struct node **at = &node->parent->child;

	while (*at != node)
		at = &(*at)->next;
	*at = node->next;
	mark_gone(node);
	node->next = removed;
	removed = node;
}

void tree_path(const struct node *node, char *ret, size_t size)
{
	struct text path = { 0 };

	for (; node->parent; node = node->parent) {
		text_insert(&path, node->name);
		text_insert(&path, "/");
	}
	snprintf(ret, size, "%s", path.size ? path.bytes : "/");
	text_fini(&path);
}
