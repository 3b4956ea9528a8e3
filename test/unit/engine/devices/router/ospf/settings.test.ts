/** The settings of OSPF as properties, as commands in the words of FRR, and as the lines that show them. */
import { formatRouterProperties, parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import { makeBed, paste, say, shownLines } from "../probe.ts";

const PORTS = [{ ipv4: "10.0.1.1/24" }, { ipv4: "10.0.2.1/24" }];
const ALL = {
  router_id: "9.9.9.9",
  networks: { "10.0.0.0/8": "0", "10.0.2.0/24": "0.0.0.1" },
  areas: { "0.0.0.1": "stub no-summary" },
  passive: ["Ethernet1"],
  redistribute: { connected: { metric: 2, metric_type: "1" }, static: { metric: 20, metric_type: "2" } },
  default_route: { always: true, metric: 5, metric_type: "1" },
  spf_delay_ms: 10,
  spf_hold_ms: 100,
  spf_max_hold_ms: 1_000,
  lsa_interval_ms: 2_000,
  lsa_arrival_ms: 500,
};
const ALL_OF_A_PORT = {
  area: "3",
  network: "point-to-point",
  cost: 7,
  priority: 0,
  hello_seconds: 1,
  dead_seconds: 3,
  retransmit_seconds: 2,
  transmit_delay_seconds: 3,
  passive: true,
  mtu_ignore: true,
  authentication: "message-digest",
  authentication_key: "secret",
  message_digest_keys: { "5": "secret", "6": "other" },
};

function problems(ospf: unknown, port: object = {}): string[] {
  const parsed = parseRouterProperties({ ports: [{ ...PORTS[0], ospf: port }, PORTS[1]], ospf });
  if (parsed.ok) throw new Error("expected problems");
  return parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

describe("the properties of OSPF", () => {
  it("have FRR's defaults", () => {
    const parsed = parseRouterProperties({ ospf: {} });
    expect(parsed.ok && formatRouterProperties(parsed.config).ospf).toEqual({
      networks: {},
      areas: {},
      passive: [],
      redistribute: {},
      spf_delay_ms: 0,
      spf_hold_ms: 50,
      spf_max_hold_ms: 5_000,
      lsa_interval_ms: 5_000,
      lsa_arrival_ms: 1_000,
    });
  });

  it("are formatted as they were given", () => {
    const parsed = parseRouterProperties({
      ports: [{ ...PORTS[0], ospf: ALL_OF_A_PORT }, PORTS[1]],
      ospf: ALL,
    });
    expect(parsed.ok && formatRouterProperties(parsed.config)).toMatchObject({
      ports: [{ ospf: ALL_OF_A_PORT }, {}],
      ospf: ALL,
    });
  });

  it.each<[unknown, object, RegExp]>([
    [
      { networks: { "10.0.0.0/8": "0", "10.0.0.1/8": "1" } },
      {},
      /ospf\.networks\.10\.0\.0\.1\/8: 10\.0\.0\.0\/8 is in the list already/,
    ],
    [{ distance: 0 }, {}, /ospf\.distance: must be 1 to 255, not 0/],
    [{ distances: { intra: 1 } }, {}, /ospf\.distances\.intra: is not a known property/],
    [{ reference_bandwidth: 0 }, {}, /ospf\.reference_bandwidth: must be 1 to 4294967, not 0/],
    [{ active: ["Ethernet9"] }, {}, /ospf\.active\.0: .*the name of a port/],
    [
      { networks: { "10.0.0.0/8": "x" } },
      {},
      /ospf\.networks\.10\.0\.0\.0\/8: .*an area: a number or an address/,
    ],
    [{ areas: { "1": "nssa" } }, {}, /ospf\.areas\.1: must be stub, stub no-summary/],
    [{ redistribute: { kernel: {} } }, {}, /ospf\.redistribute\.kernel: is not a known property/],
    [{ passive: ["Ethernet9"] }, {}, /ospf\.passive\.0: .*the name of a port/],
    [{}, { network: "point-to-multipoint" }, /must be broadcast, point-to-point/],
    [{}, { cost: 0 }, /ports\.0\.ospf\.cost: must be 1 to 65535, not 0/],
    [{}, { authentication_key: "too long a key" }, /1 to 8 characters/],
    [{}, { nssa: true }, /ports\.0\.ospf\.nssa: is not a known property/],
  ])("refuse by name what the router does not have: %j %j", (ospf, port, message) => {
    expect(problems(ospf, port).join("\n")).toMatch(message);
  });
});

it("a port of a VRF has no OSPF", () => {
  const parsed = parseRouterProperties({
    ports: [{ ipv4: "10.0.0.1/24", vrf: "red", ospf: { area: "0" } }],
    ospf: {},
  });
  expect(parsed).toMatchObject({
    ok: false,
    problems: [
      {
        path: ["ports", 0, "ospf"],
        message: "a port of a VRF has no OSPF, which runs among the ports without one",
      },
    ],
  });
});

describe("the commands of OSPF", () => {
  const LINES = [
    "ip ospf area Ethernet0 3",
    "ip ospf network Ethernet0 point-to-point",
    "ip ospf cost Ethernet0 7",
    "ip ospf priority Ethernet0 0",
    "ip ospf hello-interval Ethernet0 1",
    "ip ospf dead-interval Ethernet0 3",
    "ip ospf retransmit-interval Ethernet0 2",
    "ip ospf transmit-delay Ethernet0 3",
    "ip ospf passive Ethernet0",
    "ip ospf mtu-ignore Ethernet0",
    "ip ospf authentication Ethernet0 message-digest",
    "ip ospf authentication-key Ethernet0 secret",
    "ip ospf message-digest-key Ethernet0 5 md5 secret",
    "ip ospf message-digest-key Ethernet0 6 md5 other",
    "router ospf",
    "router ospf ospf router-id 9.9.9.9",
    "router ospf timers throttle spf 10 100 1000",
    "router ospf timers throttle lsa all 2000",
    "router ospf timers lsa min-arrival 500",
    "router ospf redistribute connected metric 2 metric-type 1",
    "router ospf redistribute static",
    "router ospf passive-interface Ethernet1",
    "router ospf network 10.0.0.0/8 area 0",
    "router ospf network 10.0.2.0/24 area 0.0.0.1",
    "router ospf area 0.0.0.1 stub no-summary",
    "router ospf default-information originate always metric 5 metric-type 1",
  ];

  /** `Ethernet0: ip ospf cost 7`, `router ospf: network 10.0.0.0/8 area 0`. */
  const SHOWN = LINES.filter((line) => line !== "router ospf").map((line) =>
    line.startsWith("ip")
      ? `Ethernet0: ${line.replace(" Ethernet0", "")}`
      : line.replace("router ospf ", "router ospf: "),
  );

  it("are the lines of the configuration, which make it again", () => {
    const bed = makeBed({ ports: [{ ...PORTS[0], ospf: ALL_OF_A_PORT }, PORTS[1]], ospf: ALL });
    expect(shownLines(bed).filter((line) => line.includes("ospf"))).toEqual(SHOWN);
    const [other, pasted] = [makeBed({ ports: PORTS }), makeBed({ ports: PORTS })];
    for (const line of LINES) expect(say(other, line)).toEqual([]);
    expect(shownLines(other).filter((line) => line.includes("ospf"))).toEqual(SHOWN);
    paste(pasted, say(bed, "show running-config"));
    expect(pasted.router.saveState().running).toEqual(bed.router.saveState().running);
  });

  it("each have a no line", () => {
    const bed = makeBed({ ports: [{ ...PORTS[0], ospf: ALL_OF_A_PORT }, PORTS[1]], ospf: ALL });
    for (const line of [
      ...["area", "network", "cost", "priority", "hello-interval", "dead-interval", "retransmit-interval"],
      ...[
        "transmit-delay",
        "passive",
        "mtu-ignore",
        "authentication",
        "authentication-key",
        "message-digest-key",
      ],
    ])
      expect(say(bed, `no ip ospf ${line} Ethernet0`)).toEqual([]);
    for (const line of [
      "ospf router-id",
      "network 10.0.0.0/8 area 0",
      "network 10.0.2.0/24",
      "area 0.0.0.1",
      "passive-interface Ethernet1",
      "redistribute connected",
      "redistribute static",
      "default-information originate",
      "timers throttle spf",
      "timers throttle lsa all",
      "timers lsa min-arrival",
    ])
      expect(say(bed, `no router ospf ${line}`)).toEqual([]);
    expect(say(bed, "show running-config").filter((line) => /ospf/.test(line))).toEqual(["router ospf"]);
  });

  it("are FRR's own inside of its modes", () => {
    const bed = makeBed({ ports: PORTS });
    const typed = [
      "configure terminal",
      "router ospf",
      "ospf router-id 1.2.3.4",
      "network 10.0.0.0/8 area 0",
      "passive-interface Ethernet1",
      "interface Ethernet0",
      "ip ospf cost 20",
      "ip ospf network point-to-point",
      "ip ospf authentication",
      "ip ospf message-digest-key 1 md5 secret",
      "no ip ospf network",
      "end",
    ];
    expect(typed.flatMap((line) => say(bed, line))).toEqual([]);
    expect(shownLines(bed).filter((line) => /ospf/.test(line))).toEqual([
      "Ethernet0: ip ospf cost 20",
      "Ethernet0: ip ospf authentication",
      "Ethernet0: ip ospf message-digest-key 1 md5 secret",
      "router ospf: ospf router-id 1.2.3.4",
      "router ospf: passive-interface Ethernet1",
      "router ospf: network 10.0.0.0/8 area 0",
    ]);
  });

  it.each([
    "router ospf area 1 nssa",
    "router ospf redistribute kernel",
    "router ospf area 1 range 10.0.0.0/8",
    "ip ospf prefix-suppression Ethernet0",
    "ip ospf network Ethernet0 non-broadcast",
  ])("refuse what the router does not have: %s", (line) => {
    const bed = makeBed({ ports: PORTS });
    expect(say(bed, line)).not.toEqual([]);
    expect(say(bed, "show running-config").filter((each) => /ospf/.test(each))).toEqual([]);
  });
});
