import {
  formatRouterProperties,
  parseRouterProperties,
  type RouterConfig,
} from "@wirelab/engine/devices/router/index";
import { formatIpv4 } from "@wirelab/engine/wire/ipv4-address";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const config = (input: unknown): RouterConfig => {
  const parsed = parseRouterProperties(input);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.config;
};

/** `path: message` of each problem. */
const problems = (input: unknown): string[] => {
  const parsed = parseRouterProperties(input);
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
};

const FULL = {
  ports: [
    {
      name: "lan",
      ipv4: "10.0.1.1/24",
      ipv6: "2001:DB8:1:0::1/64",
      mtu: 1400,
      dhcp: { first: "10.0.1.100", last: "10.0.1.199", lease_seconds: 60, dns: ["1.1.1.1"], domain: "lab" },
      ra: false,
    },
    { ipv4: "10.0.2.1/31" },
  ],
  routes: [
    { to: "0.0.0.0/0", via: "10.0.2.0" },
    { to: "::/0", via: "2001:db8:1::2" },
  ],
};

describe("the properties of a router", () => {
  it("are four ports without addresses by default", () => {
    const port = { mtuBytes: 1_500, ra: true };
    const ports = ["Ethernet0", "Ethernet1", "Ethernet2", "Ethernet3"].map((name) => ({ name, ...port }));
    expect(config({})).toEqual({ ports, routes: [] });
    expect(config(undefined)).toEqual({ ports, routes: [] });
  });

  it("become a configuration with defaults and normalized addresses", () => {
    expect(config(FULL)).toEqual({
      ports: [
        {
          name: "lan",
          ipv4: "10.0.1.1/24",
          ipv6: "2001:db8:1::1/64",
          mtuBytes: 1_400,
          dhcp: {
            first: "10.0.1.100",
            last: "10.0.1.199",
            leaseSeconds: 60,
            dns: ["1.1.1.1"],
            domain: "lab",
          },
          ra: false,
        },
        { name: "Ethernet1", ipv4: "10.0.2.1/31", mtuBytes: 1_500, ra: true },
      ],
      routes: FULL.routes,
    });
  });

  it.each([
    [null, ": must be an object"],
    [[], ": must be an object"],
    [
      { port: [] },
      "port: is not a known property; known are ports, interfaces, routes, rip, dns, dhcp_relay, dhcp_pools, dhcpv6, syslog, flows, acls, connections, nat, pbr_maps, ospf, route_lists, route_maps, bgp, bfd, config, unsupported",
    ],
    [{ ports: {} }, "ports: must be an array"],
    [{ ports: [] }, "ports: must have 1 to 64 items, not 0"],
    [{ ports: new Array(65).fill({}) }, "ports: must have 1 to 64 items, not 65"],
    [{ ports: [7] }, "ports.0: must be an object"],
    [{ ports: [{ name: 7 }] }, "ports.0.name: must be a string"],
    [{ ports: [{ mtu: "1500" }] }, "ports.0.mtu: must be an integer"],
    [{ ports: [{ mtu: 67 }] }, "ports.0.mtu: must be 68 to 9216, not 67"],
    [{ ports: [{ ra: 1 }] }, "ports.0.ra: must be true or false"],
    [{ ports: [{ ipv4: null }] }, "ports.0.ipv4: must be a string"],
    [{ ports: [{ name: "a b" }] }, 'ports.0.name: "a b" is not a name of a port (letters, digits, / . _ -)'],
    [
      { ports: [{ ipv4: "10.0.0.1" }] },
      'ports.0.ipv4: "10.0.0.1" is not an IPv4 address with prefix length (10.0.1.1/24)',
    ],
    [
      { ports: [{ ipv4: "10.0.0.1/33" }] },
      'ports.0.ipv4: "10.0.0.1/33" is not an IPv4 address with prefix length (10.0.1.1/24)',
    ],
    [
      { ports: [{ ipv6: "10.0.0.1/24" }] },
      'ports.0.ipv6: "10.0.0.1/24" is not an IPv6 address with prefix length (2001:db8::1/64)',
    ],
    [{ ports: [{ ipv4: "10.0.0.0/24" }] }, "ports.0.ipv4: 10.0.0.0 is the network address of 10.0.0.0/24"],
    [
      { ports: [{ ipv4: "10.0.0.255/24" }] },
      "ports.0.ipv4: 10.0.0.255 is the broadcast address of 10.0.0.0/24",
    ],
    [{ ports: [{ ipv4: "127.0.0.1/8" }] }, "ports.0.ipv4: 127.0.0.1 is a loopback address"],
    [{ ports: [{ ipv4: "224.0.0.9/24" }] }, "ports.0.ipv4: 224.0.0.9 is a multicast address"],
    [
      { ports: [{ ipv4: "169.254.0.9/24" }] },
      "ports.0.ipv4: 169.254.0.9 is a link-local address, which is not routed",
    ],
    [{ ports: [{ ipv4: "10.0.0.1/0" }] }, "ports.0.ipv4: 10.0.0.1/0 is no subnet"],
    [
      { ports: [{ ipv6: "2001:db8::/64" }] },
      "ports.0.ipv6: 2001:db8:: is the network address of 2001:db8::/64",
    ],
    [
      { ports: [{ ipv6: "fe80::1/64" }] },
      "ports.0.ipv6: fe80::1 is a link-local address; the port makes its own",
    ],
    [{ ports: [{ ipv6: "ff02::1/64" }] }, "ports.0.ipv6: ff02::1 is a multicast address"],
    [{ ports: [{ ipv6: "::1/128" }] }, "ports.0.ipv6: ::1 is the loopback address"],
    [
      { ports: [{ ipv6: "2001:db8::1/64", mtu: 1_279 }] },
      "ports.0.mtu: an MTU of 1279 is too small for IPv6: 1280 or more",
    ],
    [
      { ports: [{ ipv4: "10.0.1.1/24" }, { ipv4: "10.0.0.1/16" }] },
      "ports.1.ipv4: the subnet of 10.0.0.1/16 overlaps that of port 0, 10.0.1.1/24",
    ],
    [
      { ports: [{ ipv6: "2001:db8::1/32" }, { ipv6: "2001:db8:1::1/64" }] },
      "ports.1.ipv6: the subnet of 2001:db8:1::1/64 overlaps that of port 0, 2001:db8::1/32",
    ],
    [{ ports: [{ name: "ETHERNET1" }, {}] }, "ports.1.name: Ethernet1 is also the name of port 0"],
  ])("are rejected if they are %j", (input, problem) => {
    expect(problems(input)).toEqual([problem]);
  });

  const pool = (dhcp: unknown) => ({ ports: [{ ipv4: "10.0.1.50/24", dhcp }] });
  const range = { first: "10.0.1.100", last: "10.0.1.199" };

  it.each([
    [{ ports: [{ dhcp: range }] }, "ports.0.dhcp: DHCP needs an IPv4 address on the same port"],
    [pool([]), "ports.0.dhcp: must be an object"],
    [pool({ last: "10.0.1.199" }), "ports.0.dhcp.first: must be a string"],
    [
      pool({ ...range, lease: 3 }),
      "ports.0.dhcp.lease: is not a known property; known are first, last, lease_seconds, dns, domain, reservations",
    ],
    [pool({ ...range, lease_seconds: 9 }), "ports.0.dhcp.lease_seconds: must be 10 to 31536000, not 9"],
    [pool({ ...range, dns: ["x"] }), 'ports.0.dhcp.dns.0: "x" is not an IPv4 address'],
    [
      pool({ ...range, dns: new Array(5).fill("1.1.1.1") }),
      "ports.0.dhcp.dns: must have 0 to 4 items, not 5",
    ],
    [pool({ ...range, domain: "a..b" }), 'ports.0.dhcp.domain: "a..b" is not a domain name'],
    [
      pool({ first: "10.0.0.9", last: "10.0.1.9" }),
      "ports.0.dhcp.first: 10.0.0.9 is not in the port's subnet 10.0.1.50/24",
    ],
    [
      pool({ first: "10.0.1.200", last: "10.0.1.255" }),
      "ports.0.dhcp.last: 10.0.1.255 is the broadcast address of 10.0.1.0/24",
    ],
    [
      pool({ first: "10.0.1.20", last: "10.0.1.10" }),
      "ports.0.dhcp.last: the pool ends at 10.0.1.10, before 10.0.1.20",
    ],
    [
      pool({ first: "10.0.1.20", last: "10.0.1.60" }),
      "ports.0.dhcp: the pool contains the port's own address 10.0.1.50",
    ],
  ])("have a pool of addresses that hosts can have, unlike %j", (input, problem) => {
    expect(problems(input)).toEqual([problem]);
  });

  const route = (to: unknown, via: unknown) => ({
    ports: [{ ipv4: "10.0.1.1/24", ipv6: "2001:db8::1/64" }],
    routes: [{ to, via }],
  });

  it.each([
    [{ routes: {} }, "routes: must be an array"],
    [{ routes: [1] }, "routes.0: must be an object"],
    [route("x", "10.0.1.2"), 'routes.0.to: "x" is not a prefix (10.9.0.0/16 or 2001:db8::/32)'],
    [route("10.9.0.0/16", "x"), 'routes.0.via: "x" is not an IPv4 or IPv6 address, blackhole or unreachable'],
    [
      route("10.9.1.0/16", "10.0.1.2"),
      "routes.0.to: 10.9.1.0/16 has bits set after its prefix; the network is 10.9.0.0/16",
    ],
    [
      route("2001:db8:9::1/48", "2001:db8::2"),
      "routes.0.to: 2001:db8:9::1/48 has bits set after its prefix; the network is 2001:db8:9::/48",
    ],
    [route("10.0.1.0/24", "10.0.1.2"), "routes.0.to: 10.0.1.0/24 is the subnet of port 0"],
    [route("::/0", "10.0.1.2"), "routes.0.via: ::/0 and 10.0.1.2 are of different families"],
    [route("0.0.0.0/0", "10.0.2.2"), "routes.0.via: the gateway 10.0.2.2 is not on the subnet of any port"],
    [route("0.0.0.0/0", "10.0.1.1"), "routes.0.via: the gateway 10.0.1.1 is the router's own address"],
    [route("0.0.0.0/0", "10.0.1.255"), "routes.0.via: 10.0.1.255 is the broadcast address of 10.0.1.0/24"],
    [
      route("::/0", "fe80::2"),
      "routes.0.via: fe80::2 is a link-local address: name a gateway by its global one",
    ],
  ])("have routes through neighbours, unlike %j", (input, problem) => {
    expect(problems(input)).toEqual([problem]);
  });

  it("have several routes to one network, each once", () => {
    const { ports } = route("", "");
    const routes = [
      { to: "10.9.0.0/16", via: "10.0.1.2" },
      { to: "10.9.0.0/16", via: "10.0.1.3" },
      { to: "10.9.0.0/16", via: "10.0.1.2" },
    ];
    expect(problems({ ports, routes })).toEqual(["routes.2.to: there is this route to 10.9.0.0/16 already"]);
  });

  it("are reported with all their problems at once, without consequential ones", () => {
    const input = {
      ports: [{ ipv4: "10.0.1", dhcp: range, speed: 1 }, { mtu: 1 }],
      routes: [{ to: "10.9.0.0/16", via: "10.0.1.2" }, { to: "0.0.0.0/0" }],
      name: "R1",
    };
    expect(problems(input).map((problem) => problem.split(":")[0])).toEqual([
      "name",
      "ports.0.speed",
      "ports.0.ipv4",
      "ports.1.mtu",
      "routes.1.via",
    ]);
  });

  it("are the same after formatting and parsing", () => {
    const port = fc.record(
      {
        ipv6: fc.constant(undefined),
        mtu: fc.integer({ min: 1_280, max: 9_216 }),
        ra: fc.boolean(),
        host: fc.integer({ min: 1, max: 254 }),
        lease_seconds: fc.integer({ min: 10, max: 31_536_000 }),
      },
      { requiredKeys: ["host"] },
    );
    fc.assert(
      fc.property(fc.array(port, { minLength: 1, maxLength: 64 }), (drawn) => {
        const ports = drawn.map(({ host, lease_seconds, ipv6: _, ...rest }, index) => ({
          ...rest,
          ipv4: `10.1.${index}.${host}/24`,
          ipv6: `2001:db8:${index.toString(16)}::${host.toString(16)}/64`,
          ...(lease_seconds !== undefined && {
            dhcp: poolBeside(index, host, lease_seconds),
          }),
        }));
        const first = config({ ports });
        expect(config(formatRouterProperties(first))).toEqual(first);
        expect(JSON.parse(JSON.stringify(first))).toEqual(first);
      }),
    );
  });

  const poolBeside = (net: number, host: number, lease_seconds: number) => {
    const base = 0x0a01_0000 + net * 256;
    const [first, last] = host > 127 ? [base + 1, base + host - 1] : [base + host + 1, base + 254];
    return { first: formatIpv4(first), last: formatIpv4(last), lease_seconds };
  };

  it("are rejected without an exception for any input", () => {
    const keys = fc.constantFrom(
      "ports",
      "routes",
      "ipv4",
      "ipv6",
      "dhcp",
      "to",
      "via",
      "first",
      "__proto__",
    );
    const leaf = fc.oneof(
      fc.constantFrom("10.0.0.1/24", "10.0.0.0/8", "::/0", "fe80::1", "10.0.0.7", "2001:db8::1/64"),
      fc.anything(),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        leaf,
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(keys, tie("tree"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (input) => {
        const parsed = parseRouterProperties(input);
        if (!parsed.ok) expect(parsed.problems.length).toBeGreaterThan(0);
      }),
    );
  });
});
