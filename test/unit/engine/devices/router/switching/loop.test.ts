/** Loops of routers with switched ports: found as those of switches, and not where a frame only returns to where it was routed. */
import { describe, expect, it } from "vitest";
import { AMPLE, LabBuilder, plan } from "../../../../../helpers/engine/lab-builder.ts";
import { specOf } from "../probe.ts";

const TRUNK = { switchport: { mode: "trunk", vlan: 10 } };

describe("routers with switched ports", () => {
  it("storm in a ring, and the report names the ring", () => {
    const lab = new LabBuilder().pc(1, "");
    for (const [index, name] of ["A", "B"].entries()) {
      const spec = specOf({ ports: [TRUNK, TRUNK, { switchport: { vlan: 10 } }] }, name);
      lab.add(name, { ...spec, mac: spec.mac + index * 256 });
    }
    lab.join(["A", 0], ["B", 0]).join(["A", 1], ["B", 1]).join(["PC1", 0], ["A", 2]);
    const simulation = lab.simulate({ limits: { ...AMPLE, packets: 5_000 } });
    plan(simulation, "PC1", ["ip 10.0.0.1/24"]);
    simulation.advance();
    expect(simulation.stopped).toEqual({ reason: "limit", limit: "packets" });
    expect(simulation.loop?.toSorted()).toEqual(["A", "B"]);
  });

  it("are in no loop if a switch gets their answers and routed packets back", () => {
    const lab = new LabBuilder().pc(1, "ip 10.0.10.2/24 10.0.10.1").pc(2, "ip 10.0.20.2/24 10.0.20.1");
    const access = (vlan: number) => ({ type: "access", vlan, etherType: 0x8100 }) as const;
    lab.add("SW", {
      type: "ethernet_switch",
      name: "SW",
      ports: [{ type: "dot1q", vlan: 1, etherType: 0x8100 }, access(10), access(20)],
    });
    const interfaces = [10, 20].map((vlan) => ({
      type: "svi",
      name: `vlan${vlan}`,
      ipv4: `10.0.${vlan}.1/24`,
    }));
    lab.add("R", specOf({ ports: [{ switchport: { mode: "trunk" } }], interfaces }, "R"));
    lab.join(["R", 0], ["SW", 0]).join(["PC1", 0], ["SW", 1]).join(["PC2", 0], ["SW", 2]);
    const simulation = lab.simulate({ limits: { ...AMPLE, packets: 1_000 } });
    const session = plan(simulation, "PC1", ["ping 10.0.20.2 -c 200 -i 10"], 5);
    simulation.advance();
    expect(session.output).toContain("84 bytes from 10.0.20.2");
    expect(simulation.stopped).toEqual({ reason: "limit", limit: "packets" });
    expect(simulation.loop).toBeUndefined();
  });
});
