import { Pc } from "@wirelab/engine/devices/pc/index";
import { Router } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import { DeviceBench } from "../../../../helpers/engine/device-bench.ts";
import { specOf } from "./probe.ts";

const PROPERTIES = {
  ports: [
    {
      ipv4: "10.0.1.1/24",
      ipv6: "2001:db8:1::1/64",
      dhcp: { first: "10.0.1.100", last: "10.0.1.110", dns: ["10.0.2.53"], domain: "lab" },
    },
    { ipv4: "10.0.2.1/24", ipv6: "2001:db8:2::1/64", mtu: 1_280 },
  ],
};

/** PC1 - R1 - PC2; only the router and PC2 are configured. */
function makeLab(): DeviceBench {
  const bench = new DeviceBench();
  for (const [index, name] of ["PC1", "PC2"].entries()) {
    bench.add(name, (world) => new Pc({ type: "vpcs", name, index, startupScript: "" }, world));
    bench.wire([name, 0], ["R1", index]);
  }
  bench.add("R1", (world) => new Router(specOf(PROPERTIES), world));
  bench.type("PC2", "ip 10.0.2.10/24 10.0.2.1", "ip auto");
  return bench;
}

describe("two PCs on two subnets of a router", () => {
  it("get an address with all its options", () => {
    const shown = makeLab().type("PC1", "ip dhcp", "show ip");
    expect(shown).toContain("IP 10.0.1.100/24 GW 10.0.1.1");
    expect(shown).toMatch(/DNS +: 10\.0\.2\.53/);
    expect(shown).toMatch(/DHCP SERVER : 10\.0\.1\.1/);
    expect(shown).toMatch(/DHCP LEASE +: 3600, 3600\/1800\/3150/);
    expect(shown).toMatch(/DOMAIN NAME : lab/);
  });

  it("renew and release their address", () => {
    const bench = makeLab();
    const shown = bench.type("PC1", "ip dhcp", "ip dhcp -r", "ip dhcp -x");
    expect(shown.match(/IP 10\.0\.1\.100\/24 GW 10\.0\.1\.1/g)).toHaveLength(2);
    expect(bench.type("R1", "show dhcp")).toMatch(/10\.0\.1\.100 .* over /);
  });

  it("reach each other, one hop apart", () => {
    const shown = makeLab().type("PC1", "ip dhcp", "ping 10.0.2.10 -c 3");
    expect(shown.match(/84 bytes from 10\.0\.2\.10 icmp_seq=\d ttl=63/g)).toHaveLength(3);
  });

  it("reach each other with packets that the router has to fragment", () => {
    const shown = makeLab().type("PC1", "ip dhcp", "ping 10.0.2.10 -l 4000 -c 1");
    expect(shown).toContain("4028 bytes from 10.0.2.10");
  });

  it("see the router on the path, by UDP and by ICMP", () => {
    const shown = makeLab().type("PC1", "ip dhcp", "trace 10.0.2.10", "trace 10.0.2.10 -P 1");
    expect(shown.match(/^ 1 +10\.0\.1\.1 /gm)).toHaveLength(2);
    expect(shown.match(/^ 2 +\*?10\.0\.2\.10 /gm)).toHaveLength(2);
  });

  it("end a trace at the router itself", () => {
    const shown = makeLab().type("PC1", "ip dhcp", "trace 10.0.2.1");
    expect(shown).toMatch(/^ 1 +\*10\.0\.1\.1 .*code:3, Destination port unreachable/m);
  });

  it("get an error if there is no route", () => {
    const shown = makeLab().type("PC1", "ip dhcp", "ping 9.9.9.9 -c 1");
    expect(shown).toContain("*10.0.1.1 icmp_seq=1 ttl=255");
    expect(shown).toContain("Destination network unreachable");
  });

  it("form IPv6 addresses from the router's prefixes, and reach each other by them", () => {
    const other = "2001:db8:2:0:250:79ff:fe66:6801";
    const shown = makeLab().type("PC1", "ip auto", `ping ${other} -c 2`);
    expect(shown).toMatch(/GLOBAL SCOPE +: 2001:db8:1:0:250:79ff:fe66:6800\/64/);
    expect(shown.match(/icmp6_seq=\d ttl=63/g)).toHaveLength(2);
  });

  it("answer the router's own pings", () => {
    const bench = makeLab();
    expect(bench.type("R1", "ping 10.0.2.10 -c 2")).toContain("2 sent, 2 received, 0% lost");
    expect(bench.type("R1", "ping 2001:db8:2:0:250:79ff:fe66:6801 -c 2")).toContain("2 sent, 2 received");
  });
});
