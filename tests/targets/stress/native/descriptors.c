// A program that closes descriptors that it does not know, and uses the numbers for files of its own; and one that
// counts on which number it gets.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compute.h"

enum { FILES = 32, EVENTS = 16, PIPES = 8, LINE = 16, HIGHEST = 1024 };

static void write_line(int file, int line) {
  char text[LINE + 1];
  snprintf(text, sizeof text, "%15d\n", line);
  const ssize_t written = write(file, text, LINE);
  (void)written;
}

static int is_exact(int file, int lines) {
  char wanted[LINE + 1], found[LINE];
  struct stat status;
  if (fstat(file, &status) != 0 || status.st_size != (off_t)lines * LINE) return 0;
  for (int line = 0; line < lines; line++) {
    snprintf(wanted, sizeof wanted, "%15d\n", line);
    if (pread(file, found, LINE, (off_t)line * LINE) != LINE || memcmp(wanted, found, LINE) != 0) return 0;
  }
  return 1;
}

// Closes all from `lowest` on, opens files, events and pipes, writes lines to the files for so long; tells what is not
// as it was written. The first three are there again afterwards.
void stress_descriptors(int lowest, int milliseconds, char* told, size_t size) {
  int files[FILES], events[EVENTS], pipes[PIPES][2], first[3], lines = 0, exact = 0, silent = 0, empty = 0;
  for (int i = 0; i < 3; i++) first[i] = fcntl(i, F_DUPFD_CLOEXEC, HIGHEST);
  for (int i = lowest; i < HIGHEST; i++) close(i);
  if (lowest < 3) unlink("run.oriel");  // a log: what there is to say of that must not get into the files
  for (int i = 0; i < FILES; i++) {
    char name[32];
    snprintf(name, sizeof name, "file-%d", i);
    files[i] = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  }
  for (int i = 0; i < FILES; i++) {
    if (i < EVENTS) events[i] = eventfd(0, EFD_NONBLOCK);
    if (i < PIPES && pipe2(pipes[i], O_NONBLOCK) != 0) pipes[i][0] = -1;
  }
  for (int passed = 0; passed < milliseconds; passed += 5, lines++) {
    for (int i = 0; i < FILES; i++) write_line(files[i], lines);
    stress_compute(4);
    usleep(1000);
  }
  for (int i = 0; i < FILES; i++) exact += is_exact(files[i], lines);
  for (int i = 0; i < EVENTS; i++) {
    eventfd_t value;
    silent += eventfd_read(events[i], &value) != 0;
  }
  for (int i = 0; i < PIPES; i++) {
    char byte;
    empty += pipes[i][0] >= 0 && read(pipes[i][0], &byte, 1) < 0;
  }
  snprintf(told, size, "%d of %d files exact, %d of %d events silent, %d of %d pipes empty\n", exact, FILES, silent,
           EVENTS, empty, PIPES);
  for (int i = lowest; i < 3; i++) dup2(first[i], i);
}

// How often, of so many times, the number that was just closed is not the one that is given next.
int stress_descriptors_lowest(int times) {
  int wrong = 0;
  const int input = fcntl(0, F_DUPFD_CLOEXEC, HIGHEST);
  close(0);
  for (int i = 0; i < times; i++) {
    const int file = open("/dev/null", O_RDONLY);
    wrong += file != 0;
    close(file);
  }
  dup2(input, 0);
  return wrong;
}
