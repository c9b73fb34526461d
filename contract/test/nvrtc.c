/* nvrtc SOURCE ARCHITECTURE CUBIN: compile CUDA to a cubin, without nvcc, driver or GPU. */
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    if (!file || !text || fread(text, 1, (1 << 20) - 1, file) == 0)
        exit(2);
    fclose(file);
    return text;
}

static void need(nvrtcResult result, const char *what)
{
    if (result == NVRTC_SUCCESS)
        return;
    printf("%s: %s\n", what, nvrtcGetErrorString(result));
    exit(1);
}

int main(int argc, char **argv)
{
    char option[64];
    const char *options[] = {option};
    nvrtcProgram program;
    size_t size;
    if (argc != 4)
        return 2;
    snprintf(option, sizeof option, "--gpu-architecture=%s", argv[2]);
    char *text = read_file(argv[1]);
    need(nvrtcCreateProgram(&program, text, argv[1], 0, NULL, NULL), "create");
    need(nvrtcCompileProgram(program, 1, options), "compile");
    need(nvrtcGetCUBINSize(program, &size), "size");
    char *cubin = malloc(size);
    FILE *file = fopen(argv[3], "wb");
    if (!cubin || !file)
        return 2;
    need(nvrtcGetCUBIN(program, cubin), "cubin");
    const size_t written = fwrite(cubin, 1, size, file);
    free(cubin);
    free(text);
    return fclose(file) == 0 && written == size ? 0 : 2;
}
