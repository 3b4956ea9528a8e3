/** A packet's way through a lab, from the captures that have it. */
import { describe, expect, test } from "vitest";
import { type WayInput, type WayLink, type WayNode, wayOf } from "../../../../page/src/packets/way.ts";

const node = (name: string, node_type: string, status = "started"): WayNode => ({
  node_id: name,
  name,
  node_type,
  status,
});
const link = (link_id: string, a: string, b: string, more: Partial<WayLink> = {}): WayLink => ({
  link_id,
  ends: [a, b],
  suspend: false,
  filters: {},
  isCaptured: true,
  isTappedBefore: false,
  ...more,
});

/** PC1 - a - SW - b - R - c - PC2, and PC3 at the switch. */
const NODES = [
  node("PC1", "vpcs"),
  node("SW", "ethernet_switch"),
  node("R", "router"),
  node("PC2", "vpcs"),
  node("PC3", "vpcs"),
];
const LINKS = [link("a", "SW", "PC1"), link("b", "SW", "R"), link("c", "PC2", "R"), link("d", "SW", "PC3")];

const way = (seen: Readonly<Record<string, number>>, linkId: string, more: Partial<WayInput> = {}) => {
  const sightings = Object.entries(seen).map(([id, seconds], index) => ({
    linkId: id,
    seconds,
    number: index + 1,
  }));
  return wayOf({ nodes: NODES, links: LINKS, sightings, linkId, ttl: 64, ...more });
};
const shown = (steps: ReturnType<typeof way>) => steps.map(({ name, did }) => `${name} ${did}`);

describe("the way of a packet", () => {
  test("goes through all links that carried it, from whichever of them it is looked at", () => {
    for (const from of ["a", "b", "c"]) {
      const steps = way({ a: 0, b: 0.001, c: 0.003 }, from);
      expect(shown(steps)).toEqual([
        "PC1 sends it",
        "SW – PC1 carries it to SW",
        "SW forwards it after 1.000 ms",
        "SW – R carries it to R",
        "R forwards it after 2.000 ms",
        "PC2 – R carries it to PC2",
        "PC2 takes it",
      ]);
      expect(steps.at(-1)!.fate).toBe("arrived");
    }
  });

  test("of a reply goes back", () => {
    expect(shown(way({ c: 0, b: 0.001, a: 0.002 }, "b"))[0]).toBe("PC2 sends it");
  });

  test("has one branch of a flood: the longest", () => {
    const steps = way({ a: 0, b: 0.001, d: 0.001, c: 0.002 }, "a");
    expect(steps.at(-1)).toMatchObject({ name: "PC2", fate: "arrived" });
    expect(shown(way({ a: 0, b: 0.001, d: 0.001, c: 0.002 }, "d")).at(-1)).toBe("PC3 takes it");
  });

  test("ends where a filter of the next link may have dropped it", () => {
    const links = LINKS.map((each) =>
      each.link_id === "c" ? { ...each, filters: { packet_loss: [10], delay: [5, 0] } } : each,
    );
    const last = way({ a: 0, b: 0.001 }, "a", { links }).at(-1)!;
    expect(last.did).toBe("is the last that is known to have it: PC2 – R loses 10 % of the packets");
    expect(last.fate).toBe("unknown");
  });

  test("ends at a suspended link, at a node that does not run, or with its time to live", () => {
    const links = LINKS.map((each) => (each.link_id === "c" ? { ...each, suspend: true } : each));
    expect(way({ a: 0, b: 0.001 }, "b", { links }).at(-1)).toMatchObject({
      name: "R",
      did: "is the last that is known to have it: PC2 – R is suspended",
      fate: "lost",
    });
    const nodes = NODES.map((each) => (each.name === "PC2" ? { ...each, status: "stopped" } : each));
    expect(way({ c: 0.003, b: 0.001 }, "c", { nodes }).at(-1)).toMatchObject({
      did: "does not take it: PC2 is stopped",
      fate: "lost",
    });
    expect(way({ a: 0, b: 0.001 }, "b", { ttl: 1 }).at(-1)!.did).toContain("its time to live ends here");
  });

  test("says which links have no capture", () => {
    const links = LINKS.map((each) => (each.link_id === "c" ? { ...each, isCaptured: false } : each));
    expect(way({ a: 0, b: 0.001 }, "b", { links }).at(-1)!.did).toContain("PC2 – R has no capture here");
  });

  test("may end on a link that recorded it before its filters", () => {
    const filters = { frequency_drop: [-1] };
    const links = LINKS.map((each) =>
      each.link_id === "b" ? { ...each, isTappedBefore: true, filters } : each,
    );
    expect(way({ a: 0, b: 0.001 }, "b", { links }).at(-2)).toMatchObject({
      did: "takes it; the link drops every packet",
      fate: "unknown",
    });
  });

  test("is empty for a link that is gone", () => {
    expect(way({ gone: 0 }, "gone")).toEqual([]);
  });
});
