/* tree - the simulated /sys as directories, links and files in memory.
 *
 * One thread owns it. Nodes that leave the tree are marked and kept until tree_free(), because a
 * reader may still hold them open; a kept one answers ENODEV. */
#ifndef SIM_TREE_H
#define SIM_TREE_H

#include <stdbool.h>
#include <stddef.h>

struct gpu;
struct record;

enum node_kind { NODE_DIR, NODE_LINK, NODE_FILE };

struct node {
	enum node_kind kind;
	unsigned int mode;	/* permission bits of a file */
	bool gone;		/* taken out of the tree */
	bool live;		/* text is a template, filled in at each read */
	char *name;
	struct node *parent, *child, *next;
	char *text;		/* target of a link, contents or template of a file */
	size_t text_size;
	struct gpu *gpu;	/* of which device, or NULL */
	struct record *record;	/* what is known and changed about a device's file, or NULL */
};

struct node *tree_new(void);
void tree_free(struct node *root);

/* The child of that name, or NULL. */
struct node *tree_child(const struct node *dir, const char *name);

/* Node at a path below `dir`, or NULL. Links are not followed. */
struct node *tree_find(struct node *dir, const char *path);

/* Directory at a path below `dir`, made with its parents where absent. */
struct node *tree_dir(struct node *dir, const char *path);

/* File at a path below `dir` with these bytes; replaces the contents of one that exists. */
struct node *tree_file(struct node *dir, const char *path, const void *bytes, size_t size);

/* As tree_file(), with printf text; a newline is added. */
struct node *tree_text(struct node *dir, const char *path, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Link at a path below `dir` to another node, as a relative path like sysfs writes it. */
struct node *tree_link(struct node *dir, const char *path, const struct node *target);

/* Takes a node and all below it out of the tree. */
void tree_remove(struct node *node);

/* Path of a node from the root, with a leading slash, into `ret`. */
void tree_path(const struct node *node, char *ret, size_t size);

#endif
