/* profile - what a kind of card is like, from a text file. The format is described in
 * profiles/mi210.profile. */
#ifndef SIM_PROFILE_H
#define SIM_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

/* One line "KIND NAME = VALUE"; KIND is "" where the line is "NAME = VALUE". */
struct setting {
	char *kind, *name, *value;
	size_t value_size;
	bool second; /* for every second card of the profile only */
};

struct profile {
	char name[64];
	struct setting *settings;
	size_t count;
	struct profile *next;
};

/* Reads NAME.profile of a directory; an error is told on stderr and gives NULL. */
struct profile *profile_read(const char *dir, const char *name);
void profile_free(struct profile *profile);

/* The last setting of that kind and name that counts for this card (`second`: is it a second one),
 * or NULL. */
const struct setting *profile_find(const struct profile *profile, bool second, const char *kind,
				   const char *name);

/* Its value, or `otherwise`. */
const char *profile_text(const struct profile *profile, const char *kind, const char *name,
			 const char *otherwise);
double profile_number(const struct profile *profile, const char *kind, const char *name,
		      double otherwise);

/* Prints name and description of every profile in a directory; -errno if it cannot be read. */
int profile_list(const char *dir);

/* Directory of the profiles: `given`, else the environment's, else one beside the program. */
const char *profile_dir(const char *given);

#endif
