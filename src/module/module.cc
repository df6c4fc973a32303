#include "module/module.h"

namespace oriel::modules {

int init_module(Status (*start)(const std::string& args), const char* args, const char* out_of_memory) noexcept {
  try {
    const Status status = start(args != nullptr ? args : "");
    if (status) return 0;
    oriel_warn(status.message().c_str());
  } catch (...) {
    oriel_warn(out_of_memory);
  }
  return 1;
}

}  // namespace oriel::modules
