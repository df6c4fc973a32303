// Names of locks in the code that acquires them, and where they are created. Read from the images, if they are on this
// machine.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assembly/locks.h"
#include "report/words/shown_place.h"

namespace oriel::report {

struct LockName {
  std::string name;              // "Shop.Till._gate"; "" if not known
  std::string made_in;           // "Shop.Till..ctor"; "" if not known
  ShownLine made_at;             // the line in made_in
  bool is_made = false;          // created there; else only assigned to the field there
  uint32_t more = 0;             // other places that assign the field
  std::optional<int32_t> count;  // a semaphore's initial count

  // "Shop.Till._gate", "this", "in the variable gate"; "" if not known.
  std::string text() const;
  // "made in Shop.Till..ctor, Till.cs:12"; "" if not known.
  std::string made_text() const;
};

class LockNames {
 public:
  // Keeps references to both.
  LockNames(const profile::Profile& profile, ShownPlaces& places) : profile_(profile), places_(places) {}
  // The name of a lock that own code itself acquires at a node.
  LockName of(uint32_t node, assembly::LockKind kind);
  // Whether the stack down to a node passes code that holds a lock which may be this one. True if the code is not on
  // this machine.
  bool may_hold(uint32_t node, const LockName& lock);

 private:
  struct Image {
    std::optional<assembly::Assembly> code;
    std::map<uint32_t, assembly::FieldOrigin> origins;
    std::map<uint32_t, std::vector<assembly::HeldCode>> held;  // by method; only methods that were asked for
  };
  Image& image(uint32_t number);
  const std::vector<assembly::HeldCode>& held_code(Image& image, uint32_t method);

  const profile::Profile& profile_;
  ShownPlaces& places_;
  std::map<uint32_t, Image> images_;
};

}  // namespace oriel::report
