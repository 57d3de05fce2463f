/* The board: numbering that lasts, states by time, what a stranger's memory is. */
#include "tests/unit/test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collectors/board.h"

#define SECOND 1000000000ull
#define STALE (5 * SECOND)

static struct board board;
static int board_fd;

static int setup(void **state)
{
	(void)state;
	return board_create(16, &board, &board_fd);
}

static int teardown(void **state)
{
	(void)state;
	board_close(&board);
	return close(board_fd);
}

static void numbers_last_and_survive_a_new_sampler(void **state)
{
	struct board other;

	(void)state;
	assert_int_equal(board_claim(&board, "0000:03:00.0"), 0);
	assert_int_equal(board_claim(&board, "0000:23:00.0"), 1);
	assert_int_equal(board_claim(&board, "0000:03:00.0"), 0);
	assert_int_equal(board_open(board_fd, &other), 0);
	assert_int_equal(board_claim(&other, "0000:23:00.0"), 1);
	assert_int_equal(board_claim(&other, "0000:13:00.0"), 2);
	assert_int_equal(board_gpus(&board), 3);
	board_close(&other);
}

static void the_board_is_full_at_some_time(void **state)
{
	char pci[PCI_SIZE];
	int i;

	(void)state;
	for (i = 0; i < GPUS_MAX; i++) {
		snprintf(pci, sizeof(pci), "0000:%02x:00.0", i);
		assert_int_equal(board_claim(&board, pci), i);
	}
	assert_int_equal(board_claim(&board, "0001:00:00.0"), -ENOSPC);
	assert_int_equal(board_claim(&board, "0000:7f:00.0"), 127);
}

static void foreign_memory_is_refused(void **state)
{
	int fd = memfd_create("test", MFD_CLOEXEC);
	struct board other;

	(void)state;
	assert_int_equal(board_open(fd, &other), -EPROTO);
	assert_int_equal(ftruncate(fd, (off_t)board.size), 0);
	assert_int_equal(board_open(fd, &other), -EPROTO);
	close(fd);
	/* ours cannot be made smaller under the reader's feet */
	assert_int_equal(ftruncate(board_fd, 4096), -1);
}

static enum gpu_state state_at(uint64_t seconds, struct sample *sample)
{
	return board_gpu_state(&board, 0, GPU_OK, seconds * SECOND, STALE, sample);
}

static void put_sample(uint64_t seconds, int suspended, int core_failed)
{
	struct sample sample = { .monotonic_ns = seconds * SECOND, .suspended = (uint8_t)suspended,
				 .core_failed = (uint8_t)core_failed };
	const struct ring ring = board_ring(&board, 0);

	ring_put(&ring, &sample);
}

static void states_follow_samples_and_time(void **state)
{
	struct board_gpu *gpu = &board.memory->gpu[0];
	struct sample sample;

	(void)state;
	board_claim(&board, "0000:03:00.0");
	assert_int_equal(state_at(1, &sample), GPU_LOST);
	atomic_store(&gpu->present, 1);
	atomic_store(&gpu->attached_ns, 10 * SECOND);
	assert_int_equal(state_at(12, &sample), GPU_OK); /* just begun */
	assert_int_equal(sample.sequence, 0);
	assert_int_equal(state_at(15, &sample), GPU_ERROR); /* nobody reads it */
	atomic_store(&gpu->pass_began_ns, 10 * SECOND);
	assert_int_equal(state_at(15, &sample), GPU_HUNG);
	atomic_store(&gpu->pass_ended_ns, 16 * SECOND);
	put_sample(16, 0, 0);
	assert_int_equal(state_at(20, &sample), GPU_OK);
	assert_int_equal(sample.sequence, 1);
	atomic_store(&gpu->pass_began_ns, 17 * SECOND); /* the next pass does not return */
	assert_int_equal(state_at(20, &sample), GPU_OK);
	assert_int_equal(state_at(21, &sample), GPU_HUNG);
	assert_int_equal(sample.sequence, 0);
	put_sample(30, 1, 0);
	assert_int_equal(state_at(31, &sample), GPU_SUSPENDED);
	put_sample(32, 0, 1);
	assert_int_equal(state_at(33, &sample), GPU_ERROR);
	atomic_store(&gpu->present, 0);
	assert_int_equal(state_at(33, &sample), GPU_LOST);
	assert_int_equal(sample.sequence, 0);
}

/* A new sampler knows nothing yet: what was known of the GPU stands until it gives a sample. */
static void a_new_collector_keeps_the_state(void **state)
{
	struct board_gpu *gpu = &board.memory->gpu[0];
	struct sample sample;

	(void)state;
	board_claim(&board, "0000:03:00.0");
	atomic_store(&gpu->present, 1);
	put_sample(10, 0, 0);
	atomic_store(&gpu->attached_ns, 20 * SECOND);
	atomic_store(&gpu->pass_began_ns, 20 * SECOND);
	assert_int_equal(board_gpu_state(&board, 0, GPU_HUNG, 21 * SECOND, STALE, &sample), GPU_HUNG);
	assert_int_equal(board_gpu_state(&board, 0, GPU_LOST, 21 * SECOND, STALE, &sample), GPU_LOST);
	assert_int_equal(sample.sequence, 0);
	assert_int_equal(board_gpu_state(&board, 0, GPU_OK, 26 * SECOND, STALE, &sample), GPU_HUNG);
	/* the pass that hung ends, with a sample as old as its beginning */
	atomic_store(&gpu->pass_ended_ns, 50 * SECOND);
	put_sample(20, 0, 0);
	assert_int_equal(board_gpu_state(&board, 0, GPU_HUNG, 50 * SECOND, STALE, &sample), GPU_HUNG);
	assert_int_equal(board_gpu_state(&board, 0, GPU_OK, 50 * SECOND, STALE, &sample), GPU_ERROR);
	put_sample(50, 0, 0);
	assert_int_equal(board_gpu_state(&board, 0, GPU_HUNG, 50 * SECOND, STALE, &sample), GPU_OK);
}

/* A sampler gone mad writes over everything: the keeper reads nonsense, but within bounds. */
static void a_scribbled_board_does_no_harm(void **state)
{
	struct ring_cursor cursor = { 0 };
	struct board_identity who;
	struct board_library library;
	struct sample sample;
	unsigned int round, gpu;
	char pci[PCI_SIZE];

	(void)state;
	srand(1);
	for (round = 0; round < 200; round++) {
		size_t words = board.size / sizeof(uint64_t), i;

		for (i = 0; i < 20000; i++)
			((uint64_t *)board.memory)[(size_t)rand() % words] = (uint64_t)rand() * (uint64_t)rand();
		if (round % 3 == 0)
			memset(board.memory, round % 2 ? 0xff : 0x41, sizeof(*board.memory));
		assert_true(board_gpus(&board) <= GPUS_MAX);
		for (gpu = 0; gpu < GPUS_MAX; gpu += 17) {
			const struct ring ring = board_ring(&board, gpu);

			board_gpu_state(&board, gpu, GPU_OK, 1, STALE, &sample);
			ring_next(&ring, &cursor, &sample);
			assert_true(strlen(board_pci(&board, gpu, pci)) < PCI_SIZE);
			board_identity(&board, gpu, &who);
			assert_true(strlen(who.identity.serial) < sizeof(who.identity.serial));
		}
		board_library(&board, &library);
		assert_true(strlen(library.why) < sizeof(library.why));
	}
}

static void a_death_while_naming_leaves_one_gpu(void **state)
{
	char pci[PCI_SIZE];

	(void)state;
	assert_int_equal(board_claim(&board, "0000:03:00.0"), 0);
	atomic_store(&board.memory->gpu[0].identity_mark, 7); /* died within */
	assert_int_equal(board_claim(&board, "0000:03:00.0"), 0);
	assert_string_equal(board_pci(&board, 0, pci), "0000:03:00.0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(numbers_last_and_survive_a_new_sampler, setup, teardown),
		cmocka_unit_test_setup_teardown(the_board_is_full_at_some_time, setup, teardown),
		cmocka_unit_test_setup_teardown(foreign_memory_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(states_follow_samples_and_time, setup, teardown),
		cmocka_unit_test_setup_teardown(a_new_collector_keeps_the_state, setup, teardown),
		cmocka_unit_test_setup_teardown(a_scribbled_board_does_no_harm, setup, teardown),
		cmocka_unit_test_setup_teardown(a_death_while_naming_leaves_one_gpu, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
