/** The modes of BFD at a router's console, and its lines in a configuration. */
import { describe, expect, it } from "vitest";
import { DeviceBench } from "../../../../../helpers/engine/device-bench.ts";
import { addRouter, say } from "../rip/chain.ts";

function makeRouter(properties: object = {}): DeviceBench {
  const bench = new DeviceBench();
  addRouter(bench, 0, { ports: [{ ipv4: "10.0.0.1/24" }, { ipv4: "10.1.0.1/24" }], ...properties }).start();
  return bench;
}

const TYPED = [
  "configure terminal",
  "bfd",
  "profile fast",
  "detect-multiplier 4",
  "transmit-interval 50",
  "receive-interval 60",
  "passive-mode",
  "exit",
  "peer 10.0.0.2 interface Ethernet0",
  "profile fast",
  "shutdown",
  "peer 10.9.0.2 multihop local-address 10.0.0.1",
  "minimum-ttl 250",
  "end",
];
const LINES = [
  "bfd",
  " profile fast",
  "  detect-multiplier 4",
  "  receive-interval 60",
  "  transmit-interval 50",
  "  passive-mode",
  " exit",
  " !",
  " peer 10.0.0.2 interface Ethernet0",
  "  profile fast",
  "  shutdown",
  " exit",
  " !",
  " peer 10.9.0.2 multihop local-address 10.0.0.1",
  "  minimum-ttl 250",
  " exit",
  " !",
  "exit",
];

const blockOf = (bench: DeviceBench): string[] => {
  const lines = say(bench, "R1", "show running-config");
  return lines.slice(lines.indexOf("bfd"), lines.indexOf("exit", lines.indexOf("bfd")) + 1);
};

describe("the modes of BFD", () => {
  it("have the lines of FRR, which show running-config prints", () => {
    const bench = makeRouter();
    bench.type("R1", ...TYPED);
    expect(blockOf(bench)).toEqual(LINES);
  });

  it("make the same of what was printed, as a text and typed", () => {
    const typed = makeRouter();
    typed.type("R1", "configure", ...LINES, "end");
    expect(blockOf(typed)).toEqual(LINES);
    const read = makeRouter({ config: LINES.join("\n") });
    expect(blockOf(read)).toEqual(LINES);
  });

  it("take lines back", () => {
    const bench = makeRouter();
    bench.type(
      "R1",
      ...TYPED,
      "configure",
      "bfd",
      "profile fast",
      "no passive-mode",
      "no detect-multiplier",
      "exit",
    );
    bench.type(
      "R1",
      "no peer 10.0.0.2 interface Ethernet0",
      "peer 10.9.0.2 multihop local-address 10.0.0.1",
      "no minimum-ttl",
      "end",
    );
    expect(blockOf(bench)).toEqual([
      "bfd",
      " profile fast",
      "  receive-interval 60",
      "  transmit-interval 50",
      " exit",
      " !",
      " peer 10.9.0.2 multihop local-address 10.0.0.1",
      " exit",
      " !",
      "exit",
    ]);
    bench.type("R1", "configure", "bfd", "no profile fast", "end", "configure", "no bfd", "end");
    expect(say(bench, "R1", "show running-config")).not.toContain("bfd");
  });

  it.each([
    ["peer 10.0.0.2 multihop", "multihop session needs its local_address"],
    ["peer 10.0.0.2 multihop local-address 10.0.0.1 interface Ethernet0", "has no interface"],
    ["peer 10.0.0.2 local-address 2001:db8::1", "of another family"],
    ["peer 10.0.0.2 interface eth9", "the name of a port"],
    ["peer 10.0.0.300", "an IPv4 or IPv6 address"],
    ["peer 10.0.0.2 local-address", "% Command incomplete"],
    ["peer 10.0.0.2 somewhere", "% Unknown command"],
    ["no peer 10.0.0.7", "There is no such line"],
    ["no profile slow", "There is no such line"],
  ])("refuse %s", (line, why) => {
    const bench = makeRouter();
    expect(bench.type("R1", "configure", "bfd", line)).toContain(why);
    bench.type("R1", "end");
    expect(blockOf(bench)).toEqual(["bfd", "exit"]);
  });

  it("refuse values that no session has", () => {
    const bench = makeRouter();
    bench.type("R1", "configure", "bfd", "peer 10.0.0.2");
    expect(bench.type("R1", "detect-multiplier 256")).toContain("1 to 255");
    expect(bench.type("R1", "transmit-interval 5")).toContain("10 to 60000");
    expect(bench.type("R1", "transmit-interval")).toContain("Usage: transmit-interval MILLISECONDS");
  });

  it("name what is not there in a text", () => {
    const text = ["bfd", " peer 10.0.0.2", "  echo-mode", "  detect-multiplier 5", " exit", "exit"].join(
      "\n",
    );
    expect(() => makeRouter({ config: text })).toThrow(
      /line 3.*.*echo-mode.* is not there: the echo function/,
    );
  });
});
