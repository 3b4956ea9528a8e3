/** Hellos, states of neighbours and the exchange of databases (RFC 2328, sections 8 to 10). */
import { makeStream } from "@wirelab/engine/base/random";
import { describe, expect, it } from "vitest";
import type { InterfaceConfig } from "../../../../../packages/engine/routing/ospf/config.ts";
import { OSPF } from "../../../../../packages/engine/wire/ospf.ts";
import type { OspfAuthentication } from "../../../../../packages/engine/wire/ospf-authentication.ts";
import { area, configOf, OspfNetwork, type Packet, port } from "../../../../helpers/engine/ospf-network.ts";

const typeOf = ({ packet }: Packet): number => packet[1]!;

function pair(
  own: Partial<InterfaceConfig> = {},
  other: Partial<InterfaceConfig> = own,
  network: InterfaceConfig["network"] = "point-to-point",
): OspfNetwork {
  const lab = new OspfNetwork();
  lab.add("R1", configOf("1.1.1.1", [port(0, "10.0.0.1/24", { network, ...own })]));
  lab.add("R2", configOf("2.2.2.2", [port(0, "10.0.0.2/24", { network, ...other })]));
  lab.wire(["R1", 0], ["R2", 0]);
  return lab;
}

function lan(count: number, fields: (index: number) => Partial<InterfaceConfig> = () => ({})): OspfNetwork {
  const lab = new OspfNetwork();
  const ends: [string, number][] = [];
  for (let index = 1; index <= count; index++) {
    lab.add(
      `R${index}`,
      configOf(`${index}.${index}.${index}.${index}`, [port(0, `10.0.0.${index}/24`, fields(index))]),
    );
    ends.push([`R${index}`, 0]);
  }
  lab.wire(...ends);
  return lab;
}

const refusals = (lab: OspfNetwork, name: string): string[] => [
  ...lab.node(name).process.state.interfaces.get(0)!.refused.keys(),
];

describe("two routers at a point-to-point link", () => {
  it("become full within a second", () => {
    const lab = pair();
    lab.run(1);
    expect(lab.neighbours("R1")).toEqual(["2.2.2.2 full"]);
    expect(lab.neighbours("R2")).toEqual(["1.1.1.1 full"]);
    expect(lab.node("R1").changes.map(({ to }) => to)).toEqual([
      "init",
      "2-way",
      "exstart",
      "exchange",
      "loading",
      "full",
    ]);
  });

  it("send all packets to AllSPFRouters (section 8.1)", () => {
    const lab = pair();
    lab.run(30);
    expect(new Set(lab.packets.map(({ target }) => target))).toEqual(new Set([0xe000_0005]));
  });

  it("end with the same database, and with routes to each other's networks", () => {
    const lab = new OspfNetwork();
    const link = { network: "point-to-point" } as const;
    lab.add("R1", configOf("1.1.1.1", [port(0, "10.0.0.1/24", link), port(1, "10.1.0.1/24")]));
    lab.add("R2", configOf("2.2.2.2", [port(0, "10.0.0.2/24", link), port(1, "10.2.0.1/24", { cost: 5 })]));
    lab.wire(["R1", 0], ["R2", 0]);
    lab.run(60);
    expect(lab.database("R1")).toEqual(lab.database("R2"));
    expect(lab.routes("R1")).toEqual([
      "10.0.0.0/24 intra 10 eth0",
      "10.1.0.0/24 intra 10 eth1",
      "10.2.0.0/24 intra 15 eth0 10.0.0.2",
    ]);
  });

  it("lose each other after the dead interval (section 10.5), and find each other again", () => {
    const lab = pair();
    lab.run(15);
    lab.setUp(0, false);
    lab.run(35);
    expect(lab.neighbours("R1")).toEqual(["2.2.2.2 full"]);
    lab.run(6);
    expect(lab.neighbours("R1")).toEqual([]);
    lab.setUp(0, true);
    lab.run(12);
    expect(lab.neighbours("R1")).toEqual(["2.2.2.2 full"]);
  });

  it("begin anew when one of them has restarted (event 1-WayReceived)", () => {
    const lab = pair();
    lab.run(15);
    lab.restart("R2");
    lab.run(15);
    expect(lab.neighbours("R1")).toEqual(["2.2.2.2 full"]);
    expect(lab.node("R1").changes.some(({ why }) => why === "1-way received")).toBe(true);
    expect(lab.database("R1")).toEqual(lab.database("R2"));
  });

  it.each([1, 2, 3, 4, 5, 6, 7])("become full though packet %i of each is lost (section 10.8)", (lost) => {
    const lab = pair();
    const counts = new Map<string, number>();
    lab.loses = ({ from }) => {
      counts.set(from, (counts.get(from) ?? 0) + 1);
      return counts.get(from) === lost;
    };
    lab.run(30);
    expect(lab.neighbours("R1")).toEqual(["2.2.2.2 full"]);
    expect(lab.neighbours("R2")).toEqual(["1.1.1.1 full"]);
    expect(lab.database("R1")).toEqual(lab.database("R2"));
  });

  it.each([1, 2, 3, 4, 5])("become full though half of the packets are lost, by chance %i", (seed) => {
    const lab = pair({ helloSeconds: 1 });
    const chance = makeStream(seed);
    lab.loses = () => chance.below(2) === 0;
    lab.run(120);
    lab.loses = () => false;
    lab.run(30);
    expect(lab.database("R1")).toEqual(lab.database("R2"));
    expect(lab.neighbours("R1")).toEqual(["2.2.2.2 full"]);
  });

  it("describe databases that take several packets", () => {
    const lab = new OspfNetwork();
    const externals = (second: number) =>
      Array.from({ length: 200 }, (_, index) => ({
        network: 0xac00_0000 + second * 0x1_0000 + index * 256,
        prefixLength: 24,
        metric: 20,
        isType2: true,
        tag: 0,
        via: undefined,
      }));
    const link = { network: "point-to-point" } as const;
    for (const index of [1, 2])
      lab.add(
        `R${index}`,
        configOf(`${index}.0.0.0`, [port(0, `10.0.0.${index}/24`, link)], { externals: externals(index) }),
      );
    lab.wire(["R1", 0], ["R2", 0]);
    lab.run(20);
    expect(lab.database("R1")).toHaveLength(402);
    expect(lab.database("R1")).toEqual(lab.database("R2"));
    expect(Math.max(...lab.packets.map(({ packet }) => packet.length))).toBeLessThanOrEqual(1480);
    expect(lab.packets.filter((each) => typeOf(each) === OSPF.request).length).toBeGreaterThan(2);
  });
});

describe("routers that disagree stay apart, and count why", () => {
  const secret = (text: string): OspfAuthentication => ({
    type: "digest",
    keys: [{ id: 1, digest: "md5", key: new TextEncoder().encode(text) }],
  });
  it.each<[string, Partial<InterfaceConfig>, Partial<InterfaceConfig>]>([
    ["hello interval", { helloSeconds: 5 }, {}],
    ["dead interval", { deadSeconds: 20 }, {}],
    ["mask", { prefixLength: 25, network: "broadcast" }, { network: "broadcast" }],
    ["area", { areaId: 1 }, {}],
    ["authentication", { authentication: secret("one") }, { authentication: secret("two") }],
    ["authentication", { authentication: secret("one") }, {}],
  ])("about the %s", (reason, own, other) => {
    const lab = pair(own, other);
    lab.run(50);
    expect(lab.neighbours("R1")).toEqual([]);
    expect(refusals(lab, "R1")).toEqual([reason]);
    expect(refusals(lab, "R2")).toEqual([reason]);
  });

  it("about the MTU: they stay in ExStart (section 10.6), unless the interface ignores it", () => {
    const lab = pair({ mtuBytes: 1400 }, {});
    lab.run(60);
    expect(lab.neighbours("R1")).toEqual(["2.2.2.2 exstart"]);
    expect(refusals(lab, "R1")).toEqual(["MTU"]);
    const ignoring = pair({ mtuBytes: 1400, ignoresMtu: true }, {});
    ignoring.run(10);
    expect(ignoring.neighbours("R1")).toEqual(["2.2.2.2 full"]);
  });

  it("about stub areas", () => {
    const lab = new OspfNetwork();
    const link = { network: "point-to-point", areaId: 1 } as const;
    lab.add(
      "R1",
      configOf("1.1.1.1", [port(0, "10.0.0.1/24", link)], { areas: [area(1, { kind: "stub" })] }),
    );
    lab.add("R2", configOf("2.2.2.2", [port(0, "10.0.0.2/24", link)]));
    lab.wire(["R1", 0], ["R2", 0]);
    lab.run(30);
    expect(lab.neighbours("R1")).toEqual([]);
    expect(refusals(lab, "R2")).toEqual(["stub area"]);
  });

  it("that have one id", () => {
    const lab = new OspfNetwork();
    for (const index of [1, 2]) lab.add(`R${index}`, configOf("1.1.1.1", [port(0, `10.0.0.${index}/24`)]));
    lab.wire(["R1", 0], ["R2", 0]);
    lab.run(30);
    expect(lab.neighbours("R1")).toEqual([]);
    expect(refusals(lab, "R1")).toEqual(["duplicate router id"]);
  });
});

describe("authentication (appendix D; RFC 5709)", () => {
  const key = new TextEncoder().encode("secret");
  const digests = ["md5", "hmac-sha-1", "hmac-sha-256", "hmac-sha-384", "hmac-sha-512"] as const;
  it.each(digests)("with %s makes neighbours, and refuses a packet that is played again", (digest) => {
    const lab = pair({ authentication: { type: "digest", keys: [{ id: 3, digest, key }] } });
    lab.run(15);
    expect(lab.neighbours("R1")).toEqual(["2.2.2.2 full"]);
    const old = lab.packets.find(({ from }) => from === "R2")!;
    lab.run(20);
    lab.node("R1").process.receive(0, { ...old, content: undefined });
    expect(refusals(lab, "R1")).toEqual(["authentication"]);
    expect(lab.neighbours("R1")).toEqual(["2.2.2.2 full"]);
  });

  it("with a password makes neighbours", () => {
    const lab = pair({ authentication: { type: "password", password: key } });
    lab.run(15);
    expect(lab.neighbours("R1")).toEqual(["2.2.2.2 full"]);
  });
});

describe("routers at a network", () => {
  it("elect a designated router and a backup after the waiting time (section 9.4)", () => {
    const lab = lan(4);
    lab.run(39);
    expect(lab.neighbours("R1")).toEqual(["2.2.2.2 2-way", "3.3.3.3 2-way", "4.4.4.4 2-way"]);
    lab.run(10);
    expect(lab.neighbours("R1")).toEqual(["2.2.2.2 2-way", "3.3.3.3 full", "4.4.4.4 full"]);
    const states = [1, 2, 3, 4].map((index) => lab.node(`R${index}`).process.state.interfaces.get(0)!.state);
    expect(states).toEqual(["other", "other", "backup", "designated"]);
  });

  it("have one network-LSA with all of them, and equal databases", () => {
    const lab = lan(5);
    lab.run(70);
    for (const index of [2, 3, 4, 5]) expect(lab.database(`R${index}`)).toEqual(lab.database("R1"));
    expect(lab.database("R1").filter((line) => line.startsWith("2 "))).toHaveLength(1);
    const database = lab.node("R1").process.state.areas.get(0)!.database;
    const network = [...database.values()].find(({ lsa }) => lsa.type === 2)?.lsa.body;
    expect(network?.kind === "network" && network.routers.length).toBe(5);
  });

  it("keep their designated router when one with a higher priority comes", () => {
    const lab = lan(2);
    lab.run(60);
    lab.add("R9", configOf("9.9.9.9", [port(0, "10.0.0.9/24", { priority: 200 })]));
    lab.wire(["R1", 0], ["R9", 0]);
    lab.wire(["R2", 0], ["R9", 0]);
    lab.run(60);
    expect(lab.node("R9").process.state.interfaces.get(0)!.state).toBe("other");
    expect(lab.neighbours("R9")).toEqual(["1.1.1.1 full", "2.2.2.2 full"]);
  });

  it("replace a designated router that has gone by its backup", () => {
    const lab = lan(4);
    lab.run(60);
    lab.setUp(0, false);
    lab.wire(["R1", 0], ["R2", 0], ["R3", 0]);
    lab.run(90);
    const states = [1, 2, 3].map((index) => lab.node(`R${index}`).process.state.interfaces.get(0)!.state);
    expect(states).toEqual(["other", "backup", "designated"]);
    expect(lab.database("R1")).toEqual(lab.database("R3"));
    expect(lab.database("R1").filter((line) => line.startsWith("2 10.0.0.3"))).toHaveLength(1);
  });

  it("never elect a router of priority 0", () => {
    const lab = lan(3, (index) => ({ priority: index === 3 ? 0 : 1 }));
    lab.run(60);
    expect(lab.node("R3").process.state.interfaces.get(0)!.state).toBe("other");
    expect(lab.node("R2").process.state.interfaces.get(0)!.state).toBe("designated");
  });

  it("send to AllDRouters what only the designated router and its backup need (section 13.3)", () => {
    const lab = lan(4);
    lab.run(100);
    const toDesignated = lab.packets.filter(({ target }) => target === 0xe000_0006);
    expect(new Set(toDesignated.map(({ from }) => from))).toEqual(new Set(["R1", "R2"]));
    expect(
      toDesignated.every((each) => [OSPF.update, OSPF.acknowledgment].includes(typeOf(each) as 4 | 5)),
    ).toBe(true);
  });
});
