// While one of the program's threads waits in a callback, Mono cannot stop it, and no collection comes to pass: unless
// the thread has said that it touches no objects meanwhile.
#pragma once

namespace oriel::mono {

class GcSafe {
 public:
  GcSafe();
  ~GcSafe();
  GcSafe(const GcSafe&) = delete;
  GcSafe& operator=(const GcSafe&) = delete;

 private:
  void* stack_ = nullptr;
  void* cookie_ = nullptr;
};

}  // namespace oriel::mono
