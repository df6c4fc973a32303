// Which code ran, as the program counted it: of whole runs, and of each test where tests were told apart.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "log/format.h"

namespace oriel::profile {

// An assembly's file, in one of its versions.
struct CoverageImage {
  std::string name;      // file name
  std::string path;      // "" if it was no file
  std::string mvid;      // 32 hexadecimal digits
  std::string pdb_id;    // of the PDB made with it; "" if there is none
  std::string pdb_path;  // where that was when the image was compiled
};

using log::CoveragePoint;

// What points of a method are sorted by.
inline auto place_of(const CoveragePoint& point) { return std::tuple(point.il, point.is_outcome, point.outcome); }

// A method whose coverage was counted, whether or not it ran.
struct CoveredMethod {
  uint32_t image = 0;                 // index into Coverage::images
  uint32_t row = 0;                   // of its definition there, from 1
  std::string name;                   // of a method whose image was no file; else ""
  std::vector<CoveragePoint> points;  // by il, runs first, then by outcome
};

struct Coverage {
  bool counts = false;  // of the whole: each part tells how often
  std::vector<CoverageImage> images;
  std::vector<CoveredMethod> methods;  // by image and row: the whole run, tests and all
  struct Test {
    std::string name;                    // of several that ran at the same time the names of all, joined by '\n'
    std::vector<CoveredMethod> methods;  // likewise
  };
  std::vector<Test> tests;  // by name

  bool empty() const { return methods.empty(); }
};

}  // namespace oriel::profile
