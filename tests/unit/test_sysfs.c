/* Small files of /sys as they really are: padded, empty, odd; and a tree in which GPUs are found by links alone. */
#include "tests/unit/test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/device.h"
#include "collectors/sysfs.h"

static char root[64];

static int setup(void **state)
{
	(void)state;
	snprintf(root, sizeof(root), "/tmp/rocwatch-test.XXXXXX");
	return mkdtemp(root) == NULL;
}

static int teardown(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

static void write_file(const char *name, const char *bytes, size_t length)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fwrite(bytes, 1, length, file);
	fclose(file);
}

static void numbers_in_every_form(void **state)
{
	static const struct {
		const char *text;
		size_t length;
		int result;
		int64_t value;
	} cases[] = {
		{ "42\n", 3, 0, 42 },		 { "-273150\n", 8, 0, -273150 }, { "0x740f\n", 7, 0, 0x740f },
		{ "7\n\0\0\0\0", 6, 0, 7 },	 { "", 0, -ENODATA, 0 },	 { "\n", 1, -ENODATA, 0 },
		{ "garbage\n", 8, -EBADMSG, 0 }, { "12abc\n", 6, -EBADMSG, 0 },	 { "-\n", 2, -EBADMSG, 0 },
		{ "99999999999999999999\n", 21, -ERANGE, 0 }, { "0x123456789abcdef01\n", 20, -ERANGE, 0 },
		{ "4294967295\n", 11, 0, 4294967295 }, { "0xzz\n", 5, -EBADMSG, 0 },
	};
	int dir = open(root, O_PATH | O_DIRECTORY);
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t value = 0;
		int r;

		write_file("number", cases[i].text, cases[i].length);
		r = sysfs_int64(dir, "number", &value);
		if (r != cases[i].result || value != cases[i].value)
			fail_msg("case %zu: %d, %lld", i, r, (long long)value);
	}
	assert_int_equal(sysfs_int64(dir, "nothing", &(int64_t){ 0 }), -ENOENT);
	close(dir);
}

static void make_tree(void)
{
	static const char script[] =
		"cd %s && mkdir -p bus/pci/devices bus/pci/drivers/amdgpu bus/pci/drivers/radeon class/kfd/kfd/topology/nodes/0"
		" class/kfd/kfd/topology/nodes/1 && for a in 0000:c3:00.0 0000:03:00.0 0001:02:00.0; do"
		" mkdir -p devices/$a/drm/card$((i=i+9)) devices/$a/drm/card$i-DP-1 devices/$a/drm/renderD$((128+i));"
		" ln -s ../../../devices/$a bus/pci/devices/$a; ln -s ../../../../devices/$a bus/pci/drivers/amdgpu/$a; done;"
		" mkdir devices/0000:01:00.0; ln -s ../../../devices/0000:01:00.0 bus/pci/devices/0000:01:00.0;"
		" ln -s ../../../../devices/0000:01:00.0 bus/pci/drivers/radeon/0000:01:00.0;"
		" touch bus/pci/drivers/amdgpu/bind bus/pci/drivers/amdgpu/new_id; ln -s / bus/pci/drivers/amdgpu/module;"
		" echo 0 > class/kfd/kfd/topology/nodes/0/gpu_id; echo 4711 > class/kfd/kfd/topology/nodes/1/gpu_id;"
		" printf 'location_id 0\\ndomain 0\\n' > class/kfd/kfd/topology/nodes/0/properties;"
		" printf 'simd_count 416\\nsimd_per_cu 4\\nlocation_id 49920\\ndomain 0\\ngfx_target_version 90010\\n'"
		" > class/kfd/kfd/topology/nodes/1/properties; echo 0x740f > devices/0000:c3:00.0/device;"
		" echo ' AMD Instinct' > devices/0000:c3:00.0/product_name; echo -1 > devices/0000:c3:00.0/numa_node";
	char command[2048];

	snprintf(command, sizeof(command), script, root);
	assert_int_equal(system(command), 0);
}

static void gpus_are_found_by_links_alone(void **state)
{
	struct device_place places[8];

	(void)state;
	make_tree();
	assert_int_equal(devices_scan(root, places, 8), 4);
	assert_string_equal(places[0].pci, "0000:01:00.0");
	assert_int_equal(places[0].card, -ENOENT);
	assert_string_equal(places[1].pci, "0000:03:00.0");
	assert_int_equal(places[1].card, 18);
	assert_int_equal(places[1].render, 146);
	assert_string_equal(places[2].pci, "0000:c3:00.0");
	assert_int_equal(places[2].card, 9);
	assert_string_equal(places[3].pci, "0001:02:00.0");
	assert_int_equal(devices_scan(root, places, 2), 2);
	assert_int_equal(devices_scan("/nonexistent", places, 8), 0);
}

static void who_it_is(void **state)
{
	struct device_place place = { .pci = "0000:c3:00.0", .card = 9 };
	struct device_identity identity;

	(void)state;
	make_tree();
	device_identify(root, &place, &identity);
	assert_int_equal(identity.device_id, 0x740f);
	assert_int_equal(identity.kfd_gpu_id, 4711);
	assert_int_equal(identity.kfd_node, 1);
	assert_int_equal(identity.compute_units, 104);
	assert_int_equal(identity.gfx_target_version, 90010);
	assert_int_equal(identity.numa_node, -1);
	assert_string_equal(identity.serial, "");
	snprintf(place.pci, sizeof(place.pci), "0000:03:00.0");
	device_identify(root, &place, &identity);
	assert_int_equal(identity.kfd_gpu_id, 0);
	assert_int_equal(identity.device_id, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(numbers_in_every_form, setup, teardown),
		cmocka_unit_test_setup_teardown(gpus_are_found_by_links_alone, setup, teardown),
		cmocka_unit_test_setup_teardown(who_it_is, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
