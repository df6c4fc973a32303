// Which instructions may end in an exception of their own: not one that may come anywhere, as for want of memory.
#pragma once

#include "il/body.h"

namespace oriel::il {

class MayThrow {
 public:
  // `has_this`: argument 0 is the method's object, which is there wherever the code has not put another in its place.
  MayThrow(const Body& body, bool has_this);

  bool at(const Instruction& instruction) const;

 private:
  bool is_this(const Instruction& load) const;
  bool is_field_of_this(const Instruction& access) const;

  bool has_this_;
};

}  // namespace oriel::il
