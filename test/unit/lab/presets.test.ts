/** Each preset of impairments carries TCP. */
import { PRESETS } from "@wirelab/engine/link/impairments/settings/presets";
import { describe, expect, test } from "vitest";
import { verdicts } from "./helpers.ts";

/** The slowest preset sends 300,000 bytes in 7.5 s. */
const BOTH_WAYS = `
  - {throughput: a -> b, is: "> 200kbit", at: 50s}
  - {throughput: b -> a, is: "> 200kbit", at: 100s}
`;
const DIRECT = (preset: string): string => `
  nodes:
    a: {type: server, ip: [10.0.0.1/24, "2001:db8::1/64"]}
    b: {type: server, ip: [10.0.0.2/24, "2001:db8::2/64"]}
  links: [{link: a -- b, impairments: ${preset}}]
`;
const ROUTED = (preset: string): string => `
  nodes:
    a: {type: server, ip: [10.0.0.1/24, "2001:db8::1/64"], gateway: [10.0.0.9, "2001:db8::9"]}
    b: {type: server, ip: [10.0.1.2/24, "2001:db8:1::2/64"], gateway: [10.0.1.9, "2001:db8:1::9"]}
    r1: {type: router, ports: [{ipv4: 10.0.0.9/24, ipv6: "2001:db8::9/64"}, {ipv4: 10.0.9.1/30, ipv6: "2001:db8:9::1/64"}], routes: {10.0.1.0/24: 10.0.9.2, "2001:db8:1::/64": "2001:db8:9::2"}}
    r2: {type: router, ports: [{ipv4: 10.0.1.9/24, ipv6: "2001:db8:1::9/64"}, {ipv4: 10.0.9.2/30, ipv6: "2001:db8:9::2/64"}], routes: {10.0.0.0/24: 10.0.9.1, "2001:db8::/64": "2001:db8:9::1"}}
  links: [a -- r1:0, b -- r2:0, {link: "r1:1 -- r2:1", impairments: ${preset}}]
`;

/** The verdicts on two transfers, of the other address family if the addresses are. */
function transfer(topology: string, toB: string, toA: string): string[] {
  const run = `
  run:
    - {at: 1s, console: {a: "send ${toB} -n 300k"}}
    - {at: 51s, console: {b: "send ${toA} -n 300k"}}
`;
  return verdicts(topology + run, BOTH_WAYS).map(({ status, got }) => (status === "passed" ? status : got));
}

describe.each(Object.keys(PRESETS))("the preset %s", (preset) => {
  test("carries transfers between servers at its ends", () => {
    expect(transfer(DIRECT(preset), "10.0.0.2", "10.0.0.1")).toEqual(["passed", "passed"]);
    expect(transfer(DIRECT(preset), "2001:db8::2", "2001:db8::1")).toEqual(["passed", "passed"]);
  });
});

test("a preset with an MTU carries transfers between servers behind routers", () => {
  expect(transfer(ROUTED("lossy-vpn"), "10.0.1.2", "10.0.0.1")).toEqual(["passed", "passed"]);
  expect(transfer(ROUTED("lossy-vpn"), "2001:db8:1::2", "2001:db8::1")).toEqual(["passed", "passed"]);
});
