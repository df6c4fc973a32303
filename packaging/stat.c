// The toolchain's own stat(), lstat(), fstat() and fstatat(), which it links for versions of glibc before 2.33, leave errno as it
// was where they fail. Each program would take "no such file" for success. These are the system calls themselves, whose struct is
// that of glibc on x64 and arm64.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OWN __attribute__((visibility("hidden")))

OWN int fstatat(int folder, const char* path, struct stat* about, int flags) {
  return (int)syscall(SYS_newfstatat, folder, path, about, flags);
}
OWN int stat(const char* path, struct stat* about) { return fstatat(AT_FDCWD, path, about, 0); }
OWN int lstat(const char* path, struct stat* about) { return fstatat(AT_FDCWD, path, about, AT_SYMLINK_NOFOLLOW); }
OWN int fstat(int file, struct stat* about) { return (int)syscall(SYS_fstat, file, about); }

OWN int fstatat64(int folder, const char* path, struct stat64* about, int flags) {
  return fstatat(folder, path, (struct stat*)about, flags);
}
OWN int stat64(const char* path, struct stat64* about) { return stat(path, (struct stat*)about); }
OWN int lstat64(const char* path, struct stat64* about) { return lstat(path, (struct stat*)about); }
OWN int fstat64(int file, struct stat64* about) { return fstat(file, (struct stat*)about); }
