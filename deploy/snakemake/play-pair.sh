#!/bin/sh
# Plays one pair of a campaign for a scheduler, and says with its own exit code whether to try the pair again.
#
#     play-pair.sh CAMPAIGN OUT PLACE WAIT COMMAND...
#
#     CAMPAIGN  the campaign file
#     OUT       the folder of the campaign, which all pairs share
#     PLACE     the pair, by its place in "pitwall compare CAMPAIGN --list-pairs"
#     WAIT      how many seconds to wait at most for another process that plays the same pair
#     COMMAND   how Pitwall is called here, for example: npx pitwall
#
# Exit codes of this script:
#
#     0   the pair is played
#     75  the pair is not played, because of this machine or because it was ended: try again, elsewhere if possible
#     78  the pair cannot be played as it is asked for: a person has to change something. From then on every call of this
#         script ends with 78 at once, until the file OUT/.pairs/stop is removed. The Snakefile removes it at its start.
#
# Files in OUT/.pairs:
#
#     PLACE.log    what Pitwall printed at the last try
#     PLACE.hosts  the machines that tried, a line for each try
#     stop         the sentence that ended the workflow
#
# Exit codes of "pitwall compare --pair" (docs/exit-codes.md, docs/campaign-runs.md), and what becomes of them:
#
#     0    played, or played before                                                     0
#     3    played; a session never showed a frame, which is an outcome, not a failure   0
#     7    played, but the machine was the bottleneck: the pair is left out             75
#     8    a session could not be played after all repeats of the laboratory            75
#     1    refused: wrong campaign, missing program, no root, another plan in OUT       78
#     2    wrong usage                                                                  78
#     4    another process plays this pair, or the whole campaign, into OUT             waits, then 75
#     5    no disk space: every other pair writes into the same folder                  78
#     130  ended by a signal; so are 128 plus the number of a signal                    75
#     126, 127  of the shell: COMMAND cannot be run                                     78

set -u

if [ "$#" -lt 5 ]; then
  echo 'usage: play-pair.sh CAMPAIGN OUT PLACE WAIT COMMAND...' >&2
  exit 78
fi
campaign=$1
out=$2
place=$3
wait_s=$4
shift 4

marks=$out/.pairs
log=$marks/$place.log
stop=$marks/stop

say() {
  printf 'pair %s: %s\n' "$place" "$1" >&2
}

try_again() {
  say "$1; $log has the details"
  exit 75
}

refuse() {
  say "$1"
  # Moved into place, so that nobody reads half a sentence.
  printf 'The workflow was stopped by pair %s: %s\n' "$place" "$1" >"$stop.$place" && mv -f "$stop.$place" "$stop"
  exit 78
}

# The last sentence about an error. Pitwall's own begin with its name, those about options with "error".
reason() {
  grep -E '^(pitwall|error): ' "$log" | tail -n 1
}

mkdir -p "$marks" || exit 78

# Scheduled before the workflow was stopped, or tried again after it.
if [ -f "$stop" ]; then
  cat "$stop" >&2
  exit 78
fi

: >"$log" || exit 78
uname -n >>"$marks/$place.hosts"

# --again at every try: it plays a pair with a flagged session once more and does nothing to all others. A pair is called
# here only while it has no marker, so a flagged session comes from a try that does not count.
waited=0
while :; do
  "$@" compare "$campaign" --pair "$place" --out "$out" --again >>"$log" 2>&1
  code=$?
  [ "$code" -eq 4 ] && [ "$waited" -lt "$wait_s" ] || break
  # For example a process that outlived the kill -9 of an earlier start.
  sleep 30
  waited=$((waited + 30))
done

case $code in
  0 | 3)
    exit 0
    ;;
  1)
    refuse "Pitwall refuses it: $(reason)"
    ;;
  2)
    refuse "Pitwall was called in a wrong way: $(reason)"
    ;;
  4)
    try_again "another process still plays into $out"
    ;;
  5)
    refuse "no disk space is left, or a quota is reached; complete logs are kept, so make space and start again"
    ;;
  7)
    try_again 'the machine was the bottleneck, or its sessions were played on several machines'
    ;;
  8)
    try_again 'a session could not be played'
    ;;
  126 | 127)
    refuse "the command for Pitwall cannot be run: $1"
    ;;
  *)
    try_again "it was ended (exit code $code)"
    ;;
esac
