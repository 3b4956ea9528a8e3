/** Flooding, acknowledgments, ages and own LSAs (RFC 2328, sections 12 to 14). */

import { describe, expect, it } from "vitest";
import { OSPF, readUpdate } from "../../../../../packages/engine/wire/ospf.ts";
import { LSA, MAX_AGE_S } from "../../../../../packages/engine/wire/ospf-lsa.ts";
import {
  address,
  configOf,
  OspfNetwork,
  type Packet,
  port,
} from "../../../../helpers/engine/ospf-network.ts";

const typeOf = ({ packet }: Packet): number => packet[1]!;
const LINK = { network: "point-to-point" } as const;

/** Routers in a row; R1 has 10.9.0.0/24, too. */
function row(count: number): OspfNetwork {
  const lab = new OspfNetwork();
  for (let index = 1; index <= count; index++) {
    const ports = [
      ...(index > 1 ? [port(0, `10.0.${index - 1}.2/30`, LINK)] : [port(0, "10.9.0.1/24")]),
      ...(index < count ? [port(1, `10.0.${index}.1/30`, LINK)] : []),
    ];
    lab.add(`R${index}`, configOf(`0.0.0.${index}`, ports));
    if (index > 1) lab.wire([`R${index - 1}`, 1], [`R${index}`, 0]);
  }
  return lab;
}

/** R1's router-LSA at another router: its sequence number, and its age. */
function first(
  lab: OspfNetwork,
  name: string,
): { readonly sequence: number; readonly age: number } | undefined {
  const entry = lab.node(name).process.state.areas.get(0)!.database.get(`1 1 1`);
  if (entry === undefined) return undefined;
  const age = entry.age + Math.floor((lab.nowUs - entry.atUs) / 1e6);
  return { sequence: (entry.lsa.sequence >>> 0) - 0x8000_0000, age };
}

const withCost = (lab: OspfNetwork, cost: number) => {
  const { config } = lab.node("R1");
  lab.configure("R1", { ...config, interfaces: config.interfaces.map((each) => ({ ...each, cost })) });
};

describe("flooding", () => {
  it("takes a change to all routers, and each acknowledges it once", () => {
    const lab = row(4);
    lab.run(20);
    const before = lab.packets.length;
    withCost(lab, 33);
    lab.run(1);
    expect(lab.routes("R4").find((line) => line.startsWith("10.9.0.0"))).toBe(
      "10.9.0.0/24 intra 63 eth0 10.0.3.1",
    );
    lab.run(2);
    const after = lab.packets.slice(before);
    expect(after.filter((each) => typeOf(each) === OSPF.update).map(({ from }) => from)).toEqual([
      "R1",
      "R2",
      "R3",
    ]);
    expect(after.filter((each) => typeOf(each) === OSPF.acknowledgment).map(({ from }) => from)).toEqual([
      "R2",
      "R3",
      "R4",
    ]);
  });

  it("acknowledges an LSA that a second neighbour has shown before it was sent there, in place of sending it", () => {
    const lab = new OspfNetwork();
    const ends = { R1: [1, 4], R2: [1, 2], R3: [2, 3], R4: [4, 3] } as const;
    for (const [name, links] of Object.entries(ends)) {
      const ports = links.map((link, index) => port(index, `10.0.${link}.${index === 0 ? 1 : 2}/24`, LINK));
      lab.add(name, configOf(`0.0.0.${name.slice(1)}`, ports));
    }
    lab.wire(["R1", 0], ["R2", 0]);
    lab.wire(["R2", 1], ["R3", 0]);
    lab.wire(["R4", 1], ["R3", 1]);
    lab.wire(["R1", 1], ["R4", 0]);
    lab.run(20);
    const before = lab.packets.length;
    withCost(lab, 33);
    lab.run(10);
    // R3 hears of it from R2 and R4 at once.
    const after = lab.packets.slice(before);
    const sent = (type: number) => after.filter((each) => typeOf(each) === type).map(({ from }) => from);
    expect(sent(OSPF.update)).toEqual(["R1", "R1", "R2", "R4"]);
    expect(sent(OSPF.acknowledgment).toSorted()).toEqual(["R2", "R3", "R3", "R4"]);
    expect(first(lab, "R3")?.sequence).toBe(first(lab, "R1")!.sequence);
  });

  it("adds the transmit delay to the age at each link (section 13.3)", () => {
    const lab = row(4);
    lab.run(20);
    withCost(lab, 33);
    lab.run(0.5);
    expect([1, 2, 3, 4].map((index) => first(lab, `R${index}`)?.age)).toEqual([0, 1, 2, 3]);
  });

  it("sends an LSA again after the retransmission interval, until it is acknowledged (section 13.6)", () => {
    const lab = row(2);
    lab.run(20);
    lab.loses = (packet) => typeOf(packet) === OSPF.update || typeOf(packet) === OSPF.acknowledgment;
    const before = lab.packets.length;
    withCost(lab, 33);
    const startUs = lab.nowUs;
    lab.run(12);
    lab.loses = () => false;
    lab.run(20);
    const sent = lab.packets.slice(before).filter((each) => typeOf(each) === OSPF.update);
    expect(sent.map(({ from, atUs }) => `${from} ${Math.round((atUs - startUs) / 1e6)}`)).toEqual([
      "R1 0",
      "R1 5",
      "R1 10",
      "R1 15",
    ]);
    expect(first(lab, "R2")).toEqual(
      first(lab, "R1") && { ...first(lab, "R1")!, age: first(lab, "R2")!.age },
    );
  });

  it("sends two instances of an LSA no sooner than MinLSInterval after each other (section 12.4)", () => {
    const lab = row(2);
    lab.run(20);
    const before = lab.packets.length;
    for (const cost of [11, 12, 13]) withCost(lab, cost);
    const startUs = lab.nowUs;
    lab.run(10);
    const sent = lab.packets.slice(before).filter((each) => typeOf(each) === OSPF.update);
    expect(sent.map(({ atUs }) => Math.round((atUs - startUs) / 1e6))).toEqual([0, 5]);
    expect(lab.routes("R2")).toContain("10.9.0.0/24 intra 23 eth0 10.0.1.1");
  });

  it("does not take an instance within MinLSArrival after the one before (section 13, step 5a)", () => {
    const lab = row(2);
    const { config } = lab.node("R1");
    lab.configure("R1", { ...config, timers: { ...config.timers, minLsaIntervalMs: 100 } });
    lab.run(20);
    withCost(lab, 11);
    lab.run(0.5);
    withCost(lab, 12);
    lab.run(0.4);
    expect(lab.routes("R2")).toContain("10.9.0.0/24 intra 21 eth0 10.0.1.1");
    lab.run(6);
    expect(lab.routes("R2")).toContain("10.9.0.0/24 intra 22 eth0 10.0.1.1");
  });

  it("withdraws the network-LSA of a network that its router has left (section 12.4.2)", () => {
    const lab = new OspfNetwork();
    const toThird = port(1, "10.0.1.1/30", LINK);
    lab.add("R1", configOf("0.0.0.1", [port(0, "10.0.0.1/24")]));
    lab.add("R2", configOf("0.0.0.2", [port(0, "10.0.0.2/24"), toThird]));
    lab.add("R3", configOf("0.0.0.3", [port(0, "10.0.1.2/30", LINK)]));
    lab.wire(["R1", 0], ["R2", 0]);
    lab.wire(["R2", 1], ["R3", 0]);
    lab.run(60);
    expect(lab.database("R3").filter((line) => line.startsWith("2 10.0.0.2 "))).toHaveLength(1);
    lab.configure("R2", configOf("0.0.0.2", [toThird]));
    lab.run(10);
    for (const name of ["R2", "R3"])
      expect(lab.database(name).filter((line) => line.startsWith("2 "))).toEqual([]);
  });
});

describe("the age of an LSA", () => {
  it("is refreshed every half hour (section 12.4)", () => {
    const lab = row(3);
    lab.run(20);
    const before = first(lab, "R3")!.sequence;
    lab.run(1_750);
    expect(first(lab, "R3")!.sequence).toBe(before);
    lab.run(50);
    expect(first(lab, "R3")).toMatchObject({ sequence: before + 1 });
    lab.run(1_800);
    expect(first(lab, "R3")!.sequence).toBe(before + 2);
  });

  it("ends it after an hour without its router, for all others (section 14)", () => {
    const lab = row(3);
    lab.run(20);
    lab.setUp(0, false);
    lab.run(MAX_AGE_S - 100);
    expect(first(lab, "R3")).toBeDefined();
    lab.run(120);
    expect(first(lab, "R3")).toBeUndefined();
    expect(first(lab, "R2")).toBeUndefined();
  });
});

describe("an own LSA that comes back from before a restart (section 13.4)", () => {
  it("is replaced by one with a higher number", () => {
    const lab = row(3);
    lab.run(20);
    for (const cost of [11, 12, 13, 14]) {
      withCost(lab, cost);
      lab.run(6);
    }
    const before = first(lab, "R3")!.sequence;
    lab.restart("R1");
    lab.run(30);
    expect(first(lab, "R3")!.sequence).toBeGreaterThan(before);
    expect(lab.routes("R3")).toContain("10.9.0.0/24 intra 34 eth0 10.0.2.1");
    expect(lab.database("R1")).toEqual(lab.database("R3"));
  });

  it("is withdrawn if the router has no longer what it announces (section 14.1)", () => {
    const lab = row(3);
    const { config } = lab.node("R1");
    const externals = [
      { network: address("172.16.0.0"), prefixLength: 16, metric: 20, isType2: true, tag: 0, via: undefined },
    ];
    lab.configure("R1", { ...config, externals });
    lab.run(20);
    expect(lab.routes("R3")).toContain("172.16.0.0/16 external2 20+20 eth0 10.0.2.1");
    lab.node("R1").config = config;
    lab.restart("R1");
    lab.run(30);
    for (const name of ["R1", "R2", "R3"])
      expect(lab.database(name).filter((line) => line.startsWith(`${LSA.external} `))).toEqual([]);
  });
});

it("puts as many LSAs into a packet as the MTU allows", () => {
  const lab = row(2);
  const { config } = lab.node("R1");
  lab.run(20);
  const before = lab.packets.length;
  const externals = Array.from({ length: 100 }, (_, index) => ({
    network: address("172.16.0.0") + 256 * index,
    prefixLength: 24,
    metric: 20,
    isType2: true,
    tag: 0,
    via: undefined,
  }));
  lab.configure("R1", { ...config, externals });
  lab.run(1);
  const updates = lab.packets.slice(before).filter((each) => typeOf(each) === OSPF.update);
  expect(updates.map(({ packet }) => readUpdate(packet, packet.length)!.length)).toEqual([39, 40, 22]);
});
