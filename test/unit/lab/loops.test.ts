/** Loops through switches that have no spanning tree, which a switch with one opens. */
import { expect, test } from "vitest";
import { report } from "./helpers.ts";

test("a forgotten cable to an unmanaged switch makes no loop", () => {
  const { loop, verdicts } = report(`
    nodes:
      p1: 10.0.0.1/24
      p2: 10.0.0.2/24
      s1: {type: switch, rstp: {priority: 4096}}
      s2: {type: switch, rstp: {priority: 8192}}
      office: {type: switch, ports: 4}
    links: [p1 -- s1:0, p2 -- office:0, "s1:1 -- s2:1", "s2:2 -- office:1", {link: "s1:2 -- office:2", name: forgotten, down: true}]
    run: [{at: 10s, up: forgotten}, {at: 40s, console: {p1: ping 10.0.0.2 -c 3}}]
    expect: [{reach: p1 -> p2, at: 8s}, {reach: p1 -> p2, at: 40s}, {no loop: }]
  `);
  expect({ loop, statuses: verdicts.map(({ status }) => status) }).toEqual({
    loop: undefined,
    statuses: ["passed", "passed", "passed"],
  });
});

test("a redundant access switch opens the ring through two layer-3 switches", () => {
  const { loop, verdicts } = report(`
    nodes:
      pc: {ip: 10.0.10.10/24, gateway: 10.0.10.2}
      acc: {type: switch, ports: [{type: dot1q, vlan: 1}, {type: dot1q, vlan: 1}, {type: access, vlan: 10}], rstp: true}
      c1: {type: router, ports: [{switchport: {mode: trunk}}, {switchport: {mode: trunk}}], interfaces: [{type: svi, name: vlan10, ipv4: 10.0.10.2/24}]}
      c2: {type: router, ports: [{switchport: {mode: trunk}}, {switchport: {mode: trunk}}], interfaces: [{type: svi, name: vlan10, ipv4: 10.0.10.3/24}]}
    links: [pc -- acc:2, "acc:0 -- c1:0", "acc:1 -- c2:0", "c1:1 -- c2:1"]
    run: [{at: 5s, console: {pc: ping 10.0.10.2 -c 2}}]
    expect: [{reach: pc -> c1}, {no loop: }]
  `);
  expect({ loop, statuses: verdicts.map(({ status }) => status) }).toEqual({
    loop: undefined,
    statuses: ["passed", "passed"],
  });
});
