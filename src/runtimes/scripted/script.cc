#include "runtimes/scripted/script.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace oriel::scripted {
namespace {

struct Verb {
  std::string_view name;
  size_t min_words;
  size_t max_words;
  std::string_view options;  // " key" for each, including flags
  bool has_block;
};

constexpr size_t kAny = 64;
constexpr size_t kMaxDepth = 8;

constexpr std::array<Verb, 22> kVerbs{{
    {"domain", 1, 1, "", false},
    {"assembly", 1, 1, "", false},
    {"image", 1, 1, " assembly path fail", false},
    {"class", 1, 1, " image size fail", false},
    {"method", 1, 1, " class trivial", false},
    {"jit", 1, 1, " at size fail", false},
    {"precompiled", 1, 1, " at size", false},
    {"free", 1, 1, "", false},
    {"unload", 2, 2, "", false},
    {"throw", 1, 1, " through caught", false},
    {"gc", 0, 0, " generation induced", false},
    {"run", 1, kAny, " ms", false},
    {"spin", 0, 0, " ms", false},
    {"sleep", 0, 0, " ms", false},
    {"rename", 1, 1, "", false},
    {"resolve", 1, 1, " expect", false},
    {"trivial", 2, 2, "", false},
    {"exit", 0, 0, " code", false},
    {"join", 0, 0, "", false},
    {"thread", 1, 1, " native", true},
    {"parallel", 1, 1, "", true},
    {"repeat", 1, 1, "", true},
}};

const Verb* find_verb(std::string_view name) {
  const auto found = std::find_if(kVerbs.begin(), kVerbs.end(), [&](const Verb& verb) { return verb.name == name; });
  return found == kVerbs.end() ? nullptr : &*found;
}

bool takes_option(const Verb& verb, const std::string& key) {
  return !key.empty() && (std::string(verb.options) + " ").find(" " + key + " ") != std::string::npos;
}

Status error_at(unsigned line, const std::string& what) {
  return Status::error("line " + std::to_string(line) + ": " + what);
}

bool is_flag(const std::string& word) {
  constexpr std::string_view kFlags[] = {"fail", "induced", "native", "trivial"};
  return std::ranges::find(kFlags, word) != std::end(kFlags);
}

Result<Action> parse_line(const std::string& text, unsigned line) {
  std::istringstream in(text.substr(0, text.find('#')));
  Action action;
  action.line = line;
  in >> action.verb;
  if (action.verb.empty() || action.verb == "end") return action;
  const Verb* const verb = find_verb(action.verb);
  if (!verb) return error_at(line, "no such action: " + action.verb);
  for (std::string word; in >> word;) {
    const size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    if ((equals != std::string::npos || is_flag(word)) && takes_option(*verb, key)) {
      action.options[key] = equals == std::string::npos ? "" : word.substr(equals + 1);
    } else {
      action.words.push_back(word);
    }
  }
  if (action.words.size() < verb->min_words || action.words.size() > verb->max_words) {
    return error_at(line, action.verb + " takes " + std::to_string(verb->min_words) + " word(s), not " +
                              std::to_string(action.words.size()));
  }
  return action;
}

}  // namespace

Result<std::vector<Action>> parse_script(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<Action> open(1);  // the script itself, then the open blocks
  unsigned number = 0;
  for (std::string line; std::getline(in, line);) {
    Result<Action> action = parse_line(line, ++number);
    if (!action) return action.status();
    if (action->verb.empty()) continue;
    if (action->verb == "end") {
      if (open.size() == 1) return error_at(number, "end without a block");
      Action done = std::move(open.back());
      open.pop_back();
      open.back().block.push_back(std::move(done));
    } else if (find_verb(action->verb)->has_block) {
      if (open.size() == kMaxDepth) return error_at(number, "blocks are nested too deeply");
      open.push_back(std::move(*action));
    } else {
      open.back().block.push_back(std::move(*action));
    }
  }
  if (open.size() > 1) return error_at(open.back().line, open.back().verb + " has no end");
  return std::move(open.front().block);
}

}  // namespace oriel::scripted
