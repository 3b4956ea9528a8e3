import { makeFilterChain } from "@wirelab/engine/link/filters/index";
import type { FilterSettings } from "@wirelab/engine/link/filters/settings";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chainOptions, droppedBy, filterSettings, passageOf } from "../../../../helpers/engine/links.ts";

const ALL: FilterSettings = {
  frequency_drop: [5],
  packet_loss: [20],
  delay: [10, 5],
  corrupt: [20],
  bpf: ["odd"],
};

/** Sends packets 0 .. count - 1 of one byte each. Returns per packet null if dropped, else the bytes and the delay. */
function outcomes(chain: ReturnType<typeof makeFilterChain>, count: number): unknown[] {
  return Array.from({ length: count }, (_, number) => {
    const passage = passageOf(Uint8Array.of(number & 0xff, 0, 0, 0));
    return chain.admit(passage) ? [[...passage.data], passage.delayNs] : null;
  });
}

describe("the filter chain", () => {
  it("delivers everything at once and unchanged without filters", () => {
    const passage = passageOf(Uint8Array.of(1));
    const { data } = passage;
    expect(makeFilterChain(chainOptions({})).admit(passage)).toBe(true);
    expect(passage).toEqual({ data, wireLength: 1, delayNs: 0 });
    expect(passage.data).toBe(data);
  });

  it("applies the filters in the documented order, for any order of the settings", () => {
    const reversed = Object.fromEntries(Object.entries(ALL).reverse()) as FilterSettings;
    const chain = makeFilterChain(chainOptions(reversed, { suspended: true }));
    const order = ["suspend", "frequency_drop", "packet_loss", "bpf", "corrupt", "delay"];
    expect(chain.counts().map(({ type }) => type)).toEqual(order);
  });

  it("drops everything when suspended", () => {
    const chain = makeFilterChain(chainOptions({}, { suspended: true }));
    expect(outcomes(chain, 3)).toEqual([null, null, null]);
    expect(chain.counts()).toEqual([{ type: "suspend", seen: 3, dropped: 3, corrupted: 0, held: 0 }]);
  });

  it("applies an expression to the bytes before corruption", () => {
    const chain = makeFilterChain(chainOptions({ corrupt: [100], bpf: ["odd"] }));
    // Corruption always flips one bit of the single even byte; the expression must never see the result.
    for (let packet = 0; packet < 200; packet++) expect(chain.admit(passageOf(Uint8Array.of(2)))).toBe(true);
  });

  it("counts, per filter, the packets that reached it and its verdicts", () => {
    const chain = makeFilterChain(chainOptions({ frequency_drop: [2], corrupt: [100], delay: [1] }));
    outcomes(chain, 10);
    expect(chain.counts()).toEqual([
      { type: "frequency_drop", seen: 10, dropped: 5, corrupted: 0, held: 0 },
      { type: "corrupt", seen: 5, dropped: 0, corrupted: 5, held: 0 },
      { type: "delay", seen: 5, dropped: 0, corrupted: 0, held: 5 },
    ]);
  });

  it("rejects a bpf text without compiled expressions", () => {
    expect(() => makeFilterChain(chainOptions({ bpf: ["icmp"] }, { bpfPredicates: [] }))).toThrow(
      "not compiled",
    );
  });
});

describe("the independence of filters", () => {
  it("drops under several filters exactly the union of what each drops alone", () => {
    fc.assert(
      fc.property(filterSettings, fc.integer({ min: 1, max: 300 }), (settings, count) => {
        const sizeOf = (number: number) => 1 + (number % 5);
        const alone = Object.entries(settings).map(([type, values]) =>
          droppedBy({ [type]: values }, count, sizeOf),
        );
        const union = new Set(alone.flatMap((dropped) => [...dropped]));
        expect(droppedBy(settings, count, sizeOf)).toEqual(union);
      }),
    );
  });

  it("corrupts and delays each packet equally, regardless of packets dropped before", () => {
    const alone = outcomes(makeFilterChain(chainOptions({ corrupt: [30], delay: [10, 5] })), 2_000);
    const together = outcomes(makeFilterChain(chainOptions({ ...ALL, corrupt: [30] })), 2_000);
    const survivors = together.flatMap((outcome, number) => (outcome === null ? [] : [number]));
    expect(survivors.length).toBeGreaterThan(500);
    for (const number of survivors) expect(together[number]).toEqual(alone[number]);
  });

  it.each([
    ["direction", { direction: "b-to-a" }],
    ["link", { streamName: "other" }],
    ["seed", { seed: 2 }],
  ] as const)("draws anew for another %s", (_, other) => {
    const settings: FilterSettings = { packet_loss: [50], corrupt: [50], delay: [10, 5] };
    const first = outcomes(makeFilterChain(chainOptions(settings)), 100);
    expect(outcomes(makeFilterChain(chainOptions(settings)), 100)).toEqual(first);
    expect(outcomes(makeFilterChain(chainOptions(settings, other)), 100)).not.toEqual(first);
  });
});

describe("a chain's state", () => {
  it("continues, through JSON, as if the run had not been interrupted", () => {
    fc.assert(
      fc.property(filterSettings, fc.nat(50), (settings, before) => {
        const chain = makeFilterChain(chainOptions(settings));
        outcomes(chain, before);
        const state = JSON.parse(JSON.stringify(chain.saveState()));
        const resumed = makeFilterChain(chainOptions(settings, { state }));
        expect(outcomes(resumed, 50)).toEqual(outcomes(chain, 50));
      }),
    );
  });

  it("names only filters with state", () => {
    const chain = makeFilterChain(chainOptions(ALL, { suspended: true }));
    expect(Object.keys(chain.saveState()).sort()).toEqual([
      "corrupt",
      "delay",
      "frequency_drop",
      "packet_loss",
    ]);
  });
});
