/* fault - the ways in which a read can go wrong, by name. */
#ifndef SIM_FAULT_H
#define SIM_FAULT_H

#include <stdbool.h>
#include <stddef.h>

struct text;

enum fault_mode {
	FAULT_NONE,
	FAULT_ERRNO,	/* read(2) answers -error */
	FAULT_EMPTY,	/* nothing is read */
	FAULT_GARBAGE,	/* bytes that mean nothing */
	FAULT_ONES,	/* all ones: 4294967295, or 0xFF behind the header of a table */
	FAULT_TORN,	/* the first half only */
	FAULT_DELAY,	/* the right answer, late */
	FAULT_HANG,	/* no answer until cleared */
};

struct fault {
	enum fault_mode mode;
	int error;	/* errno, with FAULT_ERRNO */
	int delay_ms;	/* with FAULT_DELAY */
};

/* Reads "eio", "delay=500ms", "none"; false if it is none of them. */
bool fault_parse(const char *text, struct fault *ret);

/* The way back. */
void fault_print(const struct fault *fault, struct text *to);

/* The modes, for a message. */
extern const char fault_modes[];

/* Spoils contents in place, for the modes that do; `is_table`: a gpu_metrics table and not text. */
void fault_spoil(const struct fault *fault, bool is_table, struct text *contents);

#endif
