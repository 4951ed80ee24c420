#!/bin/sh
# Evaluates the expressions of all goldens in jsonata-java and records the results. Needs git and a JDK.
set -eu
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
git clone --quiet https://github.com/dashjoin/jsonata-java "$made/engine"
git -C "$made/engine" checkout --quiet fbb6878ed7403396bb2a0b20e6edf59a69c7cba2
find "$made/engine/src/main" -name '*.java' > "$made/sources"
javac -nowarn -d "$made/classes" "@$made/sources"
JSONATA_JAVA="$made/classes" npx vitest run test/targets/asl/second-engine
