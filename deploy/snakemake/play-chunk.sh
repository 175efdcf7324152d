#!/bin/sh
# Plays one chunk of a simulated campaign. While another process plays it, for example one that outlived the kill -9 of an
# earlier start, it waits; then it ends as Pitwall ends.
#
#     play-chunk.sh CAMPAIGN OUT PLACE WAIT CHUNK_PAIRS COMMAND...
#
#     CAMPAIGN     the campaign file
#     OUT          the folder of the campaign, which all chunks share
#     PLACE        the chunk, by its place in "pitwall compare CAMPAIGN --simulate --list-chunks"
#     WAIT         how many seconds to wait at most
#     CHUNK_PAIRS  pairs of a chunk; 0 for Pitwall's default
#     COMMAND      how Pitwall is called here, for example: npx pitwall

set -u

if [ "$#" -lt 6 ]; then
  echo 'usage: play-chunk.sh CAMPAIGN OUT PLACE WAIT CHUNK_PAIRS COMMAND...' >&2
  exit 2
fi
campaign=$1
out=$2
place=$3
wait_s=$4
chunk_pairs=$5
shift 5
set -- "$@" compare "$campaign"
[ "$chunk_pairs" -eq 0 ] || set -- "$@" --chunk-pairs "$chunk_pairs"

waited=0
while :; do
  "$@" --simulate --chunk "$place" --out "$out"
  code=$?
  [ "$code" -eq 4 ] && [ "$waited" -lt "$wait_s" ] || exit "$code"
  sleep 5
  waited=$((waited + 5))
done
