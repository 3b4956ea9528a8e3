#!/usr/bin/env bash
# Fetches and builds the programs that test/computes runs, each at a fixed version, into WIRELAB_COMPUTES (default: a folder of the user's
# cache). They are programs of other authors under their own licences; nothing of them becomes part of this repository.
# Needs git, gcc, make and libpcap's headers. In Debian:
#   apt-get install git gcc make libpcap-dev python3-aiohttp python3-aiohttp-cors python3-aiofiles python3-psutil python3-jsonschema \
#     python3-jinja2 python3-distro python3-cpuinfo python3-platformdirs python3-async-timeout
set -euo pipefail
folder=${WIRELAB_COMPUTES:-$HOME/.cache/wirelab/computes}
mkdir -p "$folder/bin" "$folder/source"

# fetch REPOSITORY TAG TARGET
fetch() {
  [ -e "$3" ] || git -c advice.detachedHead=false clone --quiet --depth 1 --branch "$2" "https://github.com/GNS3/$1" "$3"
}

fetch gns3-server v2.2.59 "$folder/gns3-server"
fetch ubridge v0.9.19 "$folder/source/ubridge"
fetch vpcs v0.8.3 "$folder/source/vpcs"

make -C "$folder/source/ubridge"
(cd "$folder/source/vpcs/src" && sh mk.sh 64)
cp "$folder/source/ubridge/ubridge" "$folder/source/vpcs/src/vpcs" "$folder/bin/"
