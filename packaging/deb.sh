# For ./package, which sources it: a Debian package of what was staged for a target with glibc.

# make_deb FOLDER VERSION TARGET OUT
make_deb() {
  local folder=$1 version=$2 target=$3 out=$4 tree=$work/$3/deb architecture
  case $target in
    linux-x64) architecture=amd64 ;;
    linux-arm64) architecture=arm64 ;;
    *) return ;;  # no Debian has musl for its libc
  esac
  rm -rf "$tree" && mkdir -p "$tree/DEBIAN" "$tree/usr"
  cp -a "$folder/." "$tree/usr"
  cat >"$tree/DEBIAN/control" <<CONTROL
Package: oriel
Version: ${version//-/+}
Architecture: $architecture
Maintainer: The Oriel developers <oriel@localhost>
Section: devel
Priority: optional
Depends: libc6 (>= 2.27)
Recommends: libcurl4
Installed-Size: $(du -sk "$tree/usr" | cut -f1)
Description: Profiling engine for .NET on Linux
 Profiles programs of .NET 8, 9 and 10: where their time goes, what waits,
 what allocates, and what stays in memory.
CONTROL
  printf 'liboriel 1 oriel\nliboriel-reader 1 oriel\n' >"$tree/DEBIAN/shlibs"
  echo "activate-noawait ldconfig" >"$tree/DEBIAN/triggers"
  deb=$out/oriel_${version//-/+}_$architecture.deb
  dpkg-deb --root-owner-group --build "$tree" "$deb" >/dev/null || fail "dpkg-deb cannot make $deb"
  echo "Made $deb"
}
