// Whom to ask about an image's code.
#pragma once

#include "engine/code_editor.h"
#include "engine/lifecycle.h"

namespace oriel {

// nullptr if the image is gone, or code of this runtime cannot be changed.
CodeEditor* editor_of(const oriel_image* image);

}  // namespace oriel
