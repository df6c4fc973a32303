// What the time of samples was for: whose code ran, or which part of the runtime.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

enum class Category : uint8_t {
  kOwn,        // the program's own code
  kPackage,    // a library's of its
  kFramework,  // comes with .NET, managed or not
  kGenerated,  // made at run time: dynamic methods, regular expressions, serializers
  kJit,        // the JIT compiler, and all that it calls
  kGc,         // threads of the garbage collector
  kRuntime,    // the rest of the runtime
  kStub,       // code that the runtime made: calls from one method to another, and to native code
  kNative,     // a library that is none of these
  kUnknown,
};

struct Share {
  Category category = Category::kUnknown;
  std::string name;  // of a package, framework or library, without version; else ""
  uint64_t periods = 0;
};

// Whether a function is the program's own. In a log that does not say so, by name: whatever is not named as .NET is.
bool is_own(const Function& function, const Profile& profile);

// All samples, by what they are for; most first. Native code of the system's libraries counts to who called it.
std::vector<Share> shares(const Profile& profile);

struct OwnTotals {
  uint32_t function = 0;  // index into functions: own code
  uint64_t nearest = 0;   // samples in it, and in what is not own code and was called by it
  uint64_t total = 0;     // with the function anywhere in the stack
};

// Own functions, most `nearest` first. Samples below no own function are in none.
std::vector<OwnTotals> own_totals(const Profile& profile);

}  // namespace oriel::profile
