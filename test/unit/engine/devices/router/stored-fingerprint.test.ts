/** A configuration that `write` saved holds until the properties of its node change: not until the next version of this code. */

import { expect, test } from "vitest";
import { parseRouterProperties } from "../../../../../packages/engine/devices/router/shell/properties.ts";
import { saveOver } from "../../../../../packages/engine/devices/router/shell/startup-config.ts";

const CONFIGURATION = {
  ports: [
    {
      name: "a",
      ipv4: "10.0.1.1/24",
      ipv6: "2001:db8:1::1/64",
      dhcp: {
        first: "10.0.1.10",
        last: "10.0.1.20",
        dns: ["10.0.1.1"],
        domain: "x",
        reservations: [{ mac: "00:50:79:66:68:00", address: "10.0.1.30" }],
      },
      ra: false,
      vrrp: [{ id: 1, ipv4: ["10.0.1.254"], ipv6: ["fe80::1"], track: { interface: "b", decrement: 5 } }],
    },
    {
      name: "b",
      ipv4: "10.0.2.1/24",
      ipv6: "2001:db8:2::1/64",
      vrrp: [{ id: 2, ipv6: ["fe80::2"], preempt: false }],
    },
    { name: "c", shutdown: true },
  ],
  interfaces: [
    { name: "a.5", vlan: 5, ipv4: "10.5.0.1/24" },
    { name: "lo", type: "loopback", ipv4: "10.9.9.9/32" },
    { name: "g", type: "gre", local: "10.0.1.1", remote: "10.0.2.9", key: 5, ipv4: "10.6.0.1/30" },
    { name: "v", type: "vxlan", vni: 5, local: "10.0.1.1", remotes: ["10.0.2.9"] },
  ],
  routes: [{ to: "10.20.0.0/16", via: "10.0.2.9", distance: 5 }],
  rip: {
    networks: ["10.0.0.0/8"],
    passive: ["a"],
    neighbors: ["10.0.2.9"],
    redistribute: { static: { metric: 2 } },
    default_route: true,
    authentication: { b: { mode: "md5", keys: [{ id: 1, key: "k" }] } },
  },
  dns: { hosts: { www: "10.0.1.5" }, aliases: { w: "www" }, zones: ["x"], servers: ["10.0.2.9"] },
  dhcp_relay: { ports: { b: "10.0.1.9" }, agent_option: true },
  dhcp_pools: [
    { subnet: "10.7.0.0/24", gateway: "10.7.0.1", first: "10.7.0.10", last: "10.7.0.20", domain: "x" },
  ],
  dhcpv6: { a: { first: "2001:db8:1::10", last: "2001:db8:1::20", dns: ["2001:db8:1::1"] } },
  syslog: { servers: ["10.0.2.9"] },
  flows: {},
};
/** What the code of November 2026 stored; another order of keys gives another one, and loses what was saved. */
const STORED = "2ca19c34d2c47e4f";

test("the fingerprint of properties is the stored one", () => {
  const parsed = parseRouterProperties(CONFIGURATION);
  expect(parsed).toMatchObject({ ok: true });
  if (parsed.ok) expect(saveOver(parsed.config, parsed.config).over).toBe(STORED);
});
