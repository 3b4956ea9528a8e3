/** The properties of a switch: bounds, and values that contradict each other or the ports. */
import {
  parseSwitch,
  SWITCH_PROPERTIES,
  switchPropertiesOf,
} from "@wirelab/engine/net/bridge/settings/parse";
import { expect, test } from "vitest";
import { access, trunk } from "../../../../helpers/engine/switch-bench.ts";

const ports = [access(1), access(1), access(2), trunk(1)];
const shape = { name: "SW", ports, portNames: ports.map((_, port) => `Ethernet${port}`) };
const noPort = "is not a port of the switch, which has ports 0 to 3";
const mac = "02:00:00:00:00:01";
const carriesCopies = "port 1 is the destination of the mirror, which carries mirrored frames only";
const mirror = { destination: 1, sources: { 0: "both" } };

test.each([
  [{ ageing_time: 5 }, ["ageing_time"], "must be 10 to 1000000, not 5"],
  [{ ageing_time: "300" }, ["ageing_time"], "must be an integer"],
  [{ static_macs: {} }, ["static_macs"], "must be an array"],
  [
    { static_macs: [{ mac: "x", port: 0 }] },
    ["static_macs", 0, "mac"],
    '"x" is not a MAC address, such as 02:00:00:00:00:01',
  ],
  [{ static_macs: [{ mac, port: 4 }] }, ["static_macs", 0, "port"], noPort],
  [{ static_macs: [{ mac, port: 0, vlan: 2 }] }, ["static_macs", 0, "vlan"], "is not a VLAN of port 0"],
  [
    { static_macs: [{ mac, port: 3, vlan: 4095 }] },
    ["static_macs", 0, "vlan"],
    "must be 1 to 4094, not 4095",
  ],
  [
    { static_macs: [{ mac: "01:00:00:00:00:01", port: 0 }] },
    ["static_macs", 0, "mac"],
    "is a group address; it must be that of one station",
  ],
  [
    {
      static_macs: [
        { mac, port: 0 },
        { mac, port: 3 },
      ],
    },
    ["static_macs", 1, "mac"],
    "has an entry in VLAN 1 already",
  ],
  [{ isolated_ports: [] }, ["isolated_ports"], "must have 1 to 4 items, not 0"],
  [{ isolated_ports: [0, 9] }, ["isolated_ports", 1], noPort],
  [{ isolated_ports: [0, 0] }, ["isolated_ports", 1], "names port 0 again"],
  [{ storm_control: [] }, ["storm_control"], "must be an object whose keys are numbers of ports"],
  [{ storm_control: { 4: { broadcast: 1 } } }, ["storm_control", "4"], noPort],
  [
    { storm_control: { 0: {} } },
    ["storm_control", "0"],
    "must limit one of broadcast, multicast, unknown_unicast",
  ],
  [
    { storm_control: { 0: { broadcast: 0 } } },
    ["storm_control", "0", "broadcast"],
    "must be 1 to 10000000, not 0",
  ],
  [{ mirror: { sources: { 0: "both" } } }, ["mirror", "destination"], noPort],
  [{ mirror: { ...mirror, sources: {} } }, ["mirror", "sources"], "must have a port"],
  [{ mirror: { ...mirror, sources: { 0: "in" } } }, ["mirror", "sources", "0"], "must be rx, tx or both"],
  [
    { mirror: { ...mirror, sources: { 1: "rx" } } },
    ["mirror", "sources", 1],
    "is the destination, which cannot be a source",
  ],
  [{ mirror, static_macs: [{ mac, port: 1 }] }, ["static_macs", 0, "port"], carriesCopies],
  [{ mirror, isolated_ports: [0, 1] }, ["isolated_ports", 1], carriesCopies],
  [{ mirror, storm_control: { 1: { broadcast: 1 } } }, ["storm_control", 1], carriesCopies],
  [{ mirror, rstp: { ports: { 1: {} } } }, ["rstp", "ports", 1], carriesCopies],
  [{ mtu: 10_000 }, ["mtu"], "must be 68 to 9216, not 10000"],
  [{ lldp: "yes" }, ["lldp"], "must be true, false or an object"],
  [{ lldp: { interval: 0 } }, ["lldp", "interval"], "must be 1 to 3600, not 0"],
  [{ lldp: { hold: 101 } }, ["lldp", "hold"], "must be 1 to 100, not 101"],
  [{ lldp: { fast_count: 9 } }, ["lldp", "fast_count"], "must be 1 to 8, not 9"],
  [{ lldp: { ports: { 7: "rx" } } }, ["lldp", "ports", "7"], noPort],
  [{ lldp: { ports: { 0: "in" } } }, ["lldp", "ports", "0"], "must be both, tx, rx or off"],
  [{ mirror, lldp: { ports: { 1: "rx" } } }, ["lldp", "ports", "1"], carriesCopies],
  [{ bundles: {} }, ["bundles"], "must be an array"],
  [{ bundles: [{}] }, ["bundles", 0, "ports"], "must be an array"],
  [{ bundles: [{ ports: [0, 9] }] }, ["bundles", 0, "ports", 1], noPort],
  [{ bundles: [{ ports: [0, 1] }, { ports: [1] }] }, ["bundles", 1, "ports", 0], "is in an earlier bundle"],
  [
    { bundles: [{ ports: [0, 2] }] },
    ["bundles", 0, "ports", 1],
    "has another type, VLAN or ethertype than port 0 of the same bundle",
  ],
  [{ bundles: [{ ports: [0], mode: "auto" }] }, ["bundles", 0, "mode"], "must be active, passive or on"],
  [{ bundles: [{ ports: [0], rate: 1 }] }, ["bundles", 0, "rate"], "must be slow or fast"],
  [{ bundles: [{ ports: [0], hash: "vlan" }] }, ["bundles", 0, "hash"], "must be mac, ip or port"],
  [
    { bundles: [{ ports: [0], mode: "on", rate: "fast" }] },
    ["bundles", 0, "rate"],
    "is a setting of LACP, which a bundle with mode on does not use",
  ],
  [
    { bundles: [{ ports: [0, 1] }], isolated_ports: [1] },
    ["isolated_ports", 0],
    "port 1 is in the bundle of port 0; name that port",
  ],
  [
    { bundles: [{ ports: [0, 1] }], rstp: { ports: { 1: {} } } },
    ["rstp", "ports", 1],
    "port 1 is in the bundle of port 0; name that port",
  ],
  [{ mirror, bundles: [{ ports: [0, 1] }] }, ["bundles", 0, "ports"], carriesCopies],
  [{ igmp_snooping: 1 }, ["igmp_snooping"], "must be true, false or an object"],
  [{ igmp_snooping: { interval: 200 } }, ["igmp_snooping", "interval"], "must be 10 to 127, not 200"],
  [{ igmp_snooping: { fast_leave: 1 } }, ["igmp_snooping", "fast_leave"], "must be true or false"],
  [{ igmp_snooping: { router_ports: [8] } }, ["igmp_snooping", "router_ports", 0], noPort],
  [{ igmp_snooping: { querier: {} } }, ["igmp_snooping", "querier", "address"], "must be a string"],
  [
    { igmp_snooping: { querier: { address: "224.0.0.1" } } },
    ["igmp_snooping", "querier", "address"],
    "224.0.0.1 is not an address of a host",
  ],
  [
    { igmp_snooping: { querier: { address: "10.0.0.1", version: 1 } } },
    ["igmp_snooping", "querier", "version"],
    "must be 2 or 3",
  ],
  [{ mld_snooping: 1 }, ["mld_snooping"], "must be true, false or an object"],
  [{ mld_snooping: { interval: 9 } }, ["mld_snooping", "interval"], "must be 10 to 127, not 9"],
  [
    { mld_snooping: { querier: { address: "2001:db8::1" } } },
    ["mld_snooping", "querier", "address"],
    "2001:db8::1 is not a link-local address (fe80::1)",
  ],
  [
    { mld_snooping: { querier: { address: "10.0.0.1" } } },
    ["mld_snooping", "querier", "address"],
    '"10.0.0.1" is not an IPv6 address',
  ],
  [{ mld_snooping: { querier: { version: 3 } } }, ["mld_snooping", "querier", "version"], "must be 1 or 2"],
  [{ mirror, mld_snooping: { router_ports: [1] } }, ["mld_snooping", "router_ports", 0], carriesCopies],
  [{ mirror, igmp_snooping: { router_ports: [1] } }, ["igmp_snooping", "router_ports", 0], carriesCopies],
  [{ rstp: { priority: 5 } }, ["rstp", "priority"], "must be a multiple of 4096, not 5"],
])("%j is refused at %j: %s", (given, path, message) => {
  expect(parseSwitch(given, shape)).toEqual({ ok: false, problems: [{ path, message }] });
});

test("a switch with no properties has no settings", () => {
  expect(parseSwitch({}, shape)).toEqual({ ok: true, settings: {} });
  expect(parseSwitch({ rstp: false, lldp: false }, shape)).toEqual({ ok: true, settings: {} });
});

test("the properties of a switch are taken from an object that has others too", () => {
  expect(SWITCH_PROPERTIES).toContain("rstp");
  expect(switchPropertiesOf({ usage: "x", mtu: 1500, rstp: undefined })).toEqual({ mtu: 1500 });
});
