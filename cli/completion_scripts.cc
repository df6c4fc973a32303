// The completion script of each shell, filled in from the commands.
#include <fmt/format.h>

#include "base/text/words.h"
#include "completion.h"

namespace oriel::cli {
namespace {

// `text` with all `from` replaced by `to`.
std::string with(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// Quotes for bash and zsh.
std::string single_quoted(const std::string& text) { return "'" + with(text, "'", R"('\'')") + "'"; }

const char* kind_name(Completed kind) {
  switch (kind) {
    case Completed::kWords:
      return "words";
    case Completed::kList:
      return "list";
    case Completed::kFile:
      return "file";
    case Completed::kFolder:
      return "folder";
    case Completed::kLog:
      return "log";
    case Completed::kReport:
      return "report";
    case Completed::kModule:
      return "module";
    case Completed::kProgram:
      return "program";
    case Completed::kNothing:
      break;
  }
  return "nothing";
}

// Words that may follow a command: its subcommands.
std::vector<std::string> commands_in(const std::string& name, const std::vector<CompletedCommand>& commands) {
  const std::string prefix = name.empty() ? "" : name + " ";
  std::vector<std::string> words;
  for (const CompletedCommand& command : commands) {
    if (command.name.size() <= prefix.size() || !command.name.starts_with(prefix)) continue;
    const std::string word = command.name.substr(prefix.size());
    if (word.find(' ') == std::string::npos) words.push_back(word);
  }
  return words;
}

constexpr const char* kBash = R"(# Completion of oriel for bash, as `oriel completion bash` prints it.

# Sets what the command in $1 has.
_oriel_command() {
  commands='' options='' kind='nothing' words=''
  case $1 in
@commands@  esac
}

# Sets what the value of option $2 of the command in $1 is, and whether it may stand apart.
_oriel_value() {
  kind='nothing' words='' apart=''
  case "$1 $2" in
@values@  esac
}

_oriel_files() {
  mapfile -t COMPREPLY < <(compgen -d -- "$cur"; [[ -z $1 ]] || compgen -f -X "$1" -- "$cur")
  compopt -o filenames 2> /dev/null
}

# Completes $cur with what $kind and $words say.
_oriel_reply() {
  local before=''
  case $kind in
    file) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); compopt -o filenames 2> /dev/null ;;
    folder) _oriel_files '' ;;
    log | report) _oriel_files '!*.oriel' ;;
    module) _oriel_files '!*.so' ;;
    list) [[ $cur == *,* ]] && before=${cur%,*},; cur=${cur##*,} ;;
  esac
  [[ -z $words ]] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -P "$before" -W "$words" -- "$cur")
}

# Completes the program that begins at word $1, and its arguments.
_oriel_program() {
  if declare -F _comp_command_offset > /dev/null; then
    _comp_command_offset "$1"
  elif declare -F _command_offset > /dev/null; then
    _command_offset "$1"
  else
    mapfile -t COMPREPLY < <((($1 < COMP_CWORD)) || compgen -c -- "$cur"; compgen -f -- "$cur")
    compopt -o filenames 2> /dev/null
  fi
}

_oriel() {
  local cur=${COMP_WORDS[COMP_CWORD]} command='' commands options kind words apart word last='' pending='' given=0 i
  COMPREPLY=()
  _oriel_command ''
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == '=' && -n $last ]]; then
      pending=$last
    elif [[ -n $pending ]]; then
      pending='' last=''
    elif [[ $word == '--' ]]; then
      [[ $kind != program ]] || { _oriel_program $((i + 1)); return; }
    elif [[ $word == -* ]]; then
      _oriel_value "$command" "$word"
      last=$word
      [[ -z $apart ]] || pending=$word
      _oriel_command "$command"
    elif ((given == 0)) && [[ " $commands " == *" $word "* ]]; then
      command+=${command:+ }$word
      _oriel_command "$command"
      last=''
    else
      [[ $kind != program ]] || { _oriel_program "$i"; return; }
      given=$((given + 1)) last=''
    fi
  done
  [[ $cur != '=' || -z $last ]] || pending=$last cur=''
  if [[ -n $pending ]]; then
    _oriel_value "$command" "$pending"
    _oriel_reply
  elif [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
  elif [[ $kind == program ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$cur")
    ((${#COMPREPLY[@]})) || _oriel_program "$COMP_CWORD"
  else
    ((given == 0)) || words=''
    ((given)) || words+=" $commands"
    _oriel_reply
  fi
}
complete -F _oriel oriel
)";

std::string bash_script(const std::vector<CompletedCommand>& commands) {
  std::string heads, values;
  for (const CompletedCommand& command : commands) {
    std::vector<std::string> options;
    for (const CompletedOption& option : command.options) {
      options.insert(options.end(), option.names.begin(), option.names.end());
      if (!option.has_value) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : option.names) patterns.push_back(fmt::format("'{} {}'", command.name, name));
      values += fmt::format("    {}) kind='{}' words='{}' apart='{}' ;;\n", join(patterns, " | "),
                            kind_name(option.value.kind), join(option.value.words, " "), option.needs_value ? 1 : 0);
    }
    heads += fmt::format("    '{}') commands='{}' options='{}' kind='{}' words='{}' ;;\n", command.name,
                         join(commands_in(command.name, commands), " "), join(options, " "),
                         kind_name(command.positional.kind), join(command.positional.words, " "));
  }
  return with(with(kBash, "@commands@", heads), "@values@", with(values, "apart='0'", "apart=''"));
}

constexpr const char* kZsh = R"zsh(#compdef oriel
# Completion of oriel for zsh, as `oriel completion zsh` prints it.

_oriel_logs() { _files -g '*.oriel(-.)' }
_oriel_modules() { _alternative 'modules:module:(@modules@)' 'files:library:_files -g "*.so(-.)"' }
_oriel_reports() { _alternative 'reports:report:(@reports@)' 'files:log:_files -g "*.oriel(-.)"' }
@commands@
_oriel "$@"
)zsh";

// zsh's action for a value.
std::string zsh_action(const CompletedValue& value) {
  switch (value.kind) {
    case Completed::kWords:
      return fmt::format("({})", join(value.words, " "));
    case Completed::kList:
      return fmt::format("_sequence compadd - {}", join(value.words, " "));
    case Completed::kFile:
      return "_files";
    case Completed::kFolder:
      return "_files -/";
    case Completed::kLog:
      return "_oriel_logs";
    case Completed::kReport:
      return "_oriel_reports";
    case Completed::kModule:
      return "_oriel_modules";
    case Completed::kProgram:
    case Completed::kNothing:
      break;
  }
  return " ";
}

// Escapes text inside [] or between colons for _arguments.
std::string zsh_escaped(std::string text) {
  for (const char* mark : {"\\", "[", "]", ":"}) text = with(text, mark, std::string("\\") + mark);
  return text;
}

std::string zsh_option(const CompletedOption& option) {
  std::string specs;
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    std::string spec = "*" + name;
    if (option.has_value) spec += !option.needs_value ? "=-" : is_long ? "=" : "+";
    spec += "[" + zsh_escaped(option.help) + "]";
    if (option.has_value)
      spec += (option.needs_value ? ":" : "::") + zsh_escaped(option.type) + ":" + zsh_action(option.value);
    specs += " \\\n        " + single_quoted(spec);
  }
  return specs;
}

std::string zsh_script(const std::vector<CompletedCommand>& commands) {
  std::string functions;
  for (const CompletedCommand& command : commands) {
    std::string specs;
    for (const CompletedOption& option : command.options) specs += zsh_option(option);
    std::string describes;
    for (const std::string& word : commands_in(command.name, commands)) {
      const std::string name = command.name.empty() ? word : command.name + " " + word;
      for (const CompletedCommand& other : commands)
        if (other.name == name)
          describes += "\n      " + single_quoted(zsh_escaped(word) + ":" + zsh_escaped(other.help));
    }
    const std::string own = "_oriel" + (command.name.empty() ? "" : "_" + with(command.name, " ", "_"));
    std::string body;
    if (!describes.empty()) body += fmt::format("  local -a own_commands=({}\n  )\n", describes);
    if (command.name.empty()) {
      body += fmt::format(
          "  _arguments -C{} \\\n    '1: :->command' '*:: :->rest'\n"
          "  case $state in\n    command) _describe command own_commands ;;\n"
          "    rest) (( $+functions[_oriel_$words[1]] )) && _oriel_$words[1] ;;\n  esac\n",
          specs);
    } else if (command.positional.kind == Completed::kProgram) {
      if (!describes.empty())
        body += fmt::format(
            "  if (( CURRENT > 2 )) && (( $+functions[{0}_$words[2]] )); then\n"
            "    local sub=$words[2]\n    shift words\n    (( CURRENT-- ))\n    {0}_$sub\n    return\n  fi\n"
            "  (( CURRENT == 2 )) && [[ $words[2] != -* ]] && _describe command own_commands && return\n",
            own);
      body += fmt::format("  _arguments -s -S{} \\\n    '(-)1:program:_command_names -e' '*:: :_normal'\n", specs);
    } else {
      const bool report = command.positional.kind == Completed::kReport;
      const std::string rest = report ? "_oriel_logs" : zsh_action(command.positional);
      body += fmt::format("  _arguments -s{}{} \\\n    '*:file:{}'\n", specs,
                          report ? " \\\n    '1: :_oriel_reports'" : "", rest);
    }
    functions += fmt::format("\n{}() {{\n{}}}\n", own, body);
  }
  std::string reports, modules;
  for (const CompletedCommand& command : commands) {
    if (command.positional.kind == Completed::kReport) reports = join(command.positional.words, " ");
    for (const CompletedOption& option : command.options)
      if (option.value.kind == Completed::kModule) modules = join(option.value.words, " ");
  }
  return with(with(with(kZsh, "@modules@", modules), "@reports@", reports), "@commands@", functions);
}

constexpr const char* kFish = R"(# Completion of oriel for fish, as `oriel completion fish` prints it.

# Whether the command line is of the command in $argv[1]; with $argv[2], and has nothing but options behind it.
function __oriel_is
    set -l words (commandline -opc)
    set -e words[1]
    set -l now ''
    if set -q words[1]; and contains -- $words[1] @names@
        set now $words[1]
        set -e words[1]
        if set -q words[1]; and contains -- "$now $words[1]" @twofold@
            set now "$now $words[1]"
            set -e words[1]
        end
    end
    test "$now" = "$argv[1]"; or return 1
    set -q argv[2]; or return 0
    not string match -qv -- '-*' $words
end

complete -c oriel -f
)";

std::string fish_quoted(std::string text) { return "'" + with(with(std::move(text), "\\", "\\\\"), "'", "\\'") + "'"; }

std::string fish_value(const CompletedValue& value) {
  switch (value.kind) {
    case Completed::kWords:
    case Completed::kList:
      return " -a " + fish_quoted(join(value.words, " "));
    case Completed::kFile:
      return " -F";
    case Completed::kFolder:
      return " -a '(__fish_complete_directories)'";
    case Completed::kLog:
      return " -k -a '(__fish_complete_suffix .oriel)'";
    case Completed::kReport:
      return " -k -a '(__fish_complete_suffix .oriel)'";
    case Completed::kModule:
      return " -k -a " + fish_quoted("(__fish_complete_suffix .so) " + join(value.words, " "));
    case Completed::kProgram:
      return " -F";
    case Completed::kNothing:
      break;
  }
  return "";
}

std::string fish_script(const std::vector<CompletedCommand>& commands) {
  std::string lines;
  std::vector<std::string> names, twofold;
  for (const CompletedCommand& command : commands) {
    if (command.name.find(' ') != std::string::npos)
      twofold.push_back(fish_quoted(command.name));
    else if (!command.name.empty())
      names.push_back(command.name);
    const std::string is = "__oriel_is " + (command.name.empty() ? "''" : fish_quoted(command.name));
    const std::string line = "complete -c oriel -n " + fish_quoted(is);
    const std::string first = "complete -c oriel -n " + fish_quoted(is + " first");
    for (const std::string& word : commands_in(command.name, commands)) {
      const std::string name = command.name.empty() ? word : command.name + " " + word;
      for (const CompletedCommand& other : commands)
        if (other.name == name) lines += fmt::format("{} -a {} -d {}\n", first, word, fish_quoted(other.help));
    }
    if (command.positional.kind == Completed::kReport)
      lines += fmt::format("{} -a {}\n", first, fish_quoted(join(command.positional.words, " ")));
    if (command.positional.kind != Completed::kNothing) lines += line + fish_value(command.positional) + "\n";
    for (const CompletedOption& option : command.options) {
      lines += line;
      for (const std::string& name : option.names)
        lines += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (option.needs_value) lines += option.value.kind == Completed::kFile ? " -r" : " -x";
      lines += fmt::format("{} -d {}\n", fish_value(option.value), fish_quoted(option.help));
    }
  }
  return with(with(kFish, "@names@", join(names, " ")), "@twofold@", join(twofold, " ")) + lines;
}

struct Shell {
  const char* name;
  std::string (*script)(const std::vector<CompletedCommand>&);
};
constexpr Shell kShells[] = {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};

}  // namespace

std::vector<std::string> shell_names() {
  std::vector<std::string> names;
  for (const Shell& shell : kShells) names.emplace_back(shell.name);
  return names;
}

std::string completion_script(std::string_view shell, const std::vector<CompletedCommand>& commands) {
  for (const Shell& known : kShells)
    if (shell == known.name) return known.script(commands);
  return "";
}

}  // namespace oriel::cli
