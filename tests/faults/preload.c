// Counts the calls that change files below one folder and lets one of them fail. Loaded with LD_PRELOAD, armed from Python.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { NONE, EIO_ONCE, NO_SPACE, KILLED };

static char folder[4096];
static long number, failing;
static int kind, is_full;

void faults_arm(const char* where, long which, int how) {
    strncpy(folder, where, sizeof folder - 1);
    number = 0, failing = which, kind = how, is_full = 0;
}

long faults_seen(void) { return number; }

static int is_ours(int fd) {
    if (!folder[0]) return 0;
    char name[64], path[4096];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(name, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return strncmp(path, folder, strlen(folder)) == 0;
}

// 0: go on; 1: write half of it; otherwise the call fails with errno.
static int strikes(int is_write) {
    if (is_write && is_full) {
        is_full = 0;
        errno = ENOSPC;
        return -1;
    }
    if (++number != failing || kind == NONE) return 0;
    if (kind == KILLED && !is_write) raise(SIGKILL);
    if (kind == EIO_ONCE || !is_write) {
        errno = kind == NO_SPACE ? ENOSPC : EIO;
        return -1;
    }
    return 1;
}

static ssize_t ended(ssize_t written) {
    if (kind == KILLED) raise(SIGKILL);
    is_full = 1;
    return written;
}

#define REAL(result, name, ...) \
    static result (*real)(__VA_ARGS__); \
    if (!real) real = dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void* data, size_t size) {
    REAL(ssize_t, write, int, const void*, size_t);
    const int struck = is_ours(fd) ? strikes(1) : 0;
    if (struck < 0) return -1;
    return struck ? ended(real(fd, data, size / 2)) : real(fd, data, size);
}

#define PWRITE(name) \
    ssize_t name(int fd, const void* data, size_t size, off_t at) { \
        REAL(ssize_t, name, int, const void*, size_t, off_t); \
        const int struck = is_ours(fd) ? strikes(1) : 0; \
        if (struck < 0) return -1; \
        return struck ? ended(real(fd, data, size / 2, at)) : real(fd, data, size, at); \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

ssize_t writev(int fd, const struct iovec* parts, int count) {
    REAL(ssize_t, writev, int, const struct iovec*, int);
    const int struck = is_ours(fd) ? strikes(1) : 0;
    if (struck < 0) return -1;
    return struck ? ended(write(fd, parts[0].iov_base, parts[0].iov_len / 2)) : real(fd, parts, count);
}

#define PLAIN(name) \
    int name(int fd) { \
        REAL(int, name, int); \
        return is_ours(fd) && strikes(0) ? -1 : real(fd); \
    }
PLAIN(fsync)
PLAIN(fdatasync)

#define TRUNCATE(name) \
    int name(int fd, off_t size) { \
        REAL(int, name, int, off_t); \
        return is_ours(fd) && strikes(0) ? -1 : real(fd, size); \
    }
TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

int rename(const char* from, const char* to) {
    REAL(int, rename, const char*, const char*);
    const int ours = folder[0] && strncmp(to, folder, strlen(folder)) == 0;
    return ours && strikes(0) ? -1 : real(from, to);
}
