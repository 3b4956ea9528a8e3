/** The law of the converter: a key is done, harmless by the list below, or refused. A key gets into the list by a decision here. */

import { readContainerlab } from "@wirelab/lab/topology/containerlab";
import * as keys from "@wirelab/lab/topology/containerlab-keys";
import { expect, test } from "vitest";

const HARMLESS_IN_NODE = [
  ...["labels", "env", "user", "healthcheck", "runtime", "cpu", "cpu-set", "memory", "cgroup-parent"],
  ...["image-pull-policy", "restart-policy", "auto-remove", "startup-delay", "ports", "dns", "aliases"],
  ...["mgmt-ipv4", "mgmt-ipv6", "mgmt_ipv4", "mgmt_ipv6"],
];

test("the harmless keys are these, and each has its reason", () => {
  expect(Object.keys(keys.HARMLESS_IN_NODE).toSorted()).toEqual(HARMLESS_IN_NODE.toSorted());
  expect(Object.keys(keys.HARMLESS_IN_FILE)).toEqual(["prefix", "mgmt", "settings", "debug"]);
  expect(Object.keys(keys.HARMLESS_IN_LINK)).toEqual(["labels", "vars"]);
  expect(Object.keys(keys.HARMLESS_IN_ENDPOINT)).toEqual(["vars"]);
  for (const list of [
    keys.HARMLESS_IN_NODE,
    keys.HARMLESS_IN_FILE,
    keys.HARMLESS_IN_LINK,
    keys.HARMLESS_IN_ENDPOINT,
  ])
    for (const reason of Object.values(list)) expect(reason.length).toBeGreaterThan(8);
});

test("a harmless key of a node changes nothing", () => {
  const read = (more: string) =>
    readContainerlab(
      `topology: {nodes: {a: {kind: linux, exec: [ip addr add 10.0.0.1/24 dev eth1]${more}}, b: {kind: linux}}, links: [{endpoints: [a:eth1, b:eth1]}]}`,
      "x",
    );
  for (const key of HARMLESS_IN_NODE) expect(read(`, ${key}: x`), key).toEqual(read(""));
});
