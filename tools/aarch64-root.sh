#!/usr/bin/env bash
# aarch64-root.sh <folder>: unpacks the arm64 libraries that the tests link into <folder>, from the
# distribution's packages. Nothing is installed and the system's apt is unchanged, so root is not
# required. Fails with a message if the distribution's servers have no arm64 packages.
set -eu

root=$1
packages="libcmocka0 libcmocka-dev"

[ ! -e "$root/complete" ] || exit 0
command -v apt-get >/dev/null || { echo "no apt-get to fetch arm64 packages with"; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$root" "$scratch/state/lists/partial" "$scratch/cache/archives/partial"
touch "$scratch/status"

private_apt() {
    apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User= \
        -o Acquire::Languages=none -o Dir::State="$scratch/state" \
        -o Dir::State::status="$scratch/status" -o Dir::Cache="$scratch/cache" "$@"
}

cd "$scratch"
# shellcheck disable=SC2086 # the packages are words
if private_apt update >log 2>&1; private_apt download $packages >>log 2>&1; then
    for package in ./*.deb; do
        dpkg -x "$package" "$root"
    done
    touch "$root/complete"
else
    grep '^E:' log | tail -n 3 >&2
    echo "the package servers offer no arm64 packages: $packages"
    exit 1
fi
