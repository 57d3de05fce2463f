/* board - see the header. */
#include "collectors/board.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define BOARD_MAGIC 0x726f6377u

/* Rings begin on a page each, so that an untouched one costs nothing. */
static size_t ring_stride(uint32_t ring_length)
{
	return (ring_size(ring_length) + 4095) & ~(size_t)4095;
}

static size_t board_head_size(void)
{
	return (sizeof(struct board) + 4095) & ~(size_t)4095;
}

static size_t board_size(uint32_t ring_length)
{
	return board_head_size() + GPUS_MAX * ring_stride(ring_length);
}

struct ring *board_ring(struct board *board, unsigned int gpu)
{
	return (struct ring *)((char *)board + board_head_size() + gpu * ring_stride(board->ring_length));
}

int board_create(uint32_t ring_length, struct board **ret, int *ret_fd)
{
	size_t size = board_size(ring_length);
	int fd = memfd_create("rocwatch-board", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	struct board *board;
	int r;

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)size) < 0 || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0) {
		r = -errno;
		close(fd);
		return r;
	}
	board = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (board == MAP_FAILED) {
		r = -errno;
		close(fd);
		return r;
	}
	board->magic = BOARD_MAGIC;
	board->metrics_count = metrics_count;
	board->ring_length = ring_length;
	board->size = size;
	*ret = board;
	*ret_fd = fd;
	return 0;
}

int board_open(int fd, struct board **ret)
{
	struct stat st;
	struct board *board;

	if (fstat(fd, &st) < 0)
		return -errno;
	if ((size_t)st.st_size < sizeof(struct board))
		return -EPROTO;
	board = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (board == MAP_FAILED)
		return -errno;
	if (board->magic != BOARD_MAGIC || board->metrics_count != metrics_count ||
	    board->size != (uint64_t)st.st_size || board_size(board->ring_length) != board->size) {
		munmap(board, (size_t)st.st_size);
		return -EPROTO;
	}
	*ret = board;
	return 0;
}

void board_close(struct board *board)
{
	if (board != NULL)
		munmap(board, board->size);
}

int board_identity(const struct board *board, unsigned int gpu, struct board_identity *ret)
{
	return guarded_read(&board->gpu[gpu].identity_mark, board->gpu[gpu].identity, ret, sizeof(*ret));
}

void board_set_identity(struct board *board, unsigned int gpu, const struct board_identity *identity)
{
	guarded_write(&board->gpu[gpu].identity_mark, board->gpu[gpu].identity, identity, sizeof(*identity));
}

int board_library(const struct board *board, struct board_library *ret)
{
	return guarded_read(&board->library_mark, board->library_text, ret, sizeof(*ret));
}

void board_set_library(struct board *board, enum library_state state, const struct board_library *library)
{
	guarded_write(&board->library_mark, board->library_text, library, sizeof(*library));
	atomic_store(&board->library, state);
}

int board_claim(struct board *board, const char *pci)
{
	unsigned int gpus = atomic_load(&board->gpus);
	struct board_identity identity;
	unsigned int i;

	for (i = 0; i < gpus; i++)
		if (board_identity(board, i, &identity) == 0 && strcmp(identity.place.pci, pci) == 0)
			return (int)i;
	if (gpus == GPUS_MAX)
		return -ENOSPC;
	memset(&identity, 0, sizeof(identity));
	snprintf(identity.place.pci, sizeof(identity.place.pci), "%s", pci);
	identity.identity.numa_node = identity.identity.kfd_node = -1;
	board_set_identity(board, gpus, &identity);
	board_ring(board, gpus)->length = board->ring_length;
	atomic_store(&board->gpus, gpus + 1);
	return (int)gpus;
}

static bool within(uint64_t since_ns, uint64_t now_ns, uint64_t span_ns)
{
	return now_ns <= since_ns || now_ns - since_ns < span_ns;
}

enum gpu_state board_gpu_state(struct board *board, unsigned int gpu, uint64_t now_ns, uint64_t stale_after_ns,
			       struct sample *ret)
{
	const struct board_gpu *slot = &board->gpu[gpu];
	bool present = atomic_load(&slot->present);
	bool fresh = ring_latest(board_ring(board, gpu), ret) == 0 && within(ret->monotonic_ns, now_ns, stale_after_ns);

	if (!fresh || !present)
		ret->sequence = 0;
	if (!present)
		return GPU_LOST;
	if (fresh)
		return ret->core_failed ? GPU_ERROR : ret->suspended ? GPU_SUSPENDED : GPU_OK;
	/* No sample for so long: its collector has just begun, or waits in a pass for the GPU, or there is none. */
	if (within(atomic_load(&slot->attached_ns), now_ns, stale_after_ns))
		return GPU_OK;
	return atomic_load(&slot->pass_began_ns) > atomic_load(&slot->pass_ended_ns) ? GPU_HUNG : GPU_ERROR;
}
