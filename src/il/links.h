// Is everything that a body points to within the body?
#pragma once

#include "base/status.h"
#include "il/body.h"

namespace oriel::il {

// Numbers the body. Refuses what encode() could not write: an empty body, an edit that made no sense, a branch or a
// clause's boundary to something that is not in the body, a region that ends before it begins.
Status check_links(Body& body);

}  // namespace oriel::il
