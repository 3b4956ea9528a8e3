/** What a router reports to servers, and the settings of it. */

import { formatRouterProperties, parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { BROADCAST_MAC } from "@wirelab/engine/wire/mac";
import { decodeUdp, encodeUdp4 } from "@wirelab/engine/wire/udp";
import { describe, expect, it } from "vitest";
import { formatTimestamp } from "../../../../../../packages/engine/devices/router/services/syslog/timestamp.ts";
import { encodeDhcp } from "../../../../../../packages/engine/wire/dhcp.ts";
import { type Bed, bytes, ip, MAC_A, makeBed, ROUTER_MAC, say } from "../probe.ts";

const PORTS = [
  { ipv4: "10.0.1.1/24", dhcp: { first: "10.0.1.100", last: "10.0.1.110" } },
  { ipv4: "10.0.2.1/24" },
  { ipv4: "10.0.3.1/24" },
];
const SYSLOG = { servers: ["10.0.2.10"] };
const makeLogBed = (syslog: object = {}, others: object = {}): Bed =>
  makeBed({ ports: PORTS, syslog: { ...SYSLOG, ...syslog }, ...others });

/** The messages that the server, B, has received. */
function messages(bed: Bed): string[] {
  bed.bench.run();
  return bed.b.packets4.flatMap(({ header, payload }) => {
    const udp = header.protocol === 17 ? decodeUdp(payload) : null;
    return udp?.targetPort === 514 ? [new TextDecoder().decode(udp.data)] : [];
  });
}

describe("syslog", () => {
  it("reports ports that go down and up, in the form of RFC 5424", () => {
    const bed = makeLogBed();
    bed.router.linkChanged(2, false);
    bed.bench.run(1_500_000);
    bed.router.linkChanged(2, true);
    expect(messages(bed)).toEqual([
      "<189>1 2026-01-01T00:00:00.000000Z R1 router - LINK_DOWN - Ethernet2 is down",
      "<189>1 2026-01-01T00:00:01.500000Z R1 router - LINK_UP - Ethernet2 is up",
    ]);
  });

  it("reports a port that is shut down at the console", () => {
    const bed = makeLogBed();
    say(bed, "shutdown Ethernet2");
    expect(messages(bed)).toEqual([expect.stringMatching(/LINK_DOWN - Ethernet2 is down$/)]);
  });

  it("reports a lease", () => {
    const bed = makeLogBed();
    const [source, target] = [0, ip("255.255.255.255")];
    const request = {
      ...{ op: 1, xid: 1, secs: 0, flags: 0, clientIp: 0, yourIp: 0, serverIp: 0, relayIp: 0 },
      clientMac: MAC_A,
      options: [
        [53, Uint8Array.of(3)],
        [50, Uint8Array.of(10, 0, 1, 105)],
        [54, Uint8Array.of(10, 0, 1, 1)],
      ] as const,
    };
    const udp = encodeUdp4(source, target, { sourcePort: 68, targetPort: 67, data: encodeDhcp(request) });
    bed.a.send4(BROADCAST_MAC, { source, target, protocol: 17 }, udp);
    expect(messages(bed)).toEqual([
      expect.stringMatching(/^<190>1 .* DHCP_LEASE - 10\.0\.1\.105 to 02:00:00:00:00:0a for 3600 s$/),
    ]);
  });

  it("reports packets that a rule logs, and no report about a report", () => {
    const acls = [
      { name: "in", rules: ["deny icmp any any log", "permit ip any any"] },
      { name: "out", rules: ["permit ip any any log"] },
    ];
    const [one, two, three] = PORTS;
    const ports = [{ ...one, acl_in: "in" }, { ...two, acl_out: "out" }, three];
    const bed = makeBed({ ports, syslog: SYSLOG, acls });
    bed.a.send4(ROUTER_MAC, { target: ip("10.0.2.10"), protocol: 1 }, bytes(8));
    expect(messages(bed)).toEqual([
      expect.stringMatching(/^<190>1 .* ACCESS_LIST - list in rule 10 denied in Ethernet0: /),
    ]);
  });

  it("sends with its facility, and only what is severe enough", () => {
    const bed = makeLogBed({ facility: 1, severity: 5 });
    bed.router.linkChanged(2, false);
    expect(messages(bed)).toEqual([expect.stringMatching(/^<13>1 /)]);
    const quiet = makeLogBed({ severity: 4 });
    quiet.router.linkChanged(2, false);
    expect(messages(quiet)).toEqual([]);
  });

  it("sends nothing after no syslog, and keeps nothing in the state", () => {
    const bed = makeLogBed();
    expect(bed.router.saveState()).not.toHaveProperty("services");
    say(bed, "no syslog");
    bed.router.linkChanged(2, false);
    expect(messages(bed)).toEqual([]);
  });
});

describe("the settings of syslog", () => {
  it("have defaults", () => {
    const parsed = parseRouterProperties({ syslog: {} });
    expect(parsed.ok && formatRouterProperties(parsed.config).syslog).toEqual({
      servers: [],
      facility: 23,
      severity: 6,
    });
  });

  it.each<[unknown, string]>([
    [[], "syslog: must be an object"],
    [{ server: 1 }, "syslog.server: is not a known property; known are servers, facility, severity"],
    [{ servers: "10.0.2.10" }, "syslog.servers: must be an array"],
    [{ servers: new Array(5).fill("10.0.2.10") }, "syslog.servers: must have 0 to 4 items, not 5"],
    [{ servers: ["x"] }, 'syslog.servers.0: "x" is not an IPv4 address'],
    [{ facility: 24 }, "syslog.facility: must be 0 to 23, not 24"],
    [{ severity: 8 }, "syslog.severity: must be 0 to 7, not 8"],
  ])("are rejected if they are %j", (syslog, problem) => {
    const parsed = parseRouterProperties({ syslog });
    expect(!parsed.ok && parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`)).toEqual(
      [problem],
    );
  });

  it("are shown as commands, which give the same configuration when they are pasted", () => {
    const given = makeLogBed({ facility: 1, severity: 7 });
    const shown = say(given, "show run").filter((line) => line.startsWith("syslog"));
    expect(shown).toEqual(["syslog", "syslog facility 1", "syslog severity 7", "syslog server 10.0.2.10"]);
    const pasted = makeBed({ ports: PORTS });
    for (const line of shown) expect(say(pasted, line)).toEqual([]);
    expect(pasted.router.saveState().running).toEqual(given.router.saveState().running);
    expect(say(given, "show syslog")).toEqual([
      "Servers: 10.0.2.10",
      "Facility: 1; severity: 7 and more severe",
    ]);
    expect(say(pasted, "no syslog server 10.0.2.10")).toEqual([]);
    expect(say(pasted, "show syslog")[0]).toBe("Servers: none");
  });

  it.each([
    ["syslog server", /^Usage: syslog server ADDR/],
    ["syslog server a b", /^Usage/],
    ["syslog level 1", /^Usage/],
    ["syslog severity x", /^Usage/],
    ["syslog server x", /^"x" is not an IPv4 address/],
    ["no syslog", /^Syslog is not configured/],
    ["show syslog", /^Syslog is not configured/],
  ])("%s is an error", (line, wanted) => {
    const bed = makeBed({ ports: PORTS });
    expect(say(bed, line).join("\n")).toMatch(wanted);
    expect(bed.router.saveState().running).not.toHaveProperty("syslog");
  });

  it("no syslog server of one that is not configured is an error", () => {
    expect(say(makeLogBed(), "no syslog server 10.0.2.11")[0]).toBe(
      "There is no such line: syslog server 10.0.2.11",
    );
  });
});

it("a timestamp is that of the calendar", () => {
  for (let us = 0; us < 4_102_444_800_000_000; us += 86_400_000_000 * 17 + 12_345_678_901) {
    const wanted = `${new Date(Math.floor(us / 1_000)).toISOString().slice(0, -1)}${String(us % 1_000).padStart(3, "0")}Z`;
    expect(formatTimestamp(us)).toBe(wanted);
  }
});
