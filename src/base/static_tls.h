// ORIEL_STATIC_TLS: of a thread-local variable that is read without a call, also in a signal handler. glibc keeps room
// for such variables of libraries that are loaded later. musl does not, and refuses to load them; there, a call for the
// variable neither locks nor allocates.
#pragma once

#include <features.h>

#ifdef __GLIBC__
#define ORIEL_STATIC_TLS __attribute__((tls_model("initial-exec")))
#else
#define ORIEL_STATIC_TLS
#endif
