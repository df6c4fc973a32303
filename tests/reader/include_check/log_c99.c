#include "oriel/log.h"

const char* version_by_c99(void) { return oriel_log_version(); }
