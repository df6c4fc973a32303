// Profilers' rewriters, one after the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/code_editor.h"

namespace oriel {

// Where an instruction of the original body is now.
struct IlMove {
  uint32_t original = 0;
  uint32_t now = 0;
};

struct RewrittenBody {
  std::vector<uint8_t> bytes;  // empty: nobody changed anything
  // By rising original offset, of the instructions that are still there; empty where it is not known, as somebody gave
  // bytes.
  std::vector<IlMove> map;
};

// A method's body as profilers' rewriters leave it, before probes are put in: those that choose the method change it
// one after the other. Calls modules, so no lock may be held. What a rewriter makes that the site refuses is said, and
// so is one that throws; the body stays as the rewriter found it.
RewrittenBody rewritten_body(oriel_method& method, oriel_image* image, std::span<const uint8_t> original,
                             CodeSite& site);

// What was refused so far is not counted among the few that are said; for tests of what is.
void forget_refusals();

}  // namespace oriel
