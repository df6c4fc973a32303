// What CoreCLR for musl takes from GNU's C++ library and what the toolchain's library has not, or by another name.
#include <cstdlib>

extern "C" {
[[noreturn]] void length_error(const char* what) __asm__("_ZSt20__throw_length_errorPKc");
[[noreturn]] void bad_length() __asm__("_ZSt28__throw_bad_array_new_lengthv");
extern const char nothrow __asm__("_ZSt7nothrow");

void length_error(const char*) { abort(); }
void bad_length() { abort(); }
const char nothrow = 0;
}
