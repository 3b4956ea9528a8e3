/** The settings of the DNS server as properties, as commands, and as the lines that show them. */
import { formatRouterProperties, parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import { makeBed, say } from "../probe.ts";

const PORTS = [{ ipv4: "10.0.1.1/24", ipv6: "2001:db8::1/64" }, {}];
const ALL = {
  hosts: { "a.example.net": ["10.0.1.9", "2001:db8::9"], "b.example.net": ["10.0.1.10"] },
  aliases: { "c.example.net": "a.example.net" },
  zones: ["example.net"],
  servers: ["10.0.1.53", "2001:db8::53"],
  ttl_seconds: 60,
};

function problems(dns: unknown): string[] {
  const parsed = parseRouterProperties({ ports: PORTS, dns });
  if (parsed.ok) throw new Error("expected problems");
  return parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
}
const names = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, "10.0.1.9"]));

describe("the property dns", () => {
  it("has defaults for everything", () => {
    const parsed = parseRouterProperties({ dns: {} });
    expect(parsed.ok && formatRouterProperties(parsed.config).dns).toEqual({
      hosts: {},
      aliases: {},
      zones: [],
      servers: [],
      ttl_seconds: 300,
    });
  });

  it("is formatted with names in lower case and in order, so that it does not depend on the order of keys", () => {
    const { hosts } = ALL;
    const given = {
      ...ALL,
      hosts: { "B.Example.Net.": "10.0.1.10", "A.example.net": hosts["a.example.net"] },
    };
    const parsed = parseRouterProperties({ ports: PORTS, dns: given });
    expect(parsed.ok && JSON.stringify(formatRouterProperties(parsed.config).dns)).toBe(JSON.stringify(ALL));
  });

  it.each<[unknown, string]>([
    [[], "dns: must be an object"],
    [
      { host: {} },
      "dns.host: is not a known property; known are hosts, aliases, zones, servers, ttl_seconds",
    ],
    [{ hosts: [] }, "dns.hosts: must be an object"],
    [{ hosts: names(257) }, "dns.hosts: must have 0 to 256 names, not 257"],
    [{ hosts: { "a..b": "10.0.1.9" } }, 'dns.hosts.a..b: "a..b" is not a domain name'],
    [
      { hosts: { [`${"a".repeat(64)}.net`]: "10.0.1.9" } },
      expect.stringContaining("is not a domain name") as never,
    ],
    [{ hosts: { a: "10.0.1.256" } }, 'dns.hosts.a: "10.0.1.256" is not an IPv4 or IPv6 address'],
    [{ hosts: { a: [] } }, "dns.hosts.a: must have 1 to 8 items, not 0"],
    [{ hosts: { a: ["x"] } }, 'dns.hosts.a.0: "x" is not an IPv4 or IPv6 address'],
    [{ hosts: { a: "10.0.1.9", A: "10.0.1.9" } }, "dns.hosts.A: a is in the list already"],
    [{ aliases: { a: 1 } }, "dns.aliases.a: must be a string"],
    [
      { hosts: { a: "10.0.1.9" }, aliases: { a: "b" } },
      "dns.aliases.a: a is a host, too: an alias has no addresses",
    ],
    [{ aliases: { a: "a" } }, "dns.aliases.a: a leads through more than 8 aliases, or back to itself"],
    [{ zones: ["-"] }, 'dns.zones.0: "-" is not a domain name'],
    [{ zones: ["a", "A."] }, "dns.zones.1: a is in the list already"],
    [{ zones: new Array(17).fill("a") }, "dns.zones: must have 0 to 16 items, not 17"],
    [{ servers: "10.0.1.53" }, "dns.servers: must be an array"],
    [{ servers: ["x"] }, 'dns.servers.0: "x" is not an IPv4 or IPv6 address'],
    [{ servers: ["10.0.1.1"] }, "dns.servers.0: 10.0.1.1 is the router's own address"],
    [{ servers: ["2001:db8::1"] }, "dns.servers.0: 2001:db8::1 is the router's own address"],
    [{ ttl_seconds: 86_401 }, "dns.ttl_seconds: must be 0 to 86400, not 86401"],
  ])("is rejected if it is %j", (dns, problem) => {
    expect(problems(dns)).toEqual([problem]);
  });
});

describe("the commands of DNS", () => {
  it("are shown, and give the same configuration when they are pasted", () => {
    const given = makeBed({ ports: PORTS, dns: ALL });
    const shown = say(given, "show running-config").filter((line) => line.startsWith("dns"));
    expect(shown).toEqual([
      "dns",
      "dns ttl 60",
      "dns server 10.0.1.53",
      "dns server 2001:db8::53",
      "dns zone example.net",
      "dns host a.example.net 10.0.1.9 2001:db8::9",
      "dns host b.example.net 10.0.1.10",
      "dns alias c.example.net a.example.net",
    ]);
    const pasted = makeBed({ ports: PORTS });
    for (const line of shown) expect(say(pasted, line)).toEqual([]);
    expect(pasted.router.saveState().running).toEqual(given.router.saveState().running);
    expect(say(given, "show dns")).toEqual([
      "Names: 2 hosts, 1 aliases, live 60 s",
      "Zones: example.net",
      "Servers: 10.0.1.53 2001:db8::53",
      "No answers of other servers",
    ]);
    for (const line of shown.toReversed()) {
      const words = line.startsWith("dns ttl") ? "dns ttl" : line;
      expect(say(pasted, `no ${words}`)).toEqual([]);
    }
    expect(pasted.router.saveState().running).not.toHaveProperty("dns");
  });

  it.each([
    ["dns nosuch", /^Usage: dns host NAME ADDR/],
    ["dns host a", /^Usage/],
    ["dns alias a", /^Usage/],
    ["dns alias a b c", /^Usage/],
    ["dns zone", /^Usage/],
    ["dns server a b", /^Usage/],
    ["dns ttl x", /^Usage/],
    ["dns server x", /^"x" is not an IPv4 or IPv6 address$/],
    ["no dns", /^DNS is not configured$/],
    ["show dns", /^DNS is not configured$/],
    ["clear dns", /^$/],
  ])("%s is an error, or does nothing", (line, wanted) => {
    const bed = makeBed({ ports: PORTS });
    expect(say(bed, line).join("\n")).toMatch(wanted);
    expect(bed.router.saveState().running).not.toHaveProperty("dns");
  });

  it.each(["host a", "alias a", "zone a", "server 10.0.1.9", "ttl 5", "nosuch"])(
    "no dns %s is an error if there is no such line",
    (words) => {
      expect(say(makeBed({ ports: PORTS, dns: {} }), `no dns ${words}`)).toEqual([
        `There is no such line: dns ${words}`,
      ]);
    },
  );
});
