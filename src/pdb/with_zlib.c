/* Checks whether a library can link zlib (CMakeLists.txt). */
#include <zlib.h>

int inflate_something(z_stream* stream);
int inflate_something(z_stream* stream) {
  return inflateInit2(stream, -MAX_WBITS) != Z_OK || inflate(stream, Z_FINISH) != Z_OK || inflateEnd(stream) != Z_OK;
}
