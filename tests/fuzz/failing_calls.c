/* Makes calls of the operating system fail from outside of a program: loaded by LD_PRELOAD, told what to do by
   `fail_at`. Only calls that change something below the folder ONO_FAIL_UNDER are counted, and fail. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static long calls, first, last;
static int fault;

/* From now on the calls `from` to `to`, counted from 1, fail with `error`. */
void fail_at(long from, long to, int error) { calls = 0; first = from; last = to; fault = error; }

/* How many calls there were since. */
long calls_made(void) { return calls; }

static int fails(const char *path) {
    const char *under = getenv("ONO_FAIL_UNDER");
    if (!under || strncmp(path, under, strlen(under))) return 0;
    long call = __sync_add_and_fetch(&calls, 1);
    if (call < first || call > last) return 0;
    errno = fault;
    return 1;
}

static int fails_fd(int fd) {
    char link[40], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return fails(path);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define ON_FD(result, name, arguments, ...) \
    result name arguments { return fails_fd(fd) ? -1 : NEXT(name)(__VA_ARGS__); }
ON_FD(int, fsync, (int fd), fd)
ON_FD(int, fdatasync, (int fd), fd)

/* A file can be cut where there is no room. */
#define CUTS(name) \
    int name(int fd, off_t size) { return fault != ENOSPC && fails_fd(fd) ? -1 : NEXT(name)(fd, size); }
CUTS(ftruncate)
CUTS(ftruncate64)

ON_FD(ssize_t, writev, (int fd, const struct iovec *parts, int count), fd, parts, count)

/* A write that fails has written half of it before, as on a disk that fills. */
#define WRITES(name, arguments, rest, ...) \
    ssize_t name arguments { \
        if (!fails_fd(fd)) return NEXT(name)(fd, data, size rest); \
        int error = errno; \
        if (size > 1) (void)!NEXT(name)(fd, data, size / 2 rest); \
        errno = error; \
        return -1; \
    }
#define COMMA_OFFSET , offset
WRITES(write, (int fd, const void *data, size_t size), )
WRITES(pwrite, (int fd, const void *data, size_t size, off_t offset), COMMA_OFFSET)
WRITES(pwrite64, (int fd, const void *data, size_t size, off_t offset), COMMA_OFFSET)

#define ON_PATH(name, arguments, path, ...) \
    int name arguments { return fails(path) ? -1 : NEXT(name)(__VA_ARGS__); }
ON_PATH(rename, (const char *from, const char *to), to, from, to)
ON_PATH(renameat, (int a, const char *from, int b, const char *to), to, a, from, b, to)
ON_PATH(link, (const char *from, const char *to), to, from, to)
ON_PATH(linkat, (int a, const char *from, int b, const char *to, int flags), to, a, from, b, to, flags)
ON_PATH(mkdir, (const char *path, mode_t mode), path, path, mode)

/* Opening fails only where it would make a file. */
#define OPENS(name) \
    int name(const char *path, int flags, ...) { \
        va_list rest; \
        va_start(rest, flags); \
        int mode = flags & O_CREAT ? va_arg(rest, int) : 0; \
        va_end(rest); \
        return flags & O_CREAT && fails(path) ? -1 : NEXT(name)(path, flags, mode); \
    }
OPENS(open)
OPENS(open64)
