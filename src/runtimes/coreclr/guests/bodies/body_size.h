// How long a body is that another says is one.
#pragma once

#include <cstddef>
#include <cstdint>

namespace oriel::coreclr {

// Of what may be anything: nothing is read that is not there. 0: it is none.
size_t body_size(const uint8_t* body);

}  // namespace oriel::coreclr
