#!/usr/bin/env bash
# pictures.sh STENO FOLDER: draws the pictures of doc/ that steno-plot draws. Those of alignment.md require NVRTC.
set -eu -o pipefail
steno=$1 folder=$2
plot=$(dirname "$0")/steno-plot

for picture in right:4x6 left:4x6 tiled:2x3:4x6 morton:8x8; do
    layout=${picture%:*}
    "$steno" view --extents "${picture##*:}" --layout "$layout" --csv - | "$plot" --output "$folder/${layout%%:*}.svg"
done
"$steno" help | grep -q '^ *contract ' || exit 0
alignment=$("$steno" contract alignment --only gpu --json)
case $alignment in
*'"shown":null'*) ;;
*)
    for panel in sectors executed; do
        "$plot" --panel $panel --output "$folder/alignment-$panel.svg" <<<"$alignment"
    done
    ;;
esac
