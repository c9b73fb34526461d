#!/usr/bin/env bash
# Cubins as nvcc and NVRTC make them for sm_80, sm_90, sm_100 and sm_120, with STENO_TEST_FULL for every
# architecture that nvcc has from sm_75 on: alignment decides the width of loads and stores, registers
# and spills are those that ptxas reports, and instructions those that nvdisasm prints (the one in $NVDISASM, on
# the PATH or from pip, where there is one).
source "$(dirname "$0")/../../test/support/test.sh"
steno=${STENO:?the command}
needs "$steno"
kernels=$SOURCE_DIR/contract/test/kernels.cu
checked=0

# A column of the line of one kernel: target regs stack spill loads stores local ...
column() { # column FILE KERNEL NUMBER
    "$steno" contract cubin "$1" --kernel "$2" | awk -v column="$3" 'NR == 2 { print $column }'
}

expect() { # expect WHAT FOUND WANTED
    checked=$((checked + 1))
    [ "$2" = "$3" ] || fail "$1: '$2', not '$3'"
}

# ---- widths

expect_widths() { # expect_widths FILE SM
    local wide_load=2x128 wide_store=2x128
    [ "$2" -lt 100 ] || { wide_load=1x256 wide_store=1x256; }
    expect "sm_$2, align 8, loads" "$(column "$1" muladd_c8 5)" 6x64
    expect "sm_$2, align 8, stores" "$(column "$1" muladd_c8 6)" 2x64
    expect "sm_$2, align 16, loads" "$(column "$1" muladd_c16 5)" 3x128
    expect "sm_$2, align 16, stores" "$(column "$1" muladd_c16 6)" 1x128
    expect "sm_$2, align 32, loads" "$(column "$1" copy_c32 5)" $wide_load
    expect "sm_$2, align 32, stores" "$(column "$1" copy_c32 6)" $wide_store
}

# ---- resources, by ptxas

# Of one kernel: "registers stack-frame spill-bytes".
reported_by_ptxas() { # reported_by_ptxas LOG KERNEL
    awk -v kernel="'$2'" '
        /Compiling entry function/ { inside = index($0, kernel) }
        inside && /bytes stack frame/ {
            frame = $1
            for (k = 1; k < NF; k++)
                if ($k == "spill")
                    spill += $(k - 2)
        }
        inside && /Used [0-9]+ registers/ {
            for (k = 1; k < NF; k++)
                if ($k == "Used")
                    registers = $(k + 1)
        }
        END { print registers, frame, spill + 0 }' "$1"
}

expect_resources() { # expect_resources FILE LOG SM
    local kernel
    for kernel in muladd_c8 muladd_c16 copy_c32 axpy_f32_f64 spill; do
        expect "sm_$3, $kernel: registers, frame, spills" \
            "$(column "$1" $kernel 2) $(column "$1" $kernel 3) $(column "$1" $kernel 4)" \
            "$(reported_by_ptxas "$2" $kernel)"
    done
    [ "$(column "$1" spill 4)" -gt 1000 ] || fail "sm_$3: the spill kernel does not spill"
}

# ---- instructions, by nvdisasm

# "mnemonic" per line, without modifiers; padding and the jump to itself are left out on both sides.
mnemonics() {
    sed -E 's/@!?U?P[0-9T]+ //; s/^ *//; s/[. ;].*//' | grep -v -x -E 'NOP|BRA' |
        sed -E 's/^CGAERRBAR$/ERRBAR/; s/^REDG$/RED/; s/^UCGABAR_.*/UCGABAR/' | sort | uniq -c
}

expect_instructions() { # expect_instructions FILE SM
    "$nvdisasm" -c "$1" 2>/dev/null | sed -n -E 's@^ +/\*[0-9a-f]{4,}\*/ +(.*)@\1@p' | mnemonics \
        >"$work/theirs"
    "$steno" contract report "$1" --loop none --list | sed -n -E 's/^ +[0-9a-f]+  (.*)/\1/p' |
        mnemonics >"$work/ours"
    checked=$((checked + 1))
    [ "$(wc -l <"$work/theirs")" -gt 20 ] || fail "sm_$2: $nvdisasm lists few instructions"
    diff "$work/theirs" "$work/ours" >"$work/diff" || fail "sm_$2: $(cat "$work/diff")"
}

# As many registers hold values that are still needed as nvdisasm finds, where none are written under
# a predicate first, and no function is called.
expect_live() { # expect_live FILE SM
    local kernel theirs
    for kernel in muladd_c8 muladd_c16 copy_c32 axpy_loop spill; do
        theirs=$("$nvdisasm" -c -lrm count "$1" 2>/dev/null | awk -v section=".text.$kernel " '
            /^\/\/-+ / { inside = index($0, section) }
            inside && match($0, /\/\/ \| +[0-9]+ /) {
                count = substr($0, RSTART + 4, RLENGTH - 4) + 0
                if (count > most)
                    most = count
            }
            END { print most }')
        expect "sm_$2, $kernel, live registers" \
            "$("$steno" contract cubin "$1" --kernel $kernel | awk 'NR == 2 { print $(NF - 2) }')" "$theirs"
    done
}

expect_nothing_unknown() { # expect_nothing_unknown FILE SM
    local unknown
    unknown=$("$steno" contract cubin "$1" | awk 'NR > 1 { sum += $(NF - 1) } END { print sum + 0 }')
    expect "sm_$2, unknown instructions" "$unknown" 0
}

# ---- where cubins come from

with_nvcc() { # with_nvcc SM
    local cubin=$work/$1.cubin log=$work/$1.log
    if ! nvcc -cubin -arch="sm_$1" -O3 -Xptxas -v "$kernels" -o "$cubin" >"$log" 2>&1; then
        fail "nvcc for sm_$1: $(cat "$log")"
        return
    fi
    expect_widths "$cubin" "$1"
    expect_resources "$cubin" "$log" "$1"
    expect_nothing_unknown "$cubin" "$1"
    [ -z "$nvdisasm" ] || expect_instructions "$cubin" "$1"
    [ -z "$nvdisasm" ] || expect_live "$cubin" "$1"
}

# The grid-stride loop is one; the serial one advances by what it reads.
expect_loops() {
    local report
    report=$("$steno" contract report "$work/90.cubin" --fn axpy_loop --json)
    grep -q '"loops": *[[1]' <<<"$report" || fail "axpy_loop has no loop: $report"
    checked=$((checked + 1))
}

# Control codes as columns, and as JSON for each instruction.
expect_control() {
    local listing json
    listing=$("$steno" contract report "$work/90.cubin" --fn muladd_c16 --control)
    grep -q 'waits  rd wr y stall reuse' <<<"$listing" || fail "--control has no head: $listing"
    grep -q -E ' [-0-5]{6}  - {2}[0-5] . +[0-9]+ [-abcd]{4} +[0-9]+ +[0-9]+ +[0-9]+ +0  LDG.128' <<<"$listing" ||
        fail "--control has no load that a barrier waits for: $listing"
    json=$("$steno" contract report "$work/90.cubin" --fn muladd_c16 --control --json)
    grep -q '"read_barrier":null,"wait":' <<<"$json" || fail "--control --json: $json"
    checked=$((checked + 1))
}

# As JSON, the same kernels and counts as those of report.
expect_json() {
    local kernels reported
    kernels=$("$steno" contract cubin "$work/90.cubin" --kernel muladd_c16 --json)
    reported=$("$steno" contract report "$work/90.cubin" --fn muladd_c16 --loop none --json)
    expect "cubin --json" "$kernels" "$reported"
    grep -q '"load.128": *3' <<<"$kernels" || fail "cubin --json has no loads: $kernels"
}

# In a host object the kernels follow the host's functions; in a fat binary one is found by target.
with_host_objects() {
    nvcc -c -arch=sm_90 -O3 "$kernels" -o "$work/host.o" || { fail "nvcc -c"; return; }
    expect "host object" "$(column "$work/host.o" muladd_c16 5)" 3x128
    nvcc -fatbin -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 \
        "$kernels" -o "$work/two.fatbin" || { fail "nvcc -fatbin"; return; }
    expect "fat binary" "$("$steno" contract cubin "$work/two.fatbin" --kernel muladd_c8 |
        awk 'NR > 1 { printf "%s %s ", $1, $5 }')" "sm_80 6x64 sm_90 6x64 "
    with_compression --compress-mode=size
    with_compression -Xfatbin -compress-all --compress-mode=speed # LZ4; the others are zstd
    nvcc -c -rdc=true -arch=sm_90 -O3 "$kernels" -o "$work/rdc.o" || { fail "nvcc -rdc"; return; }
    expect "compressed by -rdc" "$(column "$work/rdc.o" muladd_c16 5)" 3x128
    nvcc -fatbin -gencode arch=compute_90,code=lto_90 "$kernels" -o "$work/lto.fatbin" ||
        { fail "nvcc code=lto_90"; return; }
    "$steno" contract cubin "$work/lto.fatbin" >"$work/out" 2>&1
    expect "link-time optimisation, status" $? 1
    grep -q 'not machine code' "$work/out" || fail "link-time optimisation: $(cat "$work/out")"
}

# The same counts as of the cubin alone.
with_compression() { # with_compression FLAG...
    nvcc -fatbin "$@" -arch=sm_90 -O3 "$kernels" -o "$work/small.fatbin" || { fail "nvcc $*"; return; }
    [ "$(wc -c <"$work/small.fatbin")" -lt "$(wc -c <"$work/90.cubin")" ] ||
        fail "nvcc $* does not compress"
    expect "nvcc $*" "$("$steno" contract cubin "$work/small.fatbin" | sort)" \
        "$("$steno" contract cubin "$work/90.cubin" | sort)"
}

# NVRTC needs neither nvcc nor a GPU.
with_nvrtc() {
    local home=$1 libraries=$1/lib64
    [ -d "$libraries" ] || libraries=$home/lib
    if ! cc -std=c11 -I"$home/include" "$SOURCE_DIR/contract/test/nvrtc.c" -L"$libraries" \
        -Wl,-rpath,"$libraries" -lnvrtc -o "$work/nvrtc" 2>"$work/err"; then
        fail "NVRTC in $home: $(cat "$work/err")"
        return
    fi
    if ! "$work/nvrtc" "$kernels" sm_90 "$work/rtc.cubin" >"$work/out" 2>&1; then
        fail "NVRTC: $(cat "$work/out")"
        return
    fi
    expect_widths "$work/rtc.cubin" 90
    expect_nothing_unknown "$work/rtc.cubin" 90
}

has nvcc || [ ! -x /usr/local/cuda/bin/nvcc ] || PATH=$PATH:/usr/local/cuda/bin
nvdisasm=${NVDISASM:-$(command -v nvdisasm)}
[ -n "$nvdisasm" ] || nvdisasm=$(python3 -c 'import glob, site
for folder in site.getsitepackages() + [site.getusersitepackages()]:
    print(*glob.glob(folder + "/nvidia/*/bin/nvdisasm"), sep="\n")' 2>/dev/null | sed -n '/./{p;q}')
[ -n "$nvdisasm" ] || echo "no nvdisasm: instructions are not compared with it"
if has nvcc; then
    for sm in $(nvcc --list-gpu-code | sed -n 's/^sm_\([0-9]*\)$/\1/p'); do
        [ "$sm" -ge 75 ] && [ "$sm" -le 121 ] || continue
        [ -n "${STENO_TEST_FULL:-}" ] || [[ $sm =~ ^(80|90|100|120)$ ]] || continue
        with_nvcc "$sm"
    done
    expect_loops
    expect_control
    expect_json
    with_host_objects
else
    echo "skipped: no nvcc"
fi
for home in "${CUDA_HOME:-}" /usr/local/cuda /usr; do
    if [ -n "$home" ] && [ -e "$home/include/nvrtc.h" ]; then
        with_nvrtc "$home"
        break
    fi
done
echo "$checked facts"
finish "$checked"
