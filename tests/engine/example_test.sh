#!/bin/sh
# The example module, built out of tree against the installed headers by pkg-config and by CMake, does its work.
# Arguments: build folder, example's folder, the scripted host.
set -eu
build=$1 example=$2 host=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/prefix" >/dev/null
pc=$(dirname "$(find "$work/prefix" -name oriel.pc)")
libs=$(dirname "$(find "$work/prefix" -name liboriel.so)")
cp -r "$example" "$work/example"
cd "$work/example"
PKG_CONFIG_PATH=$pc sh -c 'cc -std=c11 -Wall -Wextra -Werror -shared -fPIC -o liboriel-gccount.so gccount.c $(pkg-config --cflags --libs oriel)'
cmake -S . -B build -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build build >/dev/null

printf 'gc\ngc generation=1 induced\ngc\ngc generation=2\n' > script
for module in liboriel-gccount.so build/liboriel-gccount.so; do
  said=$(LD_LIBRARY_PATH=$libs ORIEL_PROFILERS="./$module:my label" "$host" script 2>&1)
  if [ "$said" != 'my label: gen0 2, gen1 1, gen2 1' ]; then
    echo "$module said: $said"
    exit 1
  fi
done
