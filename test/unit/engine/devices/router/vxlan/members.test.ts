/** Bridged interfaces of a segment on links: loops, and links with a smaller MTU. */
import { describe, expect, it } from "vitest";
import { AMPLE, LabBuilder, plan } from "../../../../../helpers/engine/lab-builder.ts";
import { makeBed, ROUTER_MAC, say, specOf } from "../probe.ts";

const bridging = (count: number, more: object = {}): object => ({
  ports: [...new Array(count).fill({}), { ipv4: "10.0.2.1/24" }],
  interfaces: [
    {
      type: "vxlan",
      name: "vxlan10",
      vni: 10,
      local: "10.0.2.1",
      members: Array.from({ length: count }, (_, index) => `Ethernet${index}`),
      ...more,
    },
  ],
});

describe("the bridged interfaces of a segment", () => {
  it("storm in a ring, and the report names the ring", () => {
    const lab = new LabBuilder().pc(1, "");
    for (const [index, name] of ["A", "B"].entries())
      lab.add(name, { ...specOf(bridging(3), name), mac: ROUTER_MAC + index * 256 });
    lab.join(["A", 0], ["B", 0]).join(["A", 1], ["B", 1]).join(["PC1", 0], ["A", 2]);
    const simulation = lab.simulate({ limits: { ...AMPLE, packets: 5_000 } });
    plan(simulation, "PC1", ["ip 10.0.0.1/24"]);
    simulation.advance();
    expect(simulation.stopped).toEqual({ reason: "limit", limit: "packets" });
    expect(simulation.loop?.toSorted()).toEqual(["A", "B"]);
  });

  it("fragments a packet of the router that a link refuses, and drops that of another station", () => {
    const bed = makeBed(bridging(1, { ipv4: "10.0.1.1/24" }));
    expect(say(bed, "ping 10.0.1.10 -c 1 -s 1000").join("\n")).toContain("0 received");
    const own = bed.a.received.at(-1)!;
    bed.a.received.length = 0;
    bed.router.refused(0, own, 600);
    bed.bench.run();
    expect(bed.a.packets4.map(({ header }) => header.moreFragments)).toEqual([true, false]);
    const other = Uint8Array.from(own);
    other[11] = 99;
    bed.a.received.length = 0;
    bed.router.refused(0, other, 600);
    bed.bench.run();
    expect(bed.a.received).toEqual([]);
    expect(say(bed, "show counters").join("\n")).toContain("Dropped, too big for the next link: 1");
  });

  it("cannot be switched ports of VLANs", () => {
    const spec = bridging(1) as { ports: object[] };
    expect(() => specOf({ ...spec, ports: [{ switchport: {} }, ...spec.ports.slice(1)] })).toThrow(
      "Ethernet0 has a switchport: a bridged interface has none",
    );
  });
});
