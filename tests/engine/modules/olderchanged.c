/* Built for the first API version, and calls a function that takes other arguments since. */
#include <stdbool.h>
#include <stdint.h>

void oriel_get_sample_mode(int* mode, uint32_t* hz);

__attribute__((visibility("default"))) uint32_t oriel_api_version_olderchanged(void) { return 1; }
__attribute__((visibility("default"))) int oriel_init_olderchanged(const char* args) {
  uint32_t hz = 0;
  oriel_get_sample_mode(0, &hz);
  return args == 0;
}
