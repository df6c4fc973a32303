/* Replaces zlib if no static one is available (CMakeLists.txt): deflated data is not read. */
#include <zlib.h>

int inflateInit2_(z_streamp stream, int bits, const char* version, int size) {
  (void)stream, (void)bits, (void)version, (void)size;
  return Z_VERSION_ERROR;
}
int inflate(z_streamp stream, int flush) {
  (void)stream, (void)flush;
  return Z_STREAM_ERROR;
}
int inflateEnd(z_streamp stream) {
  (void)stream;
  return Z_STREAM_ERROR;
}
