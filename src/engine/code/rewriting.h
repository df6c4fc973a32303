// Runs profilers' rewriters in turn.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/code_editor.h"

namespace oriel {

// An instruction's offset in the original body and in the new one.
struct IlMove {
  uint32_t original = 0;
  uint32_t now = 0;
};

struct RewrittenBody {
  std::vector<uint8_t> bytes;  // empty: unchanged
  // Ascending by original offset, without removed instructions; empty if unknown, because a rewriter gave bytes.
  std::vector<IlMove> map;
};

// A method's body after the rewriters of the profilers that select it, in turn, before probes are inserted. Calls
// modules, so no lock may be held. A warning is given if the site refuses a rewriter's result, or the rewriter throws;
// its changes are then dropped.
RewrittenBody rewritten_body(oriel_method& method, oriel_image* image, std::span<const uint8_t> original,
                             CodeSite& site);

// Restarts the limited count of warnings about refusals; for tests.
void forget_refusals();

}  // namespace oriel
