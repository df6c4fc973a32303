# For ./package, which sources it: builds the libraries that Oriel links for a target, as archives, into $root. The
# compiler's wrappers are in $tools; $root/NAME.done says that a library is there.

once() {
  local name=$1
  [ -e "$root/$name.done" ] && return
  echo "Building $name for $target"
  rm -rf "${place:?}/libraries/$name" && mkdir -p "$place/libraries/$name" "$root/lib" "$root/include"
  # In the background, because bash looks over failures in what `||` follows.
  (set -e; cd "$place/libraries/$name"; "library_$name" "$sources/$name") >"$place/$name.log" 2>&1 &
  wait $! || fail "$name cannot be built for $target; see $place/$name.log"
  touch "$root/$name.done"
}

# compile ARCHIVE OPTIONS… -- SOURCES…
compile() {
  local archive=$1 options=() source
  shift
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  for source; do
    "$tools/cc" -O2 -fPIC -fvisibility=hidden "${options[@]}" -c "$source" -o "$(basename "$source").o"
  done
  "$tools/ar" rcs "$root/lib/$archive" ./*.o
}

with_cmake() {
  local source=$1
  shift
  cmake -G Ninja -S "$source" -B . -DCMAKE_TOOLCHAIN_FILE="$place/toolchain.cmake" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_INSTALL_PREFIX="$root" -DCMAKE_POLICY_DEFAULT_CMP0077=NEW -DCMAKE_POSITION_INDEPENDENT_CODE=ON "$@"
  cmake --build . --target install
}

library_zlib() {
  compile libz.a -D_LARGEFILE64_SOURCE=1 -DHAVE_UNISTD_H -DHAVE_STDARG_H -- "$1"/*.c
  cp "$1/zlib.h" "$1/zconf.h" "$root/include"
}

library_libzstd() {
  compile libzstd.a -DXXH_NAMESPACE=ZSTD_ -DZSTD_DISABLE_ASM -DZSTD_LEGACY_SUPPORT=0 -DDEBUGLEVEL=0 -- \
    "$1"/lib/common/*.c "$1"/lib/compress/*.c "$1"/lib/decompress/*.c
  cp "$1/lib/zstd.h" "$1/lib/zstd_errors.h" "$root/include"
  mkdir -p "$root/lib/pkgconfig"
  printf '%s\n' "Name: zstd" "Description: zstd" "Version: 1.5.4" "Libs: -L$root/lib -lzstd" \
    "Cflags: -I$root/include" >"$root/lib/pkgconfig/libzstd.pc"
}

library_sqlite3() {
  compile libsqlite3.a -DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_ENABLE_MATH_FUNCTIONS \
    -DSQLITE_ENABLE_COLUMN_METADATA -DSQLITE_DQS=0 -- "$1/sqlite3.c"
  cp "$1/sqlite3.h" "$root/include"
}

library_expat() {
  local source=$1
  [ -d "$source/expat" ] && source=$source/expat
  printf '#define %s\n' "BYTEORDER 1234" "HAVE_GETRANDOM 1" "HAVE_MEMMOVE 1" "XML_DTD 1" "XML_NS 1" "XML_GE 1" \
    "XML_DEV_URANDOM 1" "XML_CONTEXT_BYTES 1024" >expat_config.h
  compile libexpat.a -DXML_STATIC -I. -- "$source"/lib/xmlparse.c "$source"/lib/xmlrole.c "$source"/lib/xmltok.c
  cp "$source/lib/expat.h" "$source/lib/expat_external.h" "$root/include"
}

library_libevent() {
  with_cmake "$1" -DEVENT__LIBRARY_TYPE=STATIC -DEVENT__DISABLE_OPENSSL=ON -DEVENT__DISABLE_TESTS=ON \
    -DEVENT__DISABLE_BENCHMARK=ON -DEVENT__DISABLE_SAMPLES=ON -DEVENT__DISABLE_REGRESS=ON
}

# Descriptions of the terminals that people use are within, for systems that have none.
library_ncurses() {
  CC=$tools/cc AR=$tools/ar RANLIB=$tools/ranlib CFLAGS="-O2 -fPIC" "$1/configure" --prefix="$root" --host="$triple" \
    --with-build-cc=cc --enable-widec --enable-overwrite --without-cxx --without-cxx-binding --without-ada \
    --without-progs --without-tests --without-manpages --without-debug --without-shared --disable-db-install \
    --disable-stripping --with-default-terminfo-dir=/usr/share/terminfo \
    --with-terminfo-dirs=/etc/terminfo:/lib/terminfo:/usr/share/terminfo:/usr/lib/terminfo \
    --with-fallbacks=xterm,xterm-256color,screen,screen-256color,tmux,tmux-256color,linux,vt100
  make -j2 libs
  make -C include install
  make -C ncurses install.libs
}

library_fmtlib() { with_cmake "$1" -DFMT_DOC=OFF -DFMT_TEST=OFF; }
library_cli11() {
  with_cmake "$1" -DCLI11_BUILD_DOCS=OFF -DCLI11_BUILD_TESTS=OFF -DCLI11_BUILD_EXAMPLES=OFF -DCLI11_SINGLE_FILE=OFF
}
library_googletest() { with_cmake "$1" -DBUILD_GMOCK=ON; }
library_nlohmann-json3() { with_cmake "$1" -DJSON_BuildTests=OFF; }
library_libprotozero-dev() { cp -r "$1/." "$root/include"; }
library_xxhash() { cp "$1/xxhash.h" "$root/include"; }
library_curl() { mkdir -p "$root/include/curl" && cp "$1"/include/curl/*.h "$root/include/curl"; }  # loaded, not linked

# What compilers call of their own, such as a division of 128 bits, without the toolchain's copies of libc's and libm's
# functions. A program would take those instead of the system's, whose memcpy is several times as fast. And stat().
library_builtins() {
  echo "int builtins;" >of.c
  local archive
  archive=$(ZIG_VERBOSE_LINK=1 "$tools/cc" -shared -fPIC of.c -o of.so 2>&1 | grep -o '[^ ]*/libcompiler_rt\.a' | head -1)
  ar p "$archive" >all.o
  nm all.o | awk '$2 ~ /[TW]/ && $3 !~ /^_/ {print $3, "__builtin_copy_of_" $3}' >names
  "$objcopy" --redefine-syms=names all.o builtins.o
  local objects=(builtins.o)
  case $target in
    linux-musl-*) ;;
    *) "$tools/cc" -O2 -fPIC -c "$packaging/stat.c" -o stat.o && objects+=(stat.o) ;;
  esac
  ar rcs "$root/lib/libbuiltins.a" "${objects[@]}"
}

build_libraries() {
  local name
  once builtins
  while read -r _ name _; do once "$name"; done < <(grep -E '^(deb|all) ' "$pins")
}
