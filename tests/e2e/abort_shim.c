/* abort_shim - the real librocm_smi64 with one call that leads into its abort().
 *
 * rocwatchd never asks the library for gpu_metrics, so its abort() on tables from 1.4 on cannot be met by right use. This
 * library stands before the real one: its busy_percent asks the real gpu_metrics first, and passes everything else on. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

int rsmi_init(uint64_t flags);
int rsmi_num_monitor_devices(uint32_t *ret);
int rsmi_dev_pci_id_get(uint32_t index, uint64_t *ret);
int rsmi_dev_busy_percent_get(uint32_t index, uint32_t *ret);

static void *real(const char *name)
{
	void *library = dlopen("librocm_smi64.so.1", RTLD_NOW | RTLD_LOCAL);
	void *symbol = library != NULL ? dlsym(library, name) : NULL;

	if (symbol == NULL)
		_Exit(3); /* no abort of the real library: the test must see the difference */
	return symbol;
}

int rsmi_init(uint64_t flags)
{
	return ((int (*)(uint64_t))real("rsmi_init"))(flags);
}

int rsmi_num_monitor_devices(uint32_t *ret)
{
	return ((int (*)(uint32_t *))real("rsmi_num_monitor_devices"))(ret);
}

int rsmi_dev_pci_id_get(uint32_t index, uint64_t *ret)
{
	return ((int (*)(uint32_t, uint64_t *))real("rsmi_dev_pci_id_get"))(index, ret);
}

int rsmi_dev_busy_percent_get(uint32_t index, uint32_t *ret)
{
	static _Alignas(16) char metrics[16384];

	((int (*)(uint32_t, void *))real("rsmi_dev_gpu_metrics_info_get"))(index, metrics);
	return ((int (*)(uint32_t, uint32_t *))real("rsmi_dev_busy_percent_get"))(index, ret);
}
