# What ./start and ./test share: install what is missing, configure, build.
# Sourced, with the repository's root as the working directory.

# So that ccache serves any checkout of the same sources, wherever it is.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=true

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }

# fail <what happened> <what to do>
fail() {
  printf '\n\033[31merror:\033[0m %s\n' "$1" >&2
  [[ $# -lt 2 ]] || printf '  %s\n' "$2" >&2
  exit 1
}

as_root() {
  if [[ $EUID -eq 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "installing packages needs root, and there is no sudo here" "Run as root: $*"
  fi
}

# missing_packages <purpose>...: those of packages.txt that are not there yet.
missing_packages() {
  local purpose package command installed
  installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' 2>/dev/null | sed -n 's/ installed$//p')
  while read -r purpose package command; do
    [[ " $* " == *" $purpose "* ]] || continue
    [[ -z $command ]] || ! command -v "$command" >/dev/null || continue
    grep -qxF -- "$package" <<<"$installed" || echo "$package"
  done < <(sed 's/#.*//; /^[[:space:]]*$/d' packages.txt)
}

# install_packages <purpose>...
install_packages() {
  command -v apt-get >/dev/null ||
    fail "this is not Debian: there is no apt-get" "Install what packages.txt names by hand, then use the CMake presets."
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [[ ${#missing[@]} -gt 0 ]] || return 0
  say "Installing ${#missing[@]} Debian packages: ${missing[*]}"
  as_root apt-get update ||
    fail "apt-get update failed" "Check the network and /etc/apt/sources.list, then run this again."
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" ||
    fail "apt-get could not install the packages above" "Read its message, repair (often: apt-get -f install), then run this again."
}

# build_preset <preset> [<target>...]: configures when that was not done yet;
# ninja itself notices changed CMake files and new sources.
build_preset() {
  local preset=$1 folder=build/$1
  shift
  if [[ -f $folder/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$folder/CMakeCache.txt"; then
    rm -rf "$folder"  # built for a checkout that has since moved
  fi
  if [[ ! -f $folder/build.ninja ]]; then
    say "Configuring $folder"
    cmake --preset "$preset" || fail "configuring failed" "The reason is above. 'rm -rf $folder' gives a clean start."
  fi
  NINJA_STATUS="[%f/%t %es] " ninja -C "$folder" "$@" ||
    fail "the build failed" "The compiler's message is above. 'rm -rf $folder' gives a clean start."
}
