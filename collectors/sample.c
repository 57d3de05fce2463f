/* sample - words for why a value is absent. */
#include "collectors/sample.h"

const char *reason_name(enum reason reason)
{
	static const char *const names[] = {
		[READ_OK] = "ok",
		[READ_UNSUPPORTED] = "unsupported",
		[READ_PENDING] = "pending",
		[READ_SUSPENDED] = "suspended",
		[READ_IMPLAUSIBLE] = "implausible",
		[READ_ERROR] = "error",
	};

	return names[reason];
}
