/* sources - the list, and who is asked first. */
#include <stddef.h>

#include "collectors/source.h"
#include "config/config.h"

const struct source *const *sources_for(int source, bool library_ready)
{
	static const struct source *const both[] = { &source_rocm_smi, &source_sysfs, NULL };
	static const struct source *const library[] = { &source_rocm_smi, NULL };
	static const struct source *const driver[] = { &source_sysfs, NULL };
	static const struct source *const nobody[] = { NULL };

	if (source == SOURCE_ROCM_SMI)
		return library_ready ? library : nobody;
	return source == SOURCE_AUTO && library_ready ? both : driver;
}
