/* Archives of objects (ar): their files. */
#define _POSIX_C_SOURCE 200809L
#include "contract/image/elf.h"

#include <ar.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

static const char thin[] = "!<thin>\n"; /* contains names only */

int stn_ar_is_one(const unsigned char *bytes, size_t size)
{
    return size >= SARMAG &&
           (memcmp(bytes, ARMAG, SARMAG) == 0 || memcmp(bytes, thin, SARMAG) == 0);
}

static stn_status bad_archive(const stn_image *image)
{
    return stn_fail(STN_ERR_PARSE, "%s: a damaged or truncated archive", image->name);
}

typedef struct walk {
    const unsigned char *bytes;
    size_t size, at;
    const unsigned char *long_names; /* the member with long names */
    size_t long_size;
} walk;

/* A decimal number of `capacity` characters padded with blanks; SIZE_MAX if it is invalid. */
static size_t number(const char *text, size_t capacity)
{
    size_t value = 0, k = 0;
    for (; k < capacity && text[k] >= '0' && text[k] <= '9'; k++)
        value = 10 * value + (size_t)(text[k] - '0');
    return k == 0 || k > 15 || (k < capacity && text[k] != ' ') ? SIZE_MAX : value;
}

/* Position and length of a name: in the header, in the table of long names (GNU), or before the
 * file (BSD), which is shortened by it. 0 if it is damaged. */
static int find_name(const walk *w, const struct ar_hdr *header, stn_member *member,
                     const char **name, size_t *length)
{
    const char *const end = memchr(header->ar_name, '/', sizeof header->ar_name);
    if (strncmp(header->ar_name, "#1/", 3) == 0) {
        const size_t before = number(header->ar_name + 3, sizeof header->ar_name - 3);
        if (before > member->size)
            return 0;
        *name = (const char *)member->bytes;
        *length = strnlen(*name, before);
        member->bytes += before;
        member->size -= before;
        return 1;
    }
    if (end == header->ar_name && end[1] >= '0' && end[1] <= '9') {
        const size_t position = number(end + 1, sizeof header->ar_name - 1);
        if (position >= w->long_size)
            return 0;
        *name = (const char *)w->long_names + position;
        const char *const stop = memchr(*name, '\n', w->long_size - position);
        *length = stop ? (size_t)(stop - *name) : w->long_size - position;
        *length -= *length > 0 && (*name)[*length - 1] == '/';
        return 1;
    }
    *name = header->ar_name;
    *length = end ? (size_t)(end - header->ar_name) : strnlen(*name, sizeof header->ar_name);
    while (!end && *length > 0 && (*name)[*length - 1] == ' ')
        --*length;
    return 1;
}

/* The next member; its name is allocated, or NULL for tables of the archive. 0 bytes: the end. */
static stn_status next_member(const stn_image *image, walk *w, stn_member *member)
{
    struct ar_hdr header;
    const char *name = NULL;
    size_t length = 0;
    *member = (stn_member){.name = NULL};
    if (w->at >= w->size)
        return STN_OK;
    if (w->size - w->at < sizeof header)
        return bad_archive(image);
    memcpy(&header, w->bytes + w->at, sizeof header);
    member->bytes = w->bytes + w->at + sizeof header;
    member->size = number(header.ar_size, sizeof header.ar_size);
    if (memcmp(header.ar_fmag, ARFMAG, 2) != 0 || member->size > w->size - w->at - sizeof header)
        return bad_archive(image);
    w->at += sizeof header + member->size + member->size % 2;
    if (strncmp(header.ar_name, "// ", 3) == 0) {
        w->long_names = member->bytes;
        w->long_size = member->size;
        return STN_OK;
    }
    if (strncmp(header.ar_name, "/ ", 2) == 0 || strncmp(header.ar_name, "/SYM64/", 7) == 0)
        return STN_OK;
    if (!find_name(w, &header, member, &name, &length))
        return bad_archive(image);
    STN_TRY(stn_allocate(&member->name, (int64_t)length + 1, 1, "names of files"));
    memcpy(member->name, name, length);
    member->name[length] = '\0';
    return STN_OK;
}

/* Reads a member under its name, for messages. Members that are not objects of a supported machine,
 * such as texts and bitcode, are skipped. */
static stn_status read_member(stn_image *image, const stn_member *member)
{
    char *name, *const whole = image->name;
    const size_t capacity = strlen(whole) + strlen(member->name) + sizeof "()";
    if (member->size < SELFMAG || memcmp(member->bytes, ELFMAG, SELFMAG) != 0) {
        image->is_lto |= stn_elf_is_bitcode(member->bytes, member->size);
        return STN_OK;
    }
    STN_TRY(stn_allocate(&name, (int64_t)capacity, 1, "a name"));
    stpcpy(stpcpy(stpcpy(stpcpy(name, whole), "("), member->name), ")");
    image->name = name;
    const stn_status status = stn_elf_read(image, member->bytes, member->size);
    image->name = whole;
    stn_free(name);
    return status == STN_ERR_UNSUPPORTED ? STN_OK : status;
}

static stn_status keep_member(stn_image *image, const stn_member *member)
{
    const stn_status status =
        stn_image_grow(&image->members, image->member_count, sizeof *member, "files");
    if (status != STN_OK) {
        stn_free(member->name);
        return status;
    }
    image->members[image->member_count++] = *member;
    return image->only && strcmp(image->only, member->name) != 0 ? STN_OK
                                                                 : read_member(image, member);
}

static int has_only(const stn_image *image)
{
    for (int32_t m = 0; m < image->member_count; m++)
        if (strcmp(image->members[m].name, image->only) == 0)
            return 1;
    return 0;
}

stn_status stn_ar_read(stn_image *image)
{
    walk w = {.bytes = image->bytes, .size = image->size, .at = SARMAG};
    stn_member member;
    if (memcmp(image->bytes, thin, SARMAG) == 0)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: a thin archive, which contains only the names of its objects; pass "
                        "the objects ('ar t' lists them)",
                        image->name);
    while (w.at < w.size) {
        STN_TRY(next_member(image, &w, &member));
        if (member.name)
            STN_TRY(keep_member(image, &member));
    }
    return !image->only || has_only(image)
               ? STN_OK
               : stn_fail(STN_ERR_RANGE, "%s: the archive has no such file", image->name);
}

stn_status stn_ar_split(stn_image *image)
{
    char *const begin = strrchr(image->path, '(');
    const size_t length = strlen(image->path);
    if (!begin || begin == image->path || image->path[length - 1] != ')')
        return STN_OK;
    STN_TRY(stn_allocate(&image->only, (int64_t)length, 1, "a name"));
    strcpy(image->only, begin + 1);
    image->only[strlen(image->only) - 1] = '\0';
    *begin = '\0';
    return STN_OK;
}

void stn_ar_release(stn_image *image)
{
    for (int32_t m = 0; m < image->member_count; m++)
        stn_free(image->members[m].name);
    stn_free(image->members);
    stn_free(image->only);
}
