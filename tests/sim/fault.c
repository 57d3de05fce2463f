/* fault - see the header. */
#include "tests/sim/fault.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/sim/text.h"

const char fault_modes[] =
	"eio eperm einval enodev ebusy eagain enodata eopnotsupp empty garbage ones torn "
	"delay=500ms hang";

static const struct {
	const char *name;
	enum fault_mode mode;
	int error;
} modes[] = {
	{ "none", FAULT_NONE, 0 },	  { "eio", FAULT_ERRNO, EIO },
	{ "eperm", FAULT_ERRNO, EPERM },  { "einval", FAULT_ERRNO, EINVAL },
	{ "enodev", FAULT_ERRNO, ENODEV }, { "ebusy", FAULT_ERRNO, EBUSY },
	{ "eagain", FAULT_ERRNO, EAGAIN }, { "enodata", FAULT_ERRNO, ENODATA },
	{ "eopnotsupp", FAULT_ERRNO, EOPNOTSUPP },
	{ "empty", FAULT_EMPTY, 0 },	  { "garbage", FAULT_GARBAGE, 0 },
	{ "ones", FAULT_ONES, 0 },	  { "torn", FAULT_TORN, 0 },
	{ "hang", FAULT_HANG, 0 },
};
#define MODES (sizeof(modes) / sizeof(modes[0]))

/* "500ms", "2s", "500" (ms); -1 if it is neither. */
static int delay_parse(const char *text)
{
	char number[16];
	size_t size = strspn(text, "0123456789");
	int64_t value;

	snprintf(number, sizeof(number), "%.*s", (int)size, text);
	if (size >= sizeof(number) || !text_number(number, &value) || value > 3600000)
		return -1;
	if (!text[size] || strcmp(text + size, "ms") == 0)
		return value;
	return strcmp(text + size, "s") == 0 && value <= 3600 ? value * 1000 : -1;
}

bool fault_parse(const char *text, struct fault *ret)
{
	size_t i;

	if (strncmp(text, "delay=", 6) == 0) {
		*ret = (struct fault){ .mode = FAULT_DELAY, .delay_ms = delay_parse(text + 6) };
		return ret->delay_ms >= 0;
	}
	for (i = 0; i < MODES; i++) {
		if (strcmp(modes[i].name, text) == 0) {
			*ret = (struct fault){ .mode = modes[i].mode, .error = modes[i].error };
			return true;
		}
	}
	return false;
}

void fault_print(const struct fault *fault, struct text *to)
{
	size_t i;

	if (fault->mode == FAULT_DELAY)
		text_put(to, "delay=%dms", fault->delay_ms);
	for (i = 0; i < MODES; i++)
		if (modes[i].mode == fault->mode && modes[i].error == fault->error)
			text_put(to, "%s", modes[i].name);
}

static void garble(struct text *contents)
{
	size_t i;

	for (i = 0; i < contents->size; i++)
		contents->bytes[i] = (char)text_hash(i, contents->size, 0x6761726261676521);
}

void fault_spoil(const struct fault *fault, bool is_table, struct text *contents)
{
	static const char rubbish[] = "\x01#?\xff-=rubbish\n";

	switch (fault->mode) {
	case FAULT_EMPTY:
		contents->size = 0;
		break;
	case FAULT_GARBAGE:
		if (is_table) {
			garble(contents);
			break;
		}
		contents->size = 0;
		text_add(contents, rubbish, sizeof(rubbish) - 1);
		break;
	case FAULT_ONES:
		if (is_table && contents->size > 4) {
			memset(contents->bytes + 4, 0xff, contents->size - 4);
			break;
		}
		contents->size = 0;
		text_put(contents, "4294967295\n");
		break;
	case FAULT_TORN:
		contents->size /= 2;
		break;
	default:
		break;
	}
}
