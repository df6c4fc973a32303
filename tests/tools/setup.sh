# For ./demo and ./check, which source it: installs what is missing, and says what a person must get.

# install PACKAGE…: those of the Debian packages that are not there yet.
install_packages() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "${0##*/}: as root, run: apt-get install ${missing[*]}" >&2; exit 1; }
    root=(sudo)
  fi
  echo "Installing ${missing[*]}"
  "${root[@]}" apt-get update -q >/dev/null || true
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${missing[@]}" >/dev/null ||
    { echo "${0##*/}: apt-get could not install ${missing[*]}" >&2; exit 1; }
}

build_packages=(build-essential ccache cmake ninja-build pkg-config python3 libcli11-dev libfmt-dev libzstd-dev
                libxxhash-dev zlib1g-dev nlohmann-json3-dev libprotozero-dev libexpat1-dev libcurl4-openssl-dev
                libncurses-dev libsqlite3-dev libevent-dev)
test_packages=(clang-format-14 clang-14 libclang-rt-14-dev libgtest-dev libgmock-dev libbenchmark-dev dpkg-dev procps
               libprotobuf-dev protobuf-compiler  # reads what Oriel writes as protobuf
               libxml2  # the coverage engine of the .NET test platform needs it
               golang-go)  # its pprof reads what oriel push sends

# The runtime's own tools, which tests use beside Oriel: in a folder of the build. Where they cannot be had, their tests
# say that they are skipped.
diagnostic_tools() {
  local folder=$PWD/build/dotnet-tools tool
  for tool in dotnet-trace dotnet-counters dotnet-gcdump dotnet-stack; do
    [ -x "$folder/$tool" ] || dotnet tool install --tool-path "$folder" "$tool" >/dev/null 2>&1 || true
  done
  export ORIEL_DOTNET_TOOLS=$folder
}

need_dotnet() {
  if ! command -v dotnet >/dev/null || ! dotnet --list-sdks 2>/dev/null | grep -qE '^[1-9][0-9]\.'; then
    echo "${0##*/}: the .NET 10 SDK is missing: get it from https://dotnet.microsoft.com/download/dotnet/10.0 and put dotnet on the PATH" >&2
    exit 1
  fi
  export DOTNET_NOLOGO=1 DOTNET_CLI_TELEMETRY_OPTOUT=1
}
