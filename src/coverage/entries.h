// How often a method was entered, where what was counted does not say so itself.
#pragma once

#include <cstdint>

#include "coverage/counted.h"
#include "il/body.h"

namespace oriel::coverage {

// Of a method that ran, and was not counted at its first instruction. Mono counts where lines begin, and the methods of
// state machines begin with code without a line, which goes on to one of several places. Those that are reached in no
// other way ran as often as the method was entered; the sum is too small where others are among them, and is at least 1
// if anything ran.
uint64_t entries(const il::Body& body, const Counts& counts);

}  // namespace oriel::coverage
