#!/usr/bin/env bash
# Builds a lab of two PCs on a link that loses 10 % of its packets, pings across it, and downloads the link's capture.
# Usage: examples/first-lab.sh [FILE]. WIRELAB_URL, WIRELAB_USER and WIRELAB_PASSWORD select a service other than this machine's.
set -euo pipefail

api=${WIRELAB_URL:-http://127.0.0.1:3080/v2}
api=${api%/}
file=${1:-first-lab.pcap}

fail() { echo "first-lab: $*" >&2 && exit 1; }

for program in curl jq; do
  command -v "$program" > /dev/null || fail "$program is not installed. Install it, then run this script again."
done
curl -s --max-time 10 "$api/version" | jq -e .version > /dev/null 2>&1 ||
  fail "no Wirelab service answers at $api. Start it with 'npm start' in another terminal, or set WIRELAB_URL."

# Sends a request and prints the response; a refused request ends the script with the service's message.
call() {
  local method=$1 path=$2 response
  shift 2
  response=$(curl -sS -X "$method" ${WIRELAB_USER:+-u "$WIRELAB_USER:${WIRELAB_PASSWORD:-}"} -w '\n%{http_code}' "$api$path" "$@") ||
    fail "$method $path: the service closed the connection."
  ((${response##*$'\n'} < 400)) || fail "$method $path: $(jq -r '.message? // .' <<< "${response%$'\n'*}")"
  echo "${response%$'\n'*}"
}

# A second run replaces the project of the first. A pinned seed and clock make every run print the same.
old_projects=$(call GET /projects | jq -r '.[] | select(.name == "first-lab") | .project_id')
for old in $old_projects; do
  call DELETE "/projects/$old" > /dev/null
done
pinned='[{"name": "seed", "value": "1"}, {"name": "clock", "value": "2026-01-01T00:00:00Z"}]'
lab=/projects/$(call POST /projects -d "{\"name\": \"first-lab\", \"variables\": $pinned}" | jq -r .project_id)

# Two PCs; the start-up script gives each its address.
pc() {
  call POST "$lab/nodes" -d "{\"name\": \"$1\", \"node_type\": \"vpcs\", \"compute_id\": \"local\",
    \"properties\": {\"startup_script\": \"ip $2/24\"}}" | jq -r .node_id
}
a=$(pc PC1 10.0.0.1)
b=$(pc PC2 10.0.0.2)

# The link between them, with two filters, and a capture of what it delivers.
link=$lab/links/$(call POST "$lab/links" -d "{
  \"nodes\": [{\"node_id\": \"$a\", \"adapter_number\": 0, \"port_number\": 0},
              {\"node_id\": \"$b\", \"adapter_number\": 0, \"port_number\": 0}],
  \"filters\": {\"packet_loss\": [10], \"delay\": [50, 10]}}" | jq -r .link_id)
call POST "$link/start_capture" -d '{}' > /dev/null

call POST "$lab/nodes/start" > /dev/null
call POST "$lab/nodes/$a/console" -d '{"commands": ["ping 10.0.0.2"]}' | jq -r .output

# A stopped capture is a redirect to the bucket: curl follows it with -L.
call POST "$link/stop_capture" > /dev/null
capture=$link/captures/$(call GET "$link/captures" | jq -r '.[0].capture_id')
curl -sSL ${WIRELAB_USER:+-u "$WIRELAB_USER:${WIRELAB_PASSWORD:-}"} -o "$file" "$api$capture/pcap"
echo "$file: $(call GET "$capture/packets" | jq .matched) packets"
