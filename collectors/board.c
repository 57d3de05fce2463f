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
	return (sizeof(struct board_memory) + 4095) & ~(size_t)4095;
}

static size_t board_size(uint32_t ring_length)
{
	return board_head_size() + GPUS_MAX * ring_stride(ring_length);
}

struct ring board_ring(const struct board *board, unsigned int gpu)
{
	char *rings = (char *)board->memory + board_head_size();

	return (struct ring){
		.memory = (struct ring_memory *)(rings + gpu * ring_stride(board->ring_length)),
		.length = board->ring_length,
	};
}

static int map_board(int fd, size_t size, struct board_memory **ret)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (memory == MAP_FAILED)
		return -errno;
	*ret = memory;
	return 0;
}

int board_create(uint32_t ring_length, struct board *ret, int *ret_fd)
{
	size_t size = board_size(ring_length);
	int fd = memfd_create("rocwatch-board", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	struct board_memory *memory = NULL;
	int r = fd < 0 ? -errno : 0;

	if (r == 0 &&
	    (ftruncate(fd, (off_t)size) < 0 || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0))
		r = -errno;
	if (r == 0)
		r = map_board(fd, size, &memory);
	if (r < 0) {
		if (fd >= 0)
			close(fd);
		return r;
	}
	memory->magic = BOARD_MAGIC;
	memory->metrics_count = metrics_count;
	memory->ring_length = ring_length;
	memory->size = size;
	*ret = (struct board){ .memory = memory, .ring_length = ring_length, .size = size };
	*ret_fd = fd;
	return 0;
}

int board_open(int fd, struct board *ret)
{
	struct board_memory *memory = NULL;
	struct stat st;
	int r;

	if (fstat(fd, &st) < 0)
		return -errno;
	if ((size_t)st.st_size < sizeof(*memory))
		return -EPROTO;
	r = map_board(fd, (size_t)st.st_size, &memory);
	if (r < 0)
		return r;
	if (memory->magic != BOARD_MAGIC || memory->metrics_count != metrics_count ||
	    memory->size != (uint64_t)st.st_size || board_size(memory->ring_length) != memory->size) {
		munmap(memory, (size_t)st.st_size);
		return -EPROTO;
	}
	*ret = (struct board){ .memory = memory, .ring_length = memory->ring_length, .size = (size_t)st.st_size };
	return 0;
}

void board_close(struct board *board)
{
	if (board->memory != NULL)
		munmap(board->memory, board->size);
	*board = (struct board){ 0 };
}

unsigned int board_gpus(const struct board *board)
{
	unsigned int gpus = atomic_load(&board->memory->gpus);

	return gpus < GPUS_MAX ? gpus : GPUS_MAX;
}

#define END_TEXT(text) ((text)[sizeof(text) - 1] = '\0')

char *board_pci(const struct board *board, unsigned int gpu, char to[PCI_SIZE])
{
	guarded_load(board->memory->gpu[gpu].pci, to, PCI_SIZE);
	to[PCI_SIZE - 1] = '\0';
	return to;
}

int board_identity(const struct board *board, unsigned int gpu, struct board_identity *ret)
{
	const struct board_gpu *slot = &board->memory->gpu[gpu];
	int r = guarded_read(&slot->identity_mark, slot->identity, ret, sizeof(*ret));

	if (r < 0)
		memset(ret, 0, sizeof(*ret));
	board_pci(board, gpu, ret->place.pci);
	END_TEXT(ret->identity.name);
	END_TEXT(ret->identity.unique_id);
	END_TEXT(ret->identity.serial);
	END_TEXT(ret->identity.vbios);
	END_TEXT(ret->identity.vram_vendor);
	return r;
}

void board_set_identity(struct board *board, unsigned int gpu, const struct board_identity *identity)
{
	struct board_gpu *slot = &board->memory->gpu[gpu];

	guarded_write(&slot->identity_mark, slot->identity, identity, sizeof(*identity));
}

int board_library(const struct board *board, struct board_library *ret)
{
	int r = guarded_read(&board->memory->library_mark, board->memory->library_text, ret, sizeof(*ret));

	if (r < 0)
		memset(ret, 0, sizeof(*ret));
	END_TEXT(ret->path);
	END_TEXT(ret->version);
	END_TEXT(ret->why);
	return r;
}

void board_set_library(struct board *board, enum library_state state, const struct board_library *library)
{
	guarded_write(&board->memory->library_mark, board->memory->library_text, library, sizeof(*library));
	atomic_store(&board->memory->library, state);
}

int board_claim(struct board *board, const char *pci)
{
	unsigned int gpus = board_gpus(board), i;
	struct board_identity identity = { .identity = { .numa_node = -1, .kfd_node = -1 } };
	char known[PCI_SIZE];

	for (i = 0; i < gpus; i++)
		if (strcmp(board_pci(board, i, known), pci) == 0)
			return (int)i;
	if (gpus == GPUS_MAX)
		return -ENOSPC;
	snprintf(identity.place.pci, sizeof(identity.place.pci), "%s", pci);
	guarded_store(board->memory->gpu[gpus].pci, identity.place.pci, PCI_SIZE);
	board_set_identity(board, gpus, &identity);
	atomic_store(&board->memory->gpus, gpus + 1);
	return (int)gpus;
}

static bool within(uint64_t since_ns, uint64_t now_ns, uint64_t span_ns)
{
	return now_ns <= since_ns || now_ns - since_ns < span_ns;
}

enum gpu_state board_gpu_state(const struct board *board, unsigned int gpu, enum gpu_state before, uint64_t now_ns,
			       uint64_t stale_after_ns, struct sample *ret)
{
	const struct board_gpu *slot = &board->memory->gpu[gpu];
	const struct ring ring = board_ring(board, gpu);
	bool present = atomic_load(&slot->present);
	bool fresh = ring_latest(&ring, ret) == 0 && within(ret->monotonic_ns, now_ns, stale_after_ns);

	if (!fresh || !present)
		ret->sequence = 0;
	if (!present)
		return GPU_LOST;
	if (fresh)
		return ret->core_failed ? GPU_ERROR : ret->suspended ? GPU_SUSPENDED : GPU_OK;
	/* A pass that hung for long ends with an old sample; the next one tells how the GPU is. */
	if (before == GPU_HUNG)
		return GPU_HUNG;
	/* No sample for so long: its collector has just begun, or waits in a pass for the GPU, or there is none. */
	if (within(atomic_load(&slot->attached_ns), now_ns, stale_after_ns))
		return before;
	return atomic_load(&slot->pass_began_ns) > atomic_load(&slot->pass_ended_ns) ? GPU_HUNG : GPU_ERROR;
}
