#!/bin/sh
# Builds an image from the Containerfile where no registry of images can be reached. Its three images from outside are made
# here: Debian by debootstrap, Node and Rust from those of this machine. RUN steps still need Debian's mirror, npm, PyPI and
# crates.io.
#
#     build-without-registry.sh TAG [OPTION OF BUILDAH...]
#
#     TAG     the name of the image, for example registry.example/pitwall
#     OPTION  for example --target snakemake, or --volume "$HOME/.npmrc:/home/pitwall/.npmrc:ro" where npm needs settings
#
# Needs root, buildah, debootstrap, npm and cargo. Environment: DEBIAN_MIRROR and DEBIAN_SECURITY_MIRROR name other mirrors.
# The images from outside are kept as localhost/pitwall-debian, -node and -rust, and made only when they are missing. Certificate
# authorities in /usr/local/share/ca-certificates of this machine are those of the image as well.

set -eu

if [ "$#" -lt 1 ]; then
  echo 'usage: build-without-registry.sh TAG [OPTION OF BUILDAH...]' >&2
  exit 2
fi
tag=$1
shift

for program in buildah debootstrap node npm cargo rustc; do
  if ! command -v "$program" >/dev/null; then
    echo "build-without-registry.sh: $program is not installed." >&2
    exit 1
  fi
done
if [ "$(id -u)" -ne 0 ]; then
  echo 'build-without-registry.sh: debootstrap needs root.' >&2
  exit 1
fi

here=$(dirname "$(readlink -f "$0")")
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
security=${DEBIAN_SECURITY_MIRROR:-http://deb.debian.org/debian-security}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

has_image() {
  buildah inspect --type image "localhost/pitwall-$1" >/dev/null 2>&1
}

# An image that is the folder $work/NAME and nothing else.
commit_folder() {
  container=$(buildah from scratch)
  buildah add --quiet "$container" "$work/$1" / >/dev/null
  buildah commit --quiet --rm "$container" "localhost/pitwall-$1" >/dev/null
  rm -rf "${work:?}/$1"
}

if ! has_image debian; then
  debootstrap --variant=minbase bookworm "$work/debian" "$mirror"
  cat >"$work/debian/etc/apt/sources.list" <<END
deb $mirror bookworm main
deb $mirror bookworm-updates main
deb $security bookworm-security main
END
  if [ -d /usr/local/share/ca-certificates ]; then
    mkdir -p "$work/debian/usr/local/share"
    cp -R /usr/local/share/ca-certificates "$work/debian/usr/local/share/"
  fi
  rm -rf "$work"/debian/var/lib/apt/lists/* "$work"/debian/var/cache/apt/archives/*.deb
  commit_folder debian
fi

if ! has_image node; then
  mkdir -p "$work/node/usr/local/bin" "$work/node/usr/local/lib/node_modules"
  cp "$(node -p process.execPath)" "$work/node/usr/local/bin/node"
  cp -R "$(npm root --global)/npm" "$work/node/usr/local/lib/node_modules/"
  commit_folder node
fi

if ! has_image rust; then
  mkdir -p "$work/rust/usr/local/cargo/bin" "$work/rust/usr/local/rustup/toolchains"
  cp -R "$(rustc --print sysroot)" "$work/rust/usr/local/rustup/toolchains/this"
  # Neither the documentation nor the sources of the standard library.
  rm -rf "$work/rust/usr/local/rustup/toolchains/this/share" "$work/rust/usr/local/rustup/toolchains/this/lib/rustlib/src"
  for program in cargo rustc; do
    ln -s "../../rustup/toolchains/this/bin/$program" "$work/rust/usr/local/cargo/bin/$program"
  done
  commit_folder rust
fi

buildah build --isolation chroot --pull-never --layers \
  --build-arg DEBIAN_IMAGE=localhost/pitwall-debian \
  --build-arg NODE_IMAGE=localhost/pitwall-node \
  --build-arg RUST_IMAGE=localhost/pitwall-rust \
  --file "$here/Containerfile" --tag "$tag" "$@" "$here/../.."
