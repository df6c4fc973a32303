#include "live/top_terminal.h"

#include <langinfo.h>
#include <termios.h>
#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <cstring>
#include <string>

// Of the wide version, which knows UTF-8.
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>

namespace oriel::cli {
namespace {

bool is_utf8 = true, has_color = false;

enum ColorPair : short { kGreen = 1, kYellow, kRed, kCyan };

attr_t attributes(top::Style style) {
  const auto colored = [](ColorPair pair) { return has_color ? static_cast<attr_t>(COLOR_PAIR(pair)) : A_NORMAL; };
  switch (style) {
    case top::Style::kPlain:
      return A_NORMAL;
    case top::Style::kTitle:
    case top::Style::kHeader:
    case top::Style::kSelected:
      return A_REVERSE;
    case top::Style::kLabel:
      return A_BOLD | colored(kCyan);
    case top::Style::kDim:
      return A_DIM;
    case top::Style::kHot:
      return A_BOLD | colored(kRed);
    case top::Style::kWarm:
      return colored(kYellow);
    case top::Style::kKey:
      return A_NORMAL;
  }
  return A_NORMAL;
}

void use_colors() {
  const char* const no_color = std::getenv("NO_COLOR");
  has_color = !(no_color && *no_color) && has_colors();
  if (!has_color) return;
  start_color();
  use_default_colors();
  constexpr short kDefault = -1;
  init_pair(kGreen, COLOR_GREEN, kDefault);
  init_pair(kYellow, COLOR_YELLOW, kDefault);
  init_pair(kRed, COLOR_RED, kDefault);
  init_pair(kCyan, COLOR_CYAN, kDefault);
}

struct KnownKey {
  int code;
  top::Key::Code key;
};
constexpr KnownKey kKnownKeys[] = {
    {KEY_UP, top::Key::kUp},       {KEY_DOWN, top::Key::kDown},    {KEY_LEFT, top::Key::kLeft},
    {KEY_RIGHT, top::Key::kRight}, {KEY_PPAGE, top::Key::kPageUp}, {KEY_NPAGE, top::Key::kPageDown},
    {KEY_HOME, top::Key::kHome},   {KEY_END, top::Key::kEnd},      {KEY_ENTER, top::Key::kEnter},
    {'\r', top::Key::kEnter},      {'\n', top::Key::kEnter},       {27, top::Key::kEscape},
    {'\t', top::Key::kTab},        {KEY_BTAB, top::Key::kBackTab}, {KEY_BACKSPACE, top::Key::kBackspace},
    {127, top::Key::kBackspace},   {'\b', top::Key::kBackspace},
};

}  // namespace

std::unique_ptr<TopTerminal> TopTerminal::open() {
  const char* const name = std::getenv("TERM");
  const bool can_draw = name && *name && std::strcmp(name, "dumb") != 0;
  if (!can_draw || isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1) return nullptr;
  setlocale(LC_CTYPE, "");
  is_utf8 = std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
  // A terminal that it does not know is an error, not the end of the process as with initscr.
  SCREEN* const screen = newterm(nullptr, stdout, stdin);
  if (screen == nullptr) return nullptr;
  set_term(screen);
  cbreak();
  noecho();
  nonl();
  keypad(stdscr, true);
  nodelay(stdscr, true);
  set_escdelay(25);
  curs_set(0);
  // Ctrl-\ would end the tool without giving the terminal back.
  termios keys{};
  if (tcgetattr(STDIN_FILENO, &keys) == 0) {
    keys.c_cc[VQUIT] = _POSIX_VDISABLE;
    tcsetattr(STDIN_FILENO, TCSANOW, &keys);
    def_prog_mode();
  }
  use_colors();
  return std::unique_ptr<TopTerminal>(new TopTerminal);
}

TopTerminal::~TopTerminal() { endwin(); }

top::Size TopTerminal::size() const {
  return {static_cast<size_t>(getmaxy(stdscr)), static_cast<size_t>(getmaxx(stdscr))};
}

void TopTerminal::draw(const std::vector<top::Line>& lines) {
  werase(stdscr);
  int row = 0;
  for (const top::Line& line : lines) {
    wmove(stdscr, row++, 0);
    for (const top::Span& span : line) {
      wattrset(stdscr, static_cast<int>(attributes(span.style)));
      waddstr(stdscr, is_utf8 ? span.text.c_str() : top::as_ascii(span.text).c_str());
    }
  }
  wattrset(stdscr, A_NORMAL);
  wrefresh(stdscr);
}

std::optional<TopTerminal::Input> TopTerminal::input() {
  const int code = wgetch(stdscr);
  if (code == ERR) return std::nullopt;
  for (const KnownKey& known : kKnownKeys)
    if (known.code == code) return Input{top::Key{known.key, 0}};
  if (code >= ' ' && code < 256) return Input{top::Key{top::Key::kText, static_cast<char>(code)}};
  return Input{std::nullopt};
}

}  // namespace oriel::cli
