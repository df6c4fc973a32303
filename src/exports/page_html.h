// The page around its trees. viewer/10-data.js documents its JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "exports/export.h"
#include "exports/page_trees.h"

namespace oriel::exports {

// As the page has its frames: names, modules and kinds of some.
nlohmann::json frames_json(const FrameTable& table, const std::set<uint32_t>& used);

struct PageContent {
  std::vector<std::string> trees;                   // as JSON, by number
  std::set<uint32_t> frames;                        // that they use
  nlohmann::json folded = nlohmann::json::array();  // of trees that are not there as a whole: [number, least, nodes]
  bool served = false;                              // by a server that answers for the rest
};
void write_page(const profile::Profile& profile, const Options& options, const PageTrees& page, PageContent content,
                std::ostream& out);

}  // namespace oriel::exports
