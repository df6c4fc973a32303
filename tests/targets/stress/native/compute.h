// Processor time, spent in a function that needs hardly any stack.
#pragma once

// Computes until the calling thread has used so much processor time; async-safe.
void stress_compute(int milliseconds);
