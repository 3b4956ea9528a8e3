/** Packets that are changed, cut, played again or come from nowhere end no run, and give no neighbour and no route that is not there. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { address, configOf, OspfNetwork, port } from "../../../../helpers/engine/ospf-network.ts";

const LINK = { network: "point-to-point" } as const;

function network(): OspfNetwork {
  const lab = new OspfNetwork();
  lab.add("R1", configOf("1.1.1.1", [port(0, "10.0.0.1/30", LINK), port(1, "10.1.0.1/24")]));
  lab.add("R2", configOf("2.2.2.2", [port(0, "10.0.0.2/30", LINK), port(1, "10.2.0.1/24")]));
  lab.wire(["R1", 0], ["R2", 0]);
  lab.run(20);
  return lab;
}

describe("a router", () => {
  it("survives any bytes, and keeps its neighbour and its routes if their checksum is wrong", () => {
    const lab = network();
    const sent = lab.packets.filter(({ from }) => from === "R2");
    const routes = lab.routes("R1");
    const { process } = lab.node("R1");
    fc.assert(
      fc.property(
        fc.constantFrom(...sent),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (each, place, change) => {
          const at = place % each.packet.length;
          // The authentication of a packet without any is not covered.
          if (at >= 16 && at < 24) return;
          const packet = each.packet.with(at, each.packet[at]! ^ change);
          process.receive(0, { source: each.source, target: each.target, packet, content: undefined });
          expect(lab.neighbours("R1")).toEqual(["2.2.2.2 full"]);
          expect(lab.routes("R1")).toEqual(routes);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("survives packets of each type that are cut, of other senders, and bytes by chance", () => {
    const lab = network();
    const { process } = lab.node("R1");
    const sent = lab.packets.filter(({ from }) => from === "R2");
    fc.assert(
      fc.property(
        fc.constantFrom(...sent),
        fc.nat(),
        fc.uint8Array({ maxLength: 100 }),
        (each, cut, bytes) => {
          const short = each.packet.subarray(0, cut % each.packet.length);
          for (const packet of [short, bytes])
            process.receive(0, { source: each.source, target: each.target, packet, content: undefined });
          process.receive(0, {
            source: address("10.0.0.3"),
            target: each.target,
            packet: each.packet.with(7, 9),
            content: undefined,
          });
          expect(lab.neighbours("R1")).toEqual(["2.2.2.2 full"]);
        },
      ),
    );
    lab.run(20);
    expect(lab.neighbours("R1")).toEqual(["2.2.2.2 full"]);
  });

  it("does not change a database for old packets that come again", () => {
    const lab = network();
    const sent = lab.packets.filter(({ from, packet }) => from === "R2" && packet[1]! >= 4);
    const before = lab.database("R1");
    for (const { source, target, packet } of sent)
      lab.node("R1").process.receive(0, { source, target, packet, content: undefined });
    expect(lab.database("R1")).toEqual(before);
    lab.run(30);
    expect(lab.neighbours("R1")).toEqual(["2.2.2.2 full"]);
  });
});
