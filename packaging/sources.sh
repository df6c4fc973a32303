# For ./package, which sources it: brings the toolchain and the libraries' sources into $work, once each, and takes
# nothing that is not what pins.txt says.

# The toolchain, as the npm client brings it.
fetch_toolchain() {
  local name version integrity file
  read -r _ name version integrity < <(grep '^npm ' "$pins")
  zig=$work/zig-$version/package/zig
  [ -x "$zig" ] && return
  echo "Getting the toolchain $name $version"
  mkdir -p "$work/npm"
  file=$(cd "$work/npm" && npm pack --silent "$name@$version") || fail "npm could not get $name $version"
  file=$work/npm/${file##*/}
  [ "sha512-$(openssl dgst -sha512 -binary "$file" | base64 -w0)" = "$integrity" ] ||
    fail "$name $version is not what $pins says: its integrity differs"
  rm -rf "$work/zig-$version" && mkdir "$work/zig-$version"
  tar xzf "$file" -C "$work/zig-$version"
  rm -r "$work/npm"
}

# apt-get with lists of its own: this system's suites, of their sources.
apt_sources() {
  apt-get -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$work/apt/parts" -o APT::Sandbox::User=root \
    -o Dir::State::lists="$work/apt/lists" -o Debug::NoLocking=true "$@"
}

list_sources() {
  [ -d "$work/apt/lists/partial" ] && return
  mkdir -p "$work/apt/parts" "$work/apt/lists/partial"
  local file
  for file in /etc/apt/sources.list.d/*.sources; do
    [ -e "$file" ] && sed 's/^Types: .*/Types: deb-src/' "$file" >"$work/apt/parts/${file##*/}"
  done
  [ -e /etc/apt/sources.list ] && sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$work/apt/parts/main.list"
  apt_sources update >/dev/null || fail "apt-get could not list Debian's sources"
}

# fetch_source NAME: its sources with Debian's patches are in $sources/NAME.
fetch_source() {
  local name=$1 version hash
  [ -d "$sources/$name" ] && return
  read -r _ _ version hash < <(grep "^deb $name " "$pins")
  list_sources
  echo "Getting the source of $name $version"
  rm -rf "$work/download" && mkdir -p "$work/download"
  (cd "$work/download" && apt_sources source --download-only "$name=$version" >log 2>&1) ||
    fail "apt-get could not get the source of $name $version; see $work/download/log"
  local dsc=("$work"/download/*.dsc)
  [ "$(sha256sum <"${dsc[0]}")" = "$hash  -" ] || fail "the source of $name $version is not what $pins says: its hash differs"
  (cd "$work/download" && dpkg-source -x "${dsc[0]}" tree >log 2>&1) || fail "the source of $name cannot be unpacked; see $work/download/log"
  mkdir -p "$sources" && mv "$work/download/tree" "$sources/$name"
}

# fetch_headers NAME: what Debian's package of headers has, is in $sources/NAME.
fetch_headers() {
  local name=$1 version hash
  [ -d "$sources/$name" ] && return
  read -r _ _ version hash < <(grep "^all $name " "$pins")
  echo "Getting $name $version"
  rm -rf "$work/download" && mkdir -p "$work/download"
  (cd "$work/download" && apt-get -q -o APT::Sandbox::User=root download "$name=$version" >log 2>&1) ||
    fail "apt-get could not get $name $version; see $work/download/log"
  local deb=("$work"/download/*.deb)
  [ "$(sha256sum <"${deb[0]}")" = "$hash  -" ] || fail "$name $version is not what $pins says: its hash differs"
  dpkg-deb -x "${deb[0]}" "$work/download/tree" && mkdir -p "$sources" && mv "$work/download/tree/usr/include" "$sources/$name"
}

# musl's loader for arm64, which the emulator starts programs with: Debian's package for arm64, in $sources/musl-arm64.
# This system's own packages, and its lists of them, stay as they are.
fetch_musl_of_arm64() {
  local place=$sources/musl-arm64 version hash lists=$work/apt-arm64
  [ -d "$place" ] && return
  read -r _ _ version hash < <(grep "^arm64 musl " "$pins")
  echo "Getting musl $version for arm64"
  rm -rf "$work/download" "$lists" && mkdir -p "$work/download" "$lists"/{lists,cache}/partial
  local apt=(apt-get -q -o APT::Sandbox::User=root -o APT::Architecture=arm64 -o APT::Architectures=arm64
    -o Dir::State::lists="$lists/lists" -o Dir::Cache="$lists/cache" -o Debug::NoLocking=true)
  (cd "$work/download" && "${apt[@]}" update >log 2>&1 && "${apt[@]}" download "musl=$version" >>log 2>&1) ||
    fail "apt-get could not get musl $version for arm64; see $work/download/log"
  local deb=("$work"/download/*.deb)
  [ "$(sha256sum <"${deb[0]}")" = "$hash  -" ] ||
    fail "musl $version for arm64 is not what $pins says: its hash differs"
  dpkg-deb -x "${deb[0]}" "$work/download/tree" && mv "$work/download/tree" "$place"
}

fetch_sources() {
  local name
  while read -r _ name _; do fetch_headers "$name"; done < <(grep '^all ' "$pins")
  while read -r _ name _; do fetch_source "$name"; done < <(grep '^deb ' "$pins")
  # SQLite's one file is made of its parts by its own makefile.
  if [ ! -e "$sources/sqlite3/sqlite3.c" ]; then
    echo "Making SQLite's one file"
    (cd "$sources/sqlite3" && ./configure --disable-tcl >package.log 2>&1 && make sqlite3.c >>package.log 2>&1) ||
      fail "SQLite's one file cannot be made; see $sources/sqlite3/package.log"
  fi
}
