// The code editor of an image.
#pragma once

#include "engine/code_editor.h"
#include "engine/lifecycle.h"

namespace oriel {

// nullptr if the image is gone, or the runtime's code cannot be changed.
CodeEditor* editor_of(const oriel_image* image);

}  // namespace oriel
