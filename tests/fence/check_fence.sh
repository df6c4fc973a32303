#!/bin/sh
# check_fence.sh NM ALLOWED LIBRARY…: fails if an object of the libraries calls what ALLOWED does not list for it.
nm=$1
allowed=$2
shift 2

# Lines "library:object: [address] type name", undefined symbols having no address.
"$nm" -A "$@" 2>/dev/null | awk -v allowed="$allowed" '
  BEGIN {
    while ((getline line < allowed) > 0) {
      split(line, word, " ")
      if (word[1] == "handler-object") handler_object[word[2]] = 1
      if (word[1] == "handler-symbol") handler_symbol[word[2]] = 1
      if (word[1] == "manager-symbol") manager_symbol[word[2]] = 1
    }
  }
  NF >= 3 {
    split($1, place, ":")
    library = place[1]
    sub(".*/", "", library)
    object = place[2]
    seen[object] = 1
    name = $NF
    type = $(NF - 1)
    # Inline functions are defined in every object that uses them.
    if (type ~ /[A-TV-Z]/) defined[name] = 1
    if (type ~ /[A-TV-Z]/ && object in handler_object) defined_in_handler[name] = 1
    if (type == "U") calls[++count] = library SUBSEP object SUBSEP name
  }
  END {
    if (count == 0) { print "no calls found: wrong library?"; exit 1 }
    for (object in handler_object) if (!(object in seen)) { print object " is in none of the libraries"; bad = 1 }
    for (i = 1; i <= count; i++) {
      split(calls[i], call, SUBSEP)
      in_handler = call[2] in handler_object
      # Objects of other rooms that no handler uses are free.
      if (!in_handler && call[1] != "liboriel_sampling.a") continue
      if (call[3] in handler_symbol) continue
      if (call[3] in defined) {
        if (!in_handler || call[3] in defined_in_handler) continue
      } else if (!in_handler && call[3] in manager_symbol) {
        continue
      }
      print call[2] (in_handler ? " (in the signal handler)" : "") " calls " call[3] ", which is not allowed there"
      bad = 1
    }
    exit bad
  }'
