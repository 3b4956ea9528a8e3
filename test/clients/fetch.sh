#!/usr/bin/env bash
# Fetches the clients that test/clients runs, each at a fixed version, into WIRELAB_CLIENTS (default: a folder of the user's cache).
# They are programs of other authors under their own licences; nothing of them becomes part of this repository.
set -euo pipefail
folder=${WIRELAB_CLIENTS:-$HOME/.cache/wirelab/clients}
mkdir -p "$folder"

# fetch NAME REPOSITORY TAG [PATH]: a checkout of the repository, or of one of its folders, as $folder/NAME
fetch() {
  [ -e "$folder/$1" ] && return
  local work
  work=$(mktemp -d)
  git -c advice.detachedHead=false clone --quiet --depth 1 --branch "$3" "https://github.com/$2" "$work/checkout"
  mv "$work/checkout/${4:-}" "$folder/$1"
  rm -rf "$work"
}

fetch gns3fy davidban77/gns3fy v0.7.2
fetch ansible-collection-gns3 davidban77/ansible-collection-gns3 master
# The schema of JUnit reports, for xmllint: test/unit/wirelab/lab-test/reporters.test.ts
fetch junit-10.xsd jenkinsci/xunit-plugin xunit-3.1.3 src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd
fetch gns3-web-ui-bundle GNS3/gns3-server v2.2.59 gns3server/static/web-ui
