// Reads the file of a flight recorder (ring_file.h): the log in its ring, in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "log/format.h"
#include "log/tail_file.h"

namespace oriel::log {

// A ring in the bytes of a file.
struct RingView {
  RingHead head;
  size_t head_at = 0;  // offset of its fields
  size_t ring_at = 0;  // of its bytes
};

// Whether the bytes are a recorder's file, by their first two blocks. Nothing in them is trusted.
bool find_ring(const uint8_t* data, size_t size, RingView& ring);

// The log in it, from its oldest segment to its end; only the file's intro if there is no segment yet, or if it is not
// all there. `data` is the whole file. With its tail, if one of `tails` (read_tails) goes on where it ends.
std::vector<uint8_t> log_in_ring(const uint8_t* data, size_t size, const RingView& ring,
                                 std::span<const Tail> tails = {});

}  // namespace oriel::log
