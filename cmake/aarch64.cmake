# Toolchain: cross-compile for 64-bit Arm with Debian's compiler and run under qemu.
# STENO_AARCH64_ROOT: a folder with the arm64 cmocka, such as the one
# created by tools/aarch64-root.sh.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)

set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES STENO_AARCH64_ROOT)
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu "${STENO_AARCH64_ROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${STENO_AARCH64_ROOT}")
set(ENV{PKG_CONFIG_LIBDIR} "${STENO_AARCH64_ROOT}/usr/lib/aarch64-linux-gnu/pkgconfig")
