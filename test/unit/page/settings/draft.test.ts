/** Edits of a device's settings that are not stored yet. */
import { describe, expect, test } from "vitest";
import { changedProperties } from "../../../../page/src/lab/changed-properties.ts";
import {
  type Edit,
  problemsOf,
  readyKeys,
  refusalOf,
  withEdits,
} from "../../../../page/src/settings/draft.ts";
import { columnsOf } from "../../../../page/src/settings/form.ts";
import { newPort, numberedPorts } from "../../../../page/src/settings/ports-mapping.ts";
import { shapesOf } from "../../../../page/src/settings/shapes.ts";

const { check } = shapesOf({ type: "ethernet_switch" });
const port = (vlan: number) => ({ name: "a", port_number: 0, type: "access", vlan });
const STORED = { ports_mapping: [port(1), port(1)] };
const edit = (path: Edit["path"], value: unknown): Edit => ({ path, value });

describe("edits of settings", () => {
  test("are ready as soon as the reader takes them", () => {
    expect(readyKeys(STORED, [edit(["mtu"], 1400)], check)).toEqual(["mtu"]);
  });

  test("wait while they are wrong, and keep no other setting waiting", () => {
    const edits = [edit(["ports_mapping", 0, "vlan"], 5000), edit(["mtu"], 1400)];
    expect(readyKeys(STORED, edits, check)).toEqual(["mtu"]);
    expect(problemsOf(STORED, edits, check)).toEqual([
      { path: "ports_mapping.0.vlan", message: "must be 1 to 4094, not 5000" },
    ]);
  });

  test("of two settings that need each other are ready together", () => {
    const more = edit(["ports_mapping"], [...STORED.ports_mapping, port(1)]);
    const isolated = edit(["isolated_ports"], [2]);
    expect(readyKeys(STORED, [isolated], check)).toEqual([]);
    expect(readyKeys(STORED, [isolated, more], check)).toEqual(["isolated_ports", "ports_mapping"]);
  });

  test("do not wait for what was wrong before", () => {
    const wrong = { ...STORED, ageing_time: 1 };
    expect(readyKeys(wrong, [edit(["mtu"], 1400)], check)).toEqual(["mtu"]);
  });

  test("stay on top of what another user changes", () => {
    const edits = [edit(["ports_mapping", 0, "vlan"], 5000)];
    const others = { ports_mapping: [port(1), port(30)], mtu: 1400 };
    expect(withEdits(others, edits)).toEqual({ ports_mapping: [port(5000), port(30)], mtu: 1400 });
  });
});

test("what the service refuses is shown at its field, or at the setting", () => {
  const problems = [{ path: "body.properties.ports_mapping.0.name", message: "is too long" }];
  expect(refusalOf(problems, ["ports_mapping"], "no")).toEqual([
    { path: "ports_mapping.0.name", message: "is too long" },
  ]);
  expect(refusalOf([], ["mtu"], "Node S must be stopped")).toEqual([
    { path: "mtu", message: "Node S must be stopped" },
  ]);
});

test("a request has the properties that change, and null for those that go", () => {
  const base = { properties: { a: 1, b: [1], c: 3 } };
  expect(changedProperties(base, { name: "n", properties: { a: 1, b: [2] } })).toEqual({
    name: "n",
    properties: { b: [2], c: null },
  });
  expect(changedProperties(base, { name: "n" })).toEqual({ name: "n" });
});

test("an added port is like the last one, and ports are numbered by their places", () => {
  const rows = shapesOf({ type: "cloud" }).rows.find(({ key }) => key === "ports_mapping")!;
  const columns = columnsOf(rows.form)!;
  const ports = [{ name: "up", port_number: 7, type: "dot1q", vlan: 3 }];
  expect(numberedPorts([...ports, newPort(ports, columns)])).toEqual([
    { name: "up", port_number: 0, type: "dot1q", vlan: 3 },
    { name: "Ethernet1", port_number: 1, type: "dot1q", vlan: 3 },
  ]);
  expect(numberedPorts([newPort([], columns)])).toEqual([
    { name: "Ethernet0", port_number: 0, type: "ethernet" },
  ]);
});
