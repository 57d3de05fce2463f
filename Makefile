# rocwatch - all targets; there is no configure step. `make help` lists them.

VERSION := 0.1.0
BUILD ?= build
CC ?= gcc
CFLAGS ?= -O2 -g
SANITIZE ?=
PKG_CONFIG ?= pkg-config

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat-security
# What is done, in a word; V=1 shows the whole commands.
SAY = $(if $(V),,@printf '  %-4s %s\n' $(1) $@;)
HARDENING := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer $(if $(findstring thread,$(SANITIZE)),-Wno-tsan),-D_FORTIFY_SOURCE=2 -fstack-protector-strong)
COMPILE := $(CC) -std=gnu17 $(CFLAGS) $(WARNINGS) $(HARDENING) -fPIE -pthread -D_GNU_SOURCE -I. -MMD -MP \
	-DROCWATCH_VERSION='"$(VERSION)"'
LINK := $(CC) $(CFLAGS) $(HARDENING) -pie -pthread -Wl,-z,relro,-z,now $(LDFLAGS)

CORE_PACKAGES := libmicrohttpd libsystemd
SIM_PACKAGES := fuse3
CORE_LIBS = $(shell $(PKG_CONFIG) --libs $(CORE_PACKAGES)) -linih -ldl -lm
SIM_FLAGS = $(shell $(PKG_CONFIG) --cflags $(SIM_PACKAGES))
SIM_LIBS = $(shell $(PKG_CONFIG) --libs $(SIM_PACKAGES)) -lm

CORE_SOURCES := $(wildcard collectors/*.c config/*.c daemon/*.c daemon/rules/*.c exporter/*.c systemd/*.c)
SIM_SOURCES := $(wildcard tests/sim/*.c) collectors/gpu_metrics_layout.c
UNIT_SOURCES := $(wildcard tests/unit/test_*.c)
RULES := $(wildcard config/rules.d/*.conf)

CORE_OBJECTS := $(CORE_SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/rules_pack.o
LIBRARY_OBJECTS := $(filter-out $(BUILD)/daemon/main.o,$(CORE_OBJECTS))
SIM_OBJECTS := $(SIM_SOURCES:%.c=$(BUILD)/%.o)
UNIT_TESTS := $(UNIT_SOURCES:%.c=$(BUILD)/%)
# What several threads share: run a second time under the thread checker.
THREAD_TESTS := $(patsubst %,$(BUILD)/tsan/tests/unit/%,test_ring test_http test_guarded test_journal_queue)
E2E_TESTS := $(wildcard tests/e2e/test_*.py)

.PHONY: all run check check-unit check-e2e fuzz lint golden docs install clean help deps-build deps-run deps-check
.DELETE_ON_ERROR:
.SECONDARY:

all: $(BUILD)/rocwatchd $(BUILD)/rocwatch-sim ## build the daemon and the simulator (needs only the build packages)

$(BUILD)/rocwatchd: $(CORE_OBJECTS)
	$(call SAY,LINK)$(LINK) -o $@ $^ $(CORE_LIBS)

$(BUILD)/rocwatch-sim: $(SIM_OBJECTS)
	$(call SAY,LINK)$(LINK) -o $@ $^ $(SIM_LIBS)

$(BUILD)/tests/sim/%.o: tests/sim/%.c
	@mkdir -p $(@D)
	$(call SAY,CC)$(COMPILE) $(SIM_FLAGS) -DSIM_PROFILES='"$(CURDIR)/tests/sim/profiles"' -c -o $@ $<

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call SAY,CC)$(COMPILE) -c -o $@ $<

# The shipped rules stand in the binary, so that it is useful from any folder.
$(BUILD)/rules_pack.c: $(RULES) packaging/embed-rules
	@mkdir -p $(@D)
	$(call SAY,GEN)packaging/embed-rules $(RULES) > $@

$(BUILD)/rules_pack.o: $(BUILD)/rules_pack.c
	$(call SAY,CC)$(COMPILE) -c -o $@ $<

$(BUILD)/tests/unit/test_%: $(BUILD)/tests/unit/test_%.o $(LIBRARY_OBJECTS)
	$(call SAY,LINK)$(LINK) -o $@ $^ $(CORE_LIBS) -lcmocka

# A library for one e2e test: the real ROCm SMI with one call that leads into its abort().
$(BUILD)/abort_shim.so: tests/e2e/abort_shim.c
	@mkdir -p $(@D)
	$(call SAY,LINK)$(CC) -std=gnu17 $(CFLAGS) $(WARNINGS) -fPIC -shared -D_GNU_SOURCE -o $@ $< -ldl

-include $(CORE_OBJECTS:.o=.d) $(SIM_OBJECTS:.o=.d) $(UNIT_TESTS:=.d)

run: deps-run ## watch this machine's AMD GPUs, or a simulated 8-GPU MI210 node where there are none
	@$(MAKE) --no-print-directory all
	@packaging/run $(BUILD)

check: deps-check ## build and run every test; ends with "N passed, N failed, N skipped"
	@$(MAKE) --no-print-directory all lint
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/asan SANITIZE=address,undefined all unit-tests $(BUILD)/asan/abort_shim.so
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/tsan SANITIZE=thread $(THREAD_TESTS)
	@ROCWATCH_BUILD=$(BUILD)/asan tests/run $(UNIT_TESTS:$(BUILD)/%=$(BUILD)/asan/%) $(THREAD_TESTS) $(E2E_TESTS)

.PHONY: unit-tests
unit-tests: $(UNIT_TESTS)

check-unit: ## the unit tests alone, under ASan and UBSan
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/asan SANITIZE=address,undefined unit-tests
	@tests/run $(UNIT_TESTS:$(BUILD)/%=$(BUILD)/asan/%)

check-e2e: all $(BUILD)/abort_shim.so ## the end-to-end tests alone, on the plain build
	@ROCWATCH_BUILD=$(BUILD) tests/run $(E2E_TESTS)

FUZZ_SECONDS ?= 60
fuzz: $(BUILD)/rules_pack.c ## feed nonsense to the decoder and the settings reader (clang's libFuzzer; FUZZ_SECONDS=60)
	@mkdir -p $(BUILD)/fuzz
	@for target in tests/fuzz/fuzz_*.c; do \
		name=$$(basename $$target .c) && \
		clang -std=gnu17 -g -O1 -D_GNU_SOURCE -I. -fsanitize=fuzzer,address,undefined -o $(BUILD)/fuzz/$$name \
			$$target collectors/gpu_metrics*.c collectors/throttle.c config/*.c -linih -lm && \
		$(BUILD)/fuzz/$$name -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 -artifact_prefix=$(BUILD)/fuzz/ || exit 1; \
	done

lint: all ## rules of the house that a machine can hold
	@tests/lint $(BUILD)

golden: all ## write the pages of the simulated machines anew; read the diff
	@ROCWATCH_BUILD=$(BUILD) tests/e2e/test_golden.py --rewrite

docs: all ## write what the binary knows of itself: docs/metrics.md, config/rocwatch.conf
	@packaging/write-docs $(BUILD)

prefix ?= /usr/local
sysconfdir ?= /etc
unitdir ?= $(prefix)/lib/systemd/system
install: all ## install below $(DESTDIR)$(prefix)
	install -D -m 755 $(BUILD)/rocwatchd $(DESTDIR)$(prefix)/bin/rocwatchd
	install -D -m 755 $(BUILD)/rocwatch-sim $(DESTDIR)$(prefix)/bin/rocwatch-sim
	install -d $(DESTDIR)$(prefix)/share/rocwatch-sim/profiles
	install -m 644 tests/sim/profiles/*.profile $(DESTDIR)$(prefix)/share/rocwatch-sim/profiles
	install -D -m 644 config/rocwatch.conf $(DESTDIR)$(sysconfdir)/rocwatch/rocwatch.conf
	install -d $(DESTDIR)$(sysconfdir)/rocwatch/rules.d
	install -d $(DESTDIR)$(unitdir)
	sed 's,/usr/bin/rocwatchd,$(prefix)/bin/rocwatchd,' systemd/rocwatchd.service > $(DESTDIR)$(unitdir)/rocwatchd.service
	install -D -m 644 systemd/rocwatch.sysusers $(DESTDIR)$(prefix)/lib/sysusers.d/rocwatch.conf
	install -D -m 644 systemd/rocwatch.catalog $(DESTDIR)$(prefix)/lib/systemd/catalog/rocwatch.catalog

deps-build deps-run deps-check: deps-%:
	@packaging/deps $* $(DEPS)

clean: ## remove what was built
	rm -rf $(BUILD)

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 22
