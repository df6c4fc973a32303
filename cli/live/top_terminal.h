// The terminal that `oriel top` draws on: ncurses behind a few functions.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "top/screen.h"
#include "top/state.h"

namespace oriel::cli {

// There can be one at a time. It takes the terminal when it is made and gives it back as it was when it goes. Ctrl-C
// and its like are the caller's: they must be blocked (interrupt_file.h).
class TopTerminal {
 public:
  // Nullptr where stdin or stdout is no terminal, or one that cannot be drawn on.
  static std::unique_ptr<TopTerminal> open();
  TopTerminal(const TopTerminal&) = delete;
  TopTerminal& operator=(const TopTerminal&) = delete;
  ~TopTerminal();

  top::Size size() const;
  void draw(const std::vector<top::Line>& lines);

  struct Input {
    std::optional<top::Key> key;  // nullopt: the size has changed, or the key means nothing
  };
  // What was pressed; nullopt if nothing was.
  std::optional<Input> input();

 private:
  TopTerminal() = default;
};

}  // namespace oriel::cli
