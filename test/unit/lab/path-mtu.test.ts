/** What servers know of the paths to their peers. */

import { play } from "@wirelab/lab/play/play";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { describe, expect, test } from "vitest";
import { report, yaml } from "./helpers.ts";

const PATH = yaml(`
  nodes:
    a: {type: server, ip: [10.0.1.2/24, "2001:db8:1::2/64"], gateway: [10.0.1.1, "2001:db8:1::1"]}
    b: {type: server, ip: [10.0.2.2/24, "2001:db8:2::2/64"], gateway: [10.0.2.1, "2001:db8:2::1"]}
    r1: {type: router, ports: [{ipv4: 10.0.1.1/24, ipv6: "2001:db8:1::1/64"}, {ipv4: 192.168.0.1/30, ipv6: "2001:db8:9::1/64", mtu: 1400}], routes: {10.0.2.0/24: 192.168.0.2, "2001:db8:2::/64": "2001:db8:9::2"}}
    r2: {type: router, ports: [{ipv4: 10.0.2.1/24, ipv6: "2001:db8:2::1/64"}, {ipv4: 192.168.0.2/30, ipv6: "2001:db8:9::2/64", mtu: 1400}], routes: {10.0.1.0/24: 192.168.0.1, "2001:db8:1::/64": "2001:db8:9::1"}}
  links: [{link: "a -- r1:0", name: first}, "r1:1 -- r2:1", b -- r2:0]
`);
const TOO_BIG = "icmp[0] = 3 and icmp[1] = 4";

/** The number of packets on the first link that match. */
function count(expression: string, run: string): number {
  const { verdicts } = report(
    `${PATH}run: [${run}]\nexpect: [{count: "${expression}", link: first, is: 0}]\n`,
  );
  return Number(/^[0-9]+/.exec(verdicts[0]!.got)![0]);
}
const printed = (run: string): string =>
  report(`${PATH}run: [${run}]\n`)
    .transcripts.map(({ output }) => output)
    .join("");

describe("the path MTU of a server", () => {
  test("is kept for the next connection, for ten minutes", () => {
    const first = count(TOO_BIG, "{at: 1s, console: {a: send 10.0.2.2 -n 100k}}");
    expect(first).toBeGreaterThan(0);
    const soon =
      "{at: 1s, console: {a: send 10.0.2.2 -n 100k}}, {at: 590s, console: {a: send 10.0.2.2 -n 100k}}";
    expect(count(TOO_BIG, soon)).toBe(first);
    expect(count(TOO_BIG, soon.replace("590s", "610s"))).toBeGreaterThan(first);
  });

  test("is kept for IPv6 as well", () => {
    const send = "send 2001:db8:2::2 -n 100k";
    const first = count("icmp6[0] = 2", `{at: 1s, console: {a: ${send}}}`);
    expect(first).toBeGreaterThan(0);
    expect(count("icmp6[0] = 2", `{at: 1s, console: {a: [${send}, ${send}]}}`)).toBe(first);
  });

  test("is that of its ping: a large one is cut into fragments, or refused with -D", () => {
    const learn = "ping 10.0.2.2 -s 1400 -D -c 1";
    expect(printed(`{at: 1s, console: {a: [${learn}, ${learn}]}}`)).toContain(
      "seq=1 too big for the path, MTU 1400",
    );
    // Four fragments, of two requests and their answers, are at most as large as the path takes.
    const run = `{at: 1s, console: {a: [${learn}, ping 10.0.2.2 -s 1400 -c 1]}}`;
    expect(printed(run)).toContain("1 sent, 1 received");
    expect(count("src 10.0.1.2 and ip[6:2] & 0x3fff != 0", run)).toBe(2);
  });

  test("is part of its state", () => {
    const model = parseLabFile(`${PATH}run: [{at: 1s, console: {a: send 10.0.2.2 -n 100k}}]\n`, {
      name: "x",
    });
    const { device } = play(model).stateAt(undefined).nodes.get("a")!.state!;
    expect(device).toMatchObject({ pathMtus: [{ target: 0x0a00_0202, mtuBytes: 1_400 }] });
  });
});

test("a server has one TTL for all its packets", () => {
  const run = "{at: 1s, console: {a: [ping 10.0.2.2 -c 1, send 10.0.2.2 -n 1k], b: ping 10.0.1.2 -c 1}}";
  expect(count("src 10.0.1.2", run)).toBeGreaterThan(4);
  expect(count("src 10.0.1.2 and ip[8] != 64", run)).toBe(0);
});
