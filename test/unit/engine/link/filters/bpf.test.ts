import { describe, expect, it } from "vitest";
import { BpfDrop } from "../../../../../packages/engine/link/filters/bpf.ts";
import { DROP, PASS } from "../../../../../packages/engine/link/filters/link-filter.ts";
import { passageOf } from "../../../../helpers/engine/links.ts";

describe("bpf", () => {
  it("drops a packet that matches any expression", () => {
    const filter = new BpfDrop([(packet) => packet[0] === 1, (packet) => packet[0] === 2]);
    const answers = [0, 1, 2, 3].map((first) => filter.decide(passageOf(Uint8Array.of(first))));
    expect(answers).toEqual([PASS, DROP, DROP, PASS]);
  });

  it("passes the length on the wire to expressions, not the captured one", () => {
    const filter = new BpfDrop([(_, wireLength) => wireLength > 100]);
    expect(filter.decide(passageOf(new Uint8Array(10), 1_500))).toBe(DROP);
    expect(filter.decide(passageOf(new Uint8Array(10), 100))).toBe(PASS);
  });
});
