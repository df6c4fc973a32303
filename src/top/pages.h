// The tables of a view.
#pragma once

#include "top/view.h"

namespace oriel::top {

std::array<Page, kPages> make_pages(const Window& window);

}  // namespace oriel::top
