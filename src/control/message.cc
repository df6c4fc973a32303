#include "control/message.h"

#include <algorithm>

#include "base/text/utf8.h"
#include "base/text/words.h"

namespace oriel::control {
namespace {

void add_escaped(std::string_view word, std::string& text) {
  for (const char c : word) {
    if (c == '\t')
      text += "\\t";
    else if (c == '\n')
      text += "\\n";
    else if (c == '\\')
      text += "\\\\";
    else
      text += c;
  }
}

Result<std::string> unescaped(std::string_view word) {
  std::string text;
  for (size_t i = 0; i < word.size(); ++i) {
    if (static_cast<unsigned char>(word[i]) < ' ') return Status::error("a request has a control character in it");
    if (word[i] != '\\') {
      text += word[i];
      continue;
    }
    const char next = ++i < word.size() ? word[i] : '\0';
    if (next != 't' && next != 'n' && next != '\\') return Status::error("a request has an unknown escape in it");
    text += next == 't' ? '\t' : next == 'n' ? '\n' : '\\';
  }
  return text;
}

Status not_an_answer() { return Status::error("what answered does not speak as an Oriel of this version does"); }

}  // namespace

std::string line_of(const Words& words) {
  std::string line;
  for (const std::string& word : words) {
    if (&word != &words.front()) line += '\t';
    add_escaped(word, line);
  }
  return line + '\n';
}

Result<Words> words_of(std::string_view line) {
  if (!is_valid_utf8(line)) return Status::error("a request is not UTF-8");
  Words words;
  for (bool more = true; more;) {
    more = line.find('\t') != std::string_view::npos;
    Result<std::string> word = unescaped(cut(line, '\t'));
    if (!word) return word.status();
    words.push_back(std::move(*word));
  }
  return words;
}

std::string text_of(const Answer& answer) {
  std::string text = answer.status ? line_of({"ok"}) : line_of({"error", answer.status.message()});
  for (const Words& words : answer.lines) text += line_of(words);
  return text + '\n';
}

bool is_whole_answer(std::string_view text) { return text.find("\n\n") != std::string_view::npos; }

Result<Answer> read_answer(std::string_view text) {
  if (!is_whole_answer(text)) return not_an_answer();
  Answer answer;
  for (bool first = true;; first = false) {
    const std::string_view line = cut(text, '\n');
    if (line.empty() && !first) break;
    Result<Words> words = words_of(line);
    if (!words) return not_an_answer();
    if (!first) {
      answer.lines.push_back(std::move(*words));
    } else if (words->size() == 2 && (*words)[0] == "error") {
      answer.status = Status::error(std::move((*words)[1]));
    } else if (*words != Words{"ok"}) {
      return not_an_answer();
    }
  }
  return answer;
}

}  // namespace oriel::control
