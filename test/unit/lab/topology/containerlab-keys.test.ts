/** The law of the converter: a key is done, harmless with a reason, or refused with the way out. */

import { describe, expect, test } from "vitest";
import {
  ENDPOINT_KEYS,
  EXTRAS_KEYS,
  FILE_KEYS,
  LINK_KEYS,
  LINK_TYPES,
  NODE_KEYS,
  TOPOLOGY_KEYS,
} from "../../../../packages/lab/topology/clab/keys.ts";
import { readContainerlab } from "../../../../packages/lab/topology/containerlab.ts";

/** The keys of containerlab's JSON schema, as of August 2026, and those that it has had before. */
const SCHEMA = {
  NODE_KEYS:
    "image image-pull-policy restart-policy kind license type group startup-config startup-delay enforce-startup-config suppress-startup-config auto-remove exec binds volumes ports env credentials env-files user hostname entrypoint cmd labels runtime mgmt-ipv4 mgmt-ipv6 network-mode link-apply-mode cpu memory cpu-set extras config stages dns certificate healthcheck components aliases shm-size cap-add privileged cgroupns-mode cgroup-parent pid-mode tmpfs security-opts sysctls devices mgmt_ipv4 mgmt_ipv6 position",
  FILE_KEYS: "name prefix mgmt topology settings debug",
  TOPOLOGY_KEYS: "nodes groups kinds defaults links",
  LINK_KEYS: "endpoints mtu ipv4 ipv6 vars type labels endpoint",
  ENDPOINT_KEYS: "node interface mac ipv4 ipv6 vars",
  LINK_TYPES: "veth veth-stitched veth-stitch mgmt-net macvlan host vxlan vxlan-stitched dummy",
  EXTRAS_KEYS: "ceos-copy-to-flash srl-agents mysocket-proxy k8s_kind frr",
} as const;

const TABLES = { NODE_KEYS, FILE_KEYS, TOPOLOGY_KEYS, LINK_KEYS, ENDPOINT_KEYS, LINK_TYPES, EXTRAS_KEYS };

describe.each(Object.entries(SCHEMA))("%s", (name, text) => {
  const table = TABLES[name as keyof typeof SCHEMA];

  test("is all keys of the schema", () => {
    expect(Object.keys(table).toSorted()).toEqual(text.split(" ").toSorted());
  });

  test("has a reason for each that is not done", () => {
    for (const [key, each] of Object.entries(table))
      if (each.is !== "done") expect(each.because.length, key).toBeGreaterThan(8);
  });
});

test("a harmless key of a node changes nothing", () => {
  const read = (more: string) =>
    readContainerlab(
      `topology: {nodes: {a: {kind: linux, exec: [ip addr add 10.0.0.1/24 dev eth1]${more}}, b: {kind: linux}}, links: [{endpoints: [a:eth1, b:eth1]}]}`,
      "x",
    );
  for (const [key, { is }] of Object.entries(NODE_KEYS))
    if (is === "harmless") expect(read(`, ${key}: x`), key).toEqual(read(""));
});
