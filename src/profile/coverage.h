// Coverage as the program counted it: of whole runs, and of each test where tests were counted separately.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "log/format.h"

namespace oriel::profile {

// One version of an assembly's file.
struct CoverageImage {
  std::string name;      // file name
  std::string path;      // "" if it was not loaded from a file
  std::string mvid;      // 32 hexadecimal digits
  std::string pdb_id;    // of its PDB; "" if there is none
  std::string pdb_path;  // path of the PDB when the image was compiled
};

using log::CoverageHit;

// The sort key of a method's points.
inline auto place_of(const CoverageHit& point) { return std::tuple(point.il, point.is_outcome, point.outcome); }

// A method whose coverage was counted, whether or not it ran.
struct CoveredMethod {
  uint32_t image = 0;               // index into Coverage::images
  uint32_t row = 0;                 // of its definition in the image, from 1
  std::string name;                 // of a method whose image is not a file; else ""
  std::vector<CoverageHit> points;  // by il, runs first, then by outcome
};

struct Coverage {
  bool counts = false;  // applies to all points: they have hit counts, not just a hit flag
  std::vector<CoverageImage> images;
  std::vector<CoveredMethod> methods;  // by image and row: of the whole run, including tests
  struct Test {
    std::string name;                    // of tests that ran at the same time: all their names, joined by '\n'
    std::vector<CoveredMethod> methods;  // by image and row
  };
  std::vector<Test> tests;  // by name

  bool empty() const { return methods.empty(); }
};

}  // namespace oriel::profile
