/* test - cmocka with what it needs before it, and a skip that says why. */
#ifndef TESTS_UNIT_TEST_H
#define TESTS_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define skip_because(...)                       \
	do {                                    \
		print_message("skip: " __VA_ARGS__); \
		print_message("\n");            \
		skip();                         \
	} while (0)

#endif
