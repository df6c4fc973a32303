// Writes a page of a realistic profile, for looking at it: oriel-sample-page FILE [SAMPLES].
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "exports/export.h"
#include "viewer/realistic.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: oriel-sample-page FILE [SAMPLES]\n";
    return 2;
  }
  std::ofstream out(argv[1], std::ios::binary);
  const uint32_t samples = argc > 2 ? static_cast<uint32_t>(std::strtoul(argv[2], nullptr, 10)) : 12'000;
  const auto profile = oriel::testing::realistic_profile(samples);
  const auto status = oriel::exports::write_export(**oriel::exports::find_export("html"), profile, out);
  if (!status) std::cerr << status.message() << "\n";
  return status ? 0 : 1;
}
