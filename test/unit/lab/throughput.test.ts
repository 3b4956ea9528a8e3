import { parseRateBps } from "@wirelab/lab/model/quantity";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { runLab } from "@wirelab/lab/run-lab";
import { describe, expect, it } from "vitest";

const LAB = `
nodes:
  a: { type: server, ip: [10.0.0.1/24, "2001:db8::1/64"] }
  b: { type: server, ip: [10.0.0.2/24, "2001:db8::2/64"] }
  pc1: 10.0.0.3/24
  sw1: switch
links:
  - { link: a -- sw1, impairments: { both: { rate: 10mbit } } }
  - b -- sw1
  - pc1 -- sw1
run:
  - { at: 1s, console: { a: [send 10.0.0.2 -n 500k, "send 2001:db8::2 -n 300k"] } }
expect:
`;

/** The outcome of an expectation: its status, and what it got. */
function judge(expectation: string): string {
  const [verdict] = runLab(parseLabFile(`${LAB}  - ${expectation}\n`, { name: "lab", file: "lab" })).verdicts;
  return `${verdict!.status}: ${verdict!.got}`;
}

describe("the expectation throughput", () => {
  it("looks at the last transfer, or at the one that it names", () => {
    expect(judge('{ throughput: a -> b, is: "> 8mbit", timeouts: 0 }')).toMatch(
      /^passed: sent to 2001:db8::2 .* 300000/,
    );
    expect(judge("{ throughput: a -> b, transfer: 1, is: 8..10mbit }")).toMatch(
      /^passed: sent to 10.0.0.2 .* 500000/,
    );
  });

  it("fails for another rate, another count, and a transfer that there is not", () => {
    expect(judge('{ throughput: a -> b, is: "< 1mbit" }')).toMatch(/^failed: sent to/);
    expect(judge('{ throughput: a -> b, resent: "> 0" }')).toMatch(/^failed: sent to/);
    expect(judge('{ throughput: a -> b, transfer: 3, is: "> 0bit" }')).toBe("failed: 2 transfers");
    expect(judge('{ throughput: b -> a, is: "> 0bit" }')).toBe("failed: no transfer");
  });

  it("takes what a server has received if the sender is none", () => {
    expect(judge('{ throughput: pc1 -> b, is: "> 0bit" }')).toBe("failed: no transfer");
  });

  it.each([
    ["{ throughput: a -> b }", "needs is, resent or timeouts."],
    ["{ throughput: pc1 -> pc1, is: 1mbit }", "is from pc1 to itself."],
    ["{ throughput: a -> b, is: fast }", "must be a number or a comparison"],
    ["{ throughput: a -> b, is: 10 }", "expect[0]"],
  ])("%s is refused: %s", (expectation, message) => {
    expect(() => judge(expectation)).toThrow(message);
  });

  it("has rates with units of bits", () => {
    expect(["5bit", "2kbit", "1.5mbit", "1gbit", "7", "3MB"].map(parseRateBps)).toEqual([
      5,
      2_000,
      1_500_000,
      1e9,
      undefined,
      undefined,
    ]);
  });
});

describe("a server in a lab file", () => {
  it.each([
    ["ip: 10.0.0.1", "nodes.s.ip"],
    ["ip: 10.0.0.1/24, gateway: 10.9.0.1", "nodes.s.gateway"],
    ["http: { port: 7 }", "nodes.s.http.port"],
    ["speed: 1", "nodes.s"],
  ])("is refused with %s", (fields, path) => {
    expect(() =>
      parseLabFile(`nodes: { s: { type: server, ${fields} } }`, { name: "lab", file: "lab" }),
    ).toThrow(path);
  });
});
