#!/bin/sh
# Unpacks a package of npm's registry, of an exact version, into a folder outside the project, and prints where. Nothing
# of it is installed; a script of it runs only where it is named.
#
#   .ci/from-npm.sh <folder> <package>@<version> [<script>]
#
# Exits with 1 where the registry lacks it or does not answer.
set -eu

folder=$1
package=$2
script=${3:-}
mkdir -p "$folder"
cd "$folder"
if [ ! -d package ]; then
  file=$(npm pack --silent "$package") || {
    echo "$0: the registry does not have $package." >&2
    exit 1
  }
  tar -xzf "$file"
  rm "$file"
  if [ -n "$script" ]; then (cd package && node "$script" >&2); fi
fi
echo "$folder/package"
