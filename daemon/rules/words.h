/* words - how rules speak to a person: spans of time, names of metrics, the nearest known word. */
#ifndef DAEMON_RULES_WORDS_H
#define DAEMON_RULES_WORDS_H

#include <stddef.h>
#include <stdint.h>

#define WORDS_SIZE 96 /* room for each of the texts below */

/* "350 ms", "10 s", "4m 10s", "2h 5m", "3d 4h". Returns `to`. */
char *words_duration(uint64_t ns, char *to, size_t size);

/* "junction temperature", "vram memory used", "power": a row as a person calls it. Returns `to`. */
char *words_metric(unsigned int row, char *to, size_t size);

/* Writes `; did you mean "above"?` where one of the words is near enough, else nothing. Returns `to`. */
char *words_nearest(const char *wrong, const char *const *words, size_t count, char *to, size_t size);

#endif
