#!/usr/bin/env bash
# steno contract alignment: the model yields the figures of a known study. Measurements, by a stand-in of ncu and by
# valgrind, must be equal to it, or the command fails. Missing tools are reported.
source "$(dirname "$0")/../../test/support/test.sh"
steno=${STENO:?the command}
needs "$steno"
driver=${BUILD_DIR:?the build folder}/test/cuda/stand_in.so
[ -e "$driver" ] || exit 77
mkdir "$work/bin" "$work/tmp"
export TMPDIR=$work/tmp

run() { # run STATUS WORD...
    local status=$1
    shift
    returns "$status" "$steno" contract alignment "$@"
    [ "$(echo tmp/*)" = 'tmp/*' ] || fail "$*: leaves $(echo tmp/*)"
}

row() { # row NAME FIGURE...: a row of the table begins with these, with blanks between
    local line
    line=$(awk -v name="$1" '{ gsub(/ +/, " ") } index($0, name " ") == 1 { print; exit }' out)
    case "$line " in
    "$* "*) ;;
    *) fail "row '$*' is '$line'" ;;
    esac
}

# ---- GPUs, without any of NVIDIA's parts

cc=${CC:-cc}
"$cc" -std=c11 -shared -fPIC "$SOURCE_DIR/contract/test/nvrtc_stand_in.c" "$SOURCE_DIR/test/support/cubin_made.c" \
    -o nvrtc.so || exit 77
"$cc" -std=c11 -shared -fPIC -isystem /usr/local/cuda/include "$SOURCE_DIR/contract/test/nvtx_injection.c" \
    -o nvtx.so || exit 1

# What ncu prints of the launch, with one figure or line changed by a sed script; the program is run as ncu runs it.
cat >bin/ncu <<'END'
#!/usr/bin/env bash
echo "$@" >"$NCU_LOG"
while [ "$1" != --metrics ]; do shift; done
metrics=$2
shift 2
echo "==PROF== Connected to process 4711 (steno)"
if [ "$NCU_MODE" = permission ]; then
    echo "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters."
    exit 1
fi
[ "$NCU_MODE" != killed ] || kill -KILL $$
NVTX_INJECTION64_PATH=$NVTX_LIBRARY "$@" || { echo "==ERROR== The application returned an error code ($?)."; exit 1; }
[ "$NCU_MODE" != fails ] || { echo "==ERROR== Profiling failed because a driver resource was unavailable."; exit 9; }
echo "==PROF== Disconnected from process 4711"
{
    echo '"ID","Process ID","Process Name","Host Name","thread Domain:Push/Pop_Range","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"'
    id=0
    for kernel in "muladd_c8(c8 *, const c8 *, const c8 *, int)" muladd_c16; do
        for figure in $(grep -F "${kernel%%(*} " <<<"$NCU_FIGURES" | cut -d' ' -f2-); do
            case ",$metrics," in *",${figure%%=*},"*) ;; *) continue ;; esac
            echo "\"$id\",\"4711\",\"steno\",\"here\",\"4711 \"\"<default domain>:alignment\"\" \",\"$kernel\",\"1\",\"7\",\"(256, 1, 1)\",\"(4, 1, 1)\",\"0\",\"9.0\",\"Command line profiler metrics\",\"${figure%%=*}\",\"\",\"${figure#*=}\""
        done
        id=$((id + 1))
    done
} | sed "$NCU_SED"
END
chmod +x bin/ncu

# Of the study; the kernels of the stand-in have 11 and 7 instructions, for 32 warps.
export NCU_FIGURES='muladd_c8 smsp__sass_inst_executed_op_global_ld.sum=192 smsp__sass_inst_executed_op_global_st.sum=64
muladd_c8 smsp__sass_inst_executed_op_local_st.sum=0 smsp__inst_executed.sum=352
muladd_c8 l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum=192 l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum=3,072
muladd_c8 l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum=1,024
muladd_c8 l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum=1,536
muladd_c8 lts__t_sectors_srcunit_tex_op_read_lookup_miss.sum=1,540 dram__bytes_read.sum=49,664
muladd_c16 smsp__sass_inst_executed_op_global_ld.sum=96 smsp__sass_inst_executed_op_global_st.sum=32
muladd_c16 smsp__sass_inst_executed_op_local_st.sum=0 smsp__inst_executed.sum=224
muladd_c16 l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum=96 l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum=1,536
muladd_c16 l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum=512
muladd_c16 l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum=1,536
muladd_c16 lts__t_sectors_srcunit_tex_op_read_lookup_miss.sum=1,536 dram__bytes_read.sum=49,152'
export NCU_LOG=$work/ncu.log NVTX_LOG=$work/nvtx.log NVTX_LIBRARY=$work/nvtx.so NCU_MODE= NCU_SED=
export STENO_NVRTC=$work/nvrtc.so STENO_CUDA_DRIVER=$driver STENO_CACHE=off
usual=$PATH
PATH=$work/bin:$PATH

the_study() {
    row "sm_80 |" 6x64 2x64 11 352 "|" 3x128 1x128 7 224 "|" 24, 20
    row "sm_90 |" 6x64 2x64 11 352 "|" 3x128 1x128 7 224 "|" 24, 20
    row "L1 load requests" 192 96
    row "local stores" 0 0
    row "other instructions" 96 96
    row "load sectors per request" 16 16
    row "L1 load hits" 50 % 0 %
    row "load efficiency" 50 % 100 %
}

run 0 --only gpu
the_study
row "loads" 192 96 192 96 smsp__sass_inst_executed_op_global_ld.sum
row "stores" 64 32 64 32
row "instructions" 352 224 352 224
row "L1 load sectors" 3072 1536 3072 1536
row "L1 store sectors" 1024 512 1024 512
row "L1 load misses" 1536 1536 1536 1536
row "L2 read misses" 1536 1536 1540 1536
row "DRAM bytes read" 49152 49152 49664 49152
says "on sm_90"
says "Measured on stand-in 0, sm_90."
says "--nvtx --nvtx-include alignment/ --metrics smsp__sass_inst_executed_op_global_ld.sum," ncu.log
says "contract alignment --launch --elements 1024 --threads 256" ncu.log
[ "$(cat nvtx.log)" = "push alignment after 0 launches, 0 wrong
pop it after 2 launches, 0 wrong" ] || fail "NVTX: $(cat nvtx.log)"

# Pictures and page have these figures.
plot=$SOURCE_DIR/tools/steno-plot
if has gnuplot && has python3; then
    PATH=$work/bin:$usual "$steno" contract alignment --only gpu --json >rows.json
    for file in page.html picture.svg; do
        returns 0 "$plot" rows.json --output $file
        if has xmllint; then
            xmllint --noout $file 2>err || fail "$file: $(head -n 3 err)"
        fi
    done
    for word in 3072 1536 192 96 "100 %" "aligned to 8 bytes" \
        "aligned to 8: load 2 of 2, 50 % of each sector" "aligned to 16: load 1 of 1, 100 % of each sector"; do
        says ">$word<" picture.svg
    done
    says '<tr><td>L1 load sectors</td><td>3072</td><td>1536</td><td>3072</td><td>1536</td><td>l1tex__t_sectors_pipe' page.html
    says '<tr><td>sm_90</td><td>6x64</td><td>2x64</td><td>11</td><td>24</td><td>3x128</td><td>1x128</td>' page.html
    # each load of 64 bits requests half of 64 words; the load of 128 bits all of them
    expect "words of two loads of 64 bits" "$(grep -c "rgb(213, *94, *0)" picture.svg)" "$((64 + 7 + 1))"
    expect "words that no load uses" "$(grep -c "rgb(220, *220, *224)" picture.svg)" 64
fi

# As JSON, the same.
run 0 --only gpu --json
if has python3; then
    python3 - <<'END' || fail "JSON"
import json
all = json.load(open("out"))
assert [gpu["target"] for gpu in all["gpu"]] == ["sm_80", "sm_90"]
narrow, wide = (all["gpu"][1]["aligned_%d" % k] for k in (8, 16))
assert narrow["loads"] == {"64": 6} and wide["stores"] == {"128": 1}, all
assert narrow["bytes_read"] == wide["bytes_read"] == 48 and narrow["bytes_written"] == 16
assert narrow["executed_per_opcode"] == {"NOP": 32, "EXIT": 64, "LDG": 192, "STG": 64}, narrow
assert wide["executed_per_opcode"] == {"NOP": 32, "EXIT": 64, "LDG": 96, "STG": 32}, wide
assert all["shown"] == "sm_90" and all["metrics"]["DRAM bytes read"] == "dram__bytes_read.sum"
assert narrow["model"]["load efficiency"] == 0.5 and wide["model"]["L1 load sectors"] == 1536
assert all["measured"]["aligned_8"]["L2 read misses"] == 1540 and all["measured_note"] == ""
END
fi

# Partial warps: 1000 threads are 32 warps, the last one with 8.
NCU_MODE=permission run 0 --only gpu --elements 1000 --threads 128
row "loads" 192 96
row "L1 load sectors" 3000 1500
says "not measured: ncu is not permitted to read the counters of this GPU: ==ERROR== ERR_NVGPUCTRPERM - The user"

# A figure that is not the model's fails, misses do not; nor is a table without a figure passed over.
NCU_SED='/c16/s/"1,536"/"1,537"/' run 1 --only gpu
says "L1 load sectors: measured 1537, modeled 1536" err
says "1537"
NCU_SED='s/"352"/"353"/' run 1 --only gpu
says "muladd_c8: instructions: measured 353, modeled 352" err
NCU_SED='/lookup_miss/s/,"[0-9,]*"$/,"7"/' run 0 --only gpu
row "L1 load misses" 1536 1536 7 7
NCU_SED='/op_st.sum/d' run 1 --only gpu
says "ncu reported no l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum for muladd_c8" err
NCU_SED='s/"192"/"n\/a"/' run 1 --only gpu
says "ncu reported no smsp__sass_inst_executed_op_global_ld.sum for muladd_c8" err
NCU_SED='/Metric/d' run 1 --only gpu
says "ncu reported no" err
NCU_MODE=fails run 1 --only gpu
says "ncu returned exit status 9; its output: ==ERROR== Profiling failed" err
NCU_MODE=killed run 1 --only gpu
says "ncu returned exit status 137" err
NVTX_LIBRARY=$work/absent.so run 0 --only gpu # a profiler without NVTX: the launch goes on

# Missing tools are reported, and are no failure.
run 0 --only gpu --ncu absent-ncu
the_study
says "not measured: absent-ncu, NVIDIA's profiler, not found"
STENO_CUDA_DRIVER=$work/absent.so run 0 --only gpu
row "loads" 192 96 smsp__sass_inst_executed_op_global_ld.sum
says "not measured: CUDA driver not found"
STENO_NVRTC=$work/absent.so run 0 --only gpu
says "GPUs: not available: NVRTC, which compiles"
STENO_NVRTC=libm.so.6 run 0 --only gpu
says "GPUs: not available: NVRTC is too old: it has no nvrtcVersion"
STENO_NVRTC=$work/absent.so run 0 --only gpu --json
says '"gpu":[],"shown":null'
NVRTC_FAILS=1 run 1 --only gpu
says "NVRTC does not compile complex.cu for sm_80" err
STENO_NVRTC=$work/absent.so run 1 --launch

# ---- CPUs: a valgrind that is wrong, fails, or is not there

PATH=$usual
if has gcc && has objdump; then
    cat >bin/valgrind <<'END'
#!/usr/bin/env bash
[ "$VALGRIND_MODE" != fails ] || exit 3
for word; do case $word in --log-file=*) "$REAL_VALGRIND" "$@" && sed -i "$VALGRIND_SED" "${word#*=}" ;; esac; done
END
    chmod +x bin/valgrind
    mkdir alone
    for tool in gcc as ld objdump; do ln -s "$(command -v $tool)" alone/$tool; done
    if [ -n "${STENO_TEST_FULL:-}" ]; then
        PATH=$work/alone run 0 --only cpu
        row "clang --target=x86_64-linux-gnu -O3 |" not installed
        [ "$(uname -m)" != x86_64 ] || says "gcc -O3: not executed: valgrind not found"
    fi
    if [ "$(uname -m)" = x86_64 ]; then
        ln -s "$work/bin/valgrind" alone/valgrind
        ln -s "$(command -v bash)" "$(command -v sed)" alone
        REAL_VALGRIND=$(command -v valgrind)
        export REAL_VALGRIND VALGRIND_MODE= VALGRIND_SED=
        if [ -n "${STENO_TEST_FULL:-}" ]; then
            VALGRIND_MODE=fails PATH=$work/alone run 0 --only cpu
            says "gcc -O3: not executed: valgrind returned exit status 3"
        fi
        if [ -n "$REAL_VALGRIND" ]; then # stores of 16 bytes become loads
            VALGRIND_SED='s/^ S \(.*\),16$/ L \1,16/' PATH=$work/alone run 1 --only cpu
            says "gcc -O3, muladd_c8: loads of 128 bits counted by valgrind: measured 5120, modeled 4096" err
        fi
    fi
fi

# ---- all that is here: compilers, NVRTC, valgrind

unset STENO_NVRTC STENO_CUDA_DRIVER
run 0
widths='6x64 +2x64 +[0-9]+ +([0-9]+|-) \| 3x128 +1x128 '
if grep -q '^sm_' out; then
    [ "$(grep -c '^sm_' out)" = "$(grep -cE "^sm_[0-9]+ +\| $widths" out)" ] || fail "$(grep '^sm_' out)"
    row "loads" 192 96
    row "stores" 64 32
    row "L1 load sectors" 3072 1536
    row "L1 load misses" 1536 1536
    row "load efficiency" 50 % 100 %
    says "except for the instructions"
    # what an H100 counted, of 2^20 warps with the code of the same compiler
    counted=$(awk -F'[|]' '/smsp__inst_executed.sum/ { gsub(/[, ]/, ""); print $3 / 2 ^ 20, $4 / 2 ^ 20 }' \
        "$SOURCE_DIR/doc/results/gpu-h100-80gb-hbm3.md")
    if has nvcc && nvcc --version | grep -q 'release 13.0'; then
        [ "$counted" = "$(awk '$1 == "sm_90" { print $6 / 32, $11 / 32 }' out)" ] ||
            fail "sm_90 executes other numbers of instructions than an H100 counted: $counted"
    fi
else
    says "GPUs: not available"
fi
if has valgrind && [ "$(uname -m)" = x86_64 ] && has gcc; then
    [ "$(grep -A 4 '^gcc -O3$' out | grep -cE '(model|valgrind) +[0-9]+ +[0-9]+x')" -eq 4 ] ||
        fail "valgrind has not run the loops of gcc: $(cat out)"
    if [ "$(gcc -dumpversion)" = 12 ]; then
        row "gcc -O3 |" 4x128 1x128 18 "|" 4x128 1x128 17
        row "gcc -O3 -march=x86-64-v3 |" 5x256 1x256 10 "|" 5x256 1x256 10
        row "gcc -O3 -march=x86-64-v4 |" 5x512 1x512 10 "|" 5x512 1x512 10
        says "  muladd_c8  valgrind    18432  4096x128           1024x128"
        says "  muladd_c16 valgrind    17408  4096x128           1024x128"
    fi
    says "not executed: valgrind does not support AVX-512"
fi
if has aarch64-linux-gnu-gcc && has aarch64-linux-gnu-objdump &&
    [ "$(aarch64-linux-gnu-gcc -dumpversion)" = 12 ]; then
    row "aarch64-linux-gnu-gcc -O3 |" 3x256 1x256 14 "|" 3x256 1x256 14
fi

# The manual quotes what these compilers give, and draws it.
if [ "$(grep -cE '^(sm_|  muladd)' out)" -eq 28 ] && nvcc --version | grep -q 'release 13.0' && [ "$(gcc -dumpversion)" = 12 ] &&
    clang --version | grep -q 'version 14'; then
    awk '/^<!-- prints -->$/ { quoted = 1 } /^```/ && quoted { inside = !inside; if (!inside) quoted = 0; next } inside' \
        "$SOURCE_DIR/doc/alignment.md" >quotes
    [ "$(wc -l <quotes)" -gt 40 ] || fail "the manual quotes $(wc -l <quotes) lines"
    while IFS= read -r line; do says "$line"; done <quotes
    if has gnuplot && has python3; then # the pictures have the same texts
        mkdir pictures
        bash "$SOURCE_DIR/tools/pictures.sh" "$steno" pictures || fail "pictures.sh"
        for picture in alignment-sectors.svg alignment-executed.svg; do
            cmp <(grep '<text>' pictures/$picture) <(grep '<text>' "$SOURCE_DIR/doc/pictures/$picture") ||
                fail "doc/pictures/$picture is not what make pictures draws"
        done
    fi
fi

# ---- words

refuses() { # refuses WORDS WORD...
    local words=$1
    shift
    run 1 "$@"
    [ ! -s out ] || fail "$*: printed $(head -n 1 out)"
    says "$words" err
}
refuses "--only must be gpu or cpu, not 'tpu'" --only tpu
refuses "number of threads 1025 is too large" --threads 1025
refuses "number of elements '0' must be a positive integer" --elements 0
refuses "unexpected argument 'more'" more
refuses "option '--nothing' is unknown" --nothing

finish
