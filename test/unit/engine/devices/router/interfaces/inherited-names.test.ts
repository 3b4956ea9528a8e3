/** Every object of JavaScript has `constructor`: an interface may have the name, and gets no settings by it. */
import { reportRouter } from "@wirelab/engine/devices/router/shell/report";
import { describe, expect, it } from "vitest";
import { makeBed, say, specOf } from "../probe.ts";

const PORTS = [
  { name: "constructor", ipv4: "10.0.1.1/24", ipv6: "2001:db8:1::1/64" },
  { ipv4: "10.0.2.1/24" },
];

describe("an interface with the name of a property that all objects have", () => {
  it("may be a VXLAN segment", () => {
    const segment = {
      type: "vxlan",
      name: "constructor",
      vni: 10,
      local: "10.0.2.1",
      remotes: ["10.0.2.10"],
    };
    const properties = { ports: [{}, PORTS[1]], interfaces: [segment] };
    const bed = makeBed(properties);
    expect(say(bed, "show vxlan mac")).toEqual(["No addresses"]);
    expect(reportRouter(specOf(properties), bed.router.saveState(), 0).vxlan).toMatchObject([
      { name: "constructor", macs: [] },
    ]);
  });

  it("has no authentication of RIP that another has", () => {
    const rip = {
      networks: ["10.0.0.0/8"],
      authentication: { Ethernet1: { mode: "text", keys: [{ key: "x" }] } },
    };
    const bed = makeBed({ ports: PORTS, rip });
    bed.bench.run(1_000_000);
    expect(bed.a.packets4.map(({ payload }) => payload.length)).toContain(8 + 4 + 20);
    expect(say(bed, "show ip rip status").slice(6, 9)).toEqual([
      "    Port         Send  Recv  Keys",
      "    constructor  2     2     none",
      "    Ethernet1    2     2     text",
    ]);
  });

  it("has no DHCPv6 server and no relay that another has", () => {
    const bed = makeBed({
      ports: [PORTS[0], { ...PORTS[1], ipv6: "2001:db8:2::1/64" }],
      dhcpv6: { Ethernet1: {} },
      dhcp_relay: { ports: { Ethernet1: ["10.0.1.10"] } },
    });
    expect(say(bed, "no dhcpv6 constructor")).toEqual(["constructor has no DHCPv6 server"]);
    expect(say(bed, "no dhcp-relay constructor")).toEqual(["There is no such line: dhcp-relay constructor"]);
    expect(say(bed, "no dhcpv6 Ethernet1")).toEqual([]);
    expect(say(bed, "no dhcp-relay Ethernet1")).toEqual([]);
  });
});
