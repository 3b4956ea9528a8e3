/** The state that an imported lab takes from its archive. */
import { expect, test } from "vitest";
import { stateIn } from "../../../functions/archives/import-state.ts";

const archive = (device: unknown) =>
  ({
    nodes: [{ node_id: "sw", document: { node_type: "ethernet_switch" }, state: { device } }],
    links: [],
  }) as unknown as Parameters<typeof stateIn>[0];

test("a switch keeps the addresses that it has learned, and begins its protocols anew", () => {
  const macs = [[1, 0x0050_7966_6800, 3, 1_000_000]];
  const { switches } = stateIn(archive({ macs, rstp: [], igmp: { members: [] }, mld: { members: [] } }));
  expect(switches.get("sw")).toEqual({ device: { macs } });
});

test("addresses of no VLAN are refused", () => {
  expect(() => stateIn(archive({ macs: [[0, 1, 2, 3]] }))).toThrow(/is damaged: node sw\.device/);
});
