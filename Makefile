# A thin front for CMake and tools/: see CONTRIBUTING.md.
#   make            build/steno           make demo      build it and run it on real matrices
#   make check      every test            make bench     build and run the benches, BENCH_ARGS=
#                   QUICK=1 the essential ones, FULL=1 all combinations and fuzzing
#   make versus     comparison with OpenBLAS and BLIS, tables and plots, VERSUS_ARGS=
#   make fuzz       fuzz the readers      make format    format the sources by clang-format
#   make abi        write the binary interface of the libraries to abi/
#   make install    DESTDIR=, PREFIX=, STATIC=1 for static libraries, too
#   make clean      remove what was built
#   make pictures   draw the pictures of doc/ by steno-plot
#   make docs       build/docs/html, the guides and the API reference; build/docs/man, man pages
#   make python     build/python/pysteno-*.whl, the Python package
#   make dist-accessor                    the accessors as one file and as an archive

BUILD        ?= build
PREFIX       ?= /usr/local
FUZZ_SECONDS ?= 60
JOBS         ?= $(shell nproc 2>/dev/null || echo 2)
CMAKE_ARGS   ?=
MATRIX       ?=
BENCH_ARGS   ?=
VERSUS_ARGS  ?=
QUICK        ?=
FULL         ?=
STATIC       ?=

MAKEFLAGS += --no-print-directory

# A build folder keeps its generator.
ifneq ($(shell command -v ninja 2>/dev/null),)
export CMAKE_GENERATOR ?= Ninja
endif

steno: $(BUILD)/CMakeCache.txt
	@cmake --build $(BUILD) --parallel $(JOBS) --target steno_command

all: $(BUILD)/CMakeCache.txt
	@cmake --build $(BUILD) --parallel $(JOBS)

$(BUILD)/CMakeCache.txt:
	@cmake -S . -B $(BUILD) -DSTENO_WITH_TESTS=OFF -DCMAKE_INSTALL_PREFIX=$(PREFIX) \
	    $(CMAKE_ARGS) > /dev/null

# A build that exists is used; otherwise what the demo runs is built for this processor only: loops of the formats that
# `steno bench` measures by default, and not the libraries that the demo does not call.
DEMO_FORMATS = f64;f32;f16;bf16;i16;e4m3;i8
demo: DEMO = $(if $(wildcard $(BUILD)/CMakeCache.txt),$(BUILD),$(BUILD)/native)
demo:
	@bash tools/setup.sh demo
	@$(MAKE) steno BUILD=$(DEMO) CMAKE_ARGS="-DSTENO_NATIVE=ON '-DSTENO_LOOP_FORMATS=$(DEMO_FORMATS)' \
	    -DSTENO_WITH_CBLAS=OFF -DSTENO_WITH_CONTRACT=OFF -DSTENO_WITH_PETSC=OFF -DSTENO_WITH_MPI=OFF $(CMAKE_ARGS)"
	@bash tools/demo.sh $(DEMO)/steno $(BUILD)/demo $(MATRIX)

check:
	@bash tools/setup.sh check
	@QUICK=$(QUICK) FULL=$(FULL) FUZZ_SECONDS=$(FUZZ_SECONDS) bash tools/check.sh

bench:
	@bash tools/setup.sh demo
	@$(MAKE) -s $(BUILD)/CMakeCache.txt
	@cmake --build $(BUILD) --parallel $(JOBS) --target benches
	@for bench in $(BUILD)/bench/bench_*; do \
	    echo "== $${bench##*/}"; $$bench $(BENCH_ARGS) || exit 1; \
	done

versus:
	@bash tools/setup.sh demo
	@$(MAKE) steno
	@mkdir -p $(BUILD)/versus
	@$(BUILD)/steno bench versus $(VERSUS_ARGS) --csv $(BUILD)/versus/versus.csv --json $(BUILD)/versus/versus.json
	@for kind in svg png; do \
	    tools/steno-plot $(BUILD)/versus/versus.csv --output $(BUILD)/versus/versus.$$kind || exit 1; \
	done
	@echo "rows: $(BUILD)/versus/versus.csv $(BUILD)/versus/versus.json"
	@echo "plots: $(BUILD)/versus/versus.svg $(BUILD)/versus/versus.png"

pictures:
	@bash tools/setup.sh demo
	@$(MAKE) steno
	@bash tools/pictures.sh $(BUILD)/steno doc/pictures

fuzz:
	@bash tools/setup.sh check
	@bash tools/fuzz.sh $(FUZZ_SECONDS)

format:
	@bash tools/format.sh write

abi:
	@bash tools/abi.sh write

docs:
	@bash tools/setup.sh docs
	@$(MAKE) steno
	@bash tools/docs.sh site $(BUILD)/docs
	@bash tools/docs.sh commands $(BUILD)/docs $(BUILD)/steno
	@echo "$(BUILD)/docs/html/index.html"

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX) --strip
	@[ -z "$(STATIC)" ] || cmake --install $(BUILD) --prefix $(PREFIX) --component static

python:
	@bash tools/setup.sh python
	@bash tools/python.sh wheel $(BUILD)/python

dist-accessor:
	@bash tools/dist-accessor.sh $(BUILD)/dist

clean:
	rm -rf $(BUILD)

.PHONY: steno all demo check bench versus pictures fuzz format abi docs install python dist-accessor clean
