/** The settings of RIP as properties, as commands, and as the lines that show them. */
import { formatRouterProperties, parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import { makeBed, paste, say, shownLines } from "../probe.ts";

const PORTS = [{ ipv4: "10.0.1.1/24" }, { ipv4: "10.0.2.1/24" }];
const ALL = {
  networks: ["10.0.0.0/8", "Ethernet1"],
  passive: ["Ethernet1"],
  neighbors: ["10.0.2.9"],
  redistribute: { connected: { metric: 2, tag: 0 }, static: { metric: 15, tag: 65_535 } },
  default_route: true,
  split_horizon: "simple",
  update_seconds: 10,
  timeout_seconds: 60,
  garbage_seconds: 40,
};

function problems(rip: unknown, ports: readonly object[] = PORTS): string[] {
  const parsed = parseRouterProperties({ ports, rip });
  if (parsed.ok) throw new Error("expected problems");
  return parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

describe("the property rip", () => {
  it("has defaults for everything", () => {
    const parsed = parseRouterProperties({ rip: {} });
    expect(parsed.ok && formatRouterProperties(parsed.config).rip).toEqual({
      networks: [],
      passive: [],
      neighbors: [],
      redistribute: {},
      default_route: false,
      split_horizon: "poisoned-reverse",
      update_seconds: 30,
      timeout_seconds: 180,
      garbage_seconds: 120,
    });
  });

  it("is formatted as it was given", () => {
    const parsed = parseRouterProperties({ ports: PORTS, rip: ALL });
    expect(parsed.ok && formatRouterProperties(parsed.config).rip).toEqual(ALL);
  });

  it.each<[unknown, string]>([
    [true, "rip: must be an object"],
    [
      { network: [] },
      expect.stringMatching(/^rip.network: is not a known property; known are networks, passive/) as never,
    ],
    [{ networks: "10.0.0.0/8" }, "rip.networks: must be an array"],
    [{ networks: new Array(65).fill("10.0.0.0/8") }, "rip.networks: must have 0 to 64 items, not 65"],
    [{ networks: ["eth7"] }, 'rip.networks.0: "eth7" is not a prefix (10.0.0.0/8) or the name of a port'],
    [{ networks: [1] }, "rip.networks.0: must be a string"],
    [{ networks: ["10.0.1.0/24", "10.0.1.1/24"] }, "rip.networks.1: 10.0.1.0/24 is in the list already"],
    [{ distance: 256 }, "rip.distance: must be 1 to 255, not 256"],
    [
      { distribute: ["A both"] },
      "rip.distribute.0: A both is not the name of a prefix list, in or out, and perhaps a port",
    ],
    [{ distribute: ["A in eth9"] }, "rip.distribute.0: there is no port eth9"],
    [{ networks: ["Ethernet0", "ethernet0"] }, "rip.networks.1: Ethernet0 is in the list already"],
    [{ passive: ["eth7"] }, 'rip.passive.0: "eth7" is not the name of a port'],
    [{ neighbors: ["::1"] }, 'rip.neighbors.0: "::1" is not an IPv4 address'],
    [{ neighbors: ["10.9.0.1"] }, "rip.neighbors.0: the neighbor 10.9.0.1 is not on the subnet of any port"],
    [{ neighbors: ["10.0.1.1"] }, "rip.neighbors.0: 10.0.1.1 is the router's own address"],
    [
      { redistribute: { kernel: {} } },
      "rip.redistribute.kernel: is not a known property; known are connected, static, ospf, bgp",
    ],
    [{ redistribute: { static: true } }, "rip.redistribute.static: must be an object"],
    [{ redistribute: [] }, "rip.redistribute: must be an object"],
    [{ redistribute: { static: { metric: 16 } } }, "rip.redistribute.static.metric: must be 1 to 15, not 16"],
    [
      { redistribute: { static: { tag: 65_536 } } },
      "rip.redistribute.static.tag: must be 0 to 65535, not 65536",
    ],
    [{ default_route: 1 }, "rip.default_route: must be true or false"],
    [{ split_horizon: "on" }, "rip.split_horizon: must be poisoned-reverse, simple, off"],
    [{ split_horizon: 1 }, "rip.split_horizon: must be a string"],
    [{ update_seconds: 4 }, "rip.update_seconds: must be 5 to 86400, not 4"],
    [{ garbage_seconds: 86_401 }, "rip.garbage_seconds: must be 5 to 86400, not 86401"],
    [
      { update_seconds: 60, timeout_seconds: 60 },
      "rip.timeout_seconds: a timeout of 60 s is not longer than the 60 s between updates",
    ],
  ])("is rejected if it is %j", (rip, problem) => {
    expect(problems(rip)).toEqual([problem]);
  });

  it("is checked for itself if ports are invalid", () => {
    expect(
      problems({ networks: ["eth7"], neighbors: ["10.9.0.1"] }, [{ name: "-", ipv4: "x" }]),
    ).toHaveLength(2);
  });
});

describe("the commands of RIP", () => {
  const LINES = [
    "router rip",
    "router rip timers basic 10 60 40",
    "router rip split-horizon simple",
    "router rip default-information originate",
    "router rip redistribute connected metric 2",
    "router rip redistribute static metric 15 tag 65535",
    "router rip network 10.0.0.0/8",
    "router rip network Ethernet1",
    "router rip neighbor 10.0.2.9",
    "router rip passive-interface Ethernet1",
  ];

  it("are shown, and give the same configuration when they are pasted", () => {
    const given = makeBed({ ports: PORTS, rip: ALL });
    const shown = shownLines(given).filter((line) => line.startsWith("router"));
    expect(shown).toEqual(LINES.slice(1).map((line) => line.replace("router rip", "router rip:")));
    const pasted = makeBed({ ports: PORTS });
    paste(pasted, say(given, "show running-config"));
    expect(pasted.router.saveState().running).toEqual(given.router.saveState().running);
  });

  it("are saved by write", () => {
    const bed = makeBed({ ports: PORTS, rip: ALL });
    say(bed, "write");
    expect(say(bed, "show startup-config")).toEqual(say(bed, "show running-config"));
  });

  it("are taken back by no", () => {
    const bed = makeBed({ ports: PORTS });
    for (const line of LINES) expect(say(bed, line)).toEqual([]);
    for (const line of [
      "no router rip timers basic",
      "no router rip split-horizon",
      "no router rip default-information originate",
      "no router rip redistribute connected",
      "no router rip redistribute static",
      "no router rip network 10.0.0.0/8",
      "no router rip network ethernet1",
      "no router rip neighbor 10.0.2.9",
      "no router rip passive-interface ethernet1",
    ])
      expect(say(bed, line)).toEqual([]);
    expect(shownLines(bed).filter((line) => line.startsWith("router"))).toEqual([
      "router rip: split-horizon poisoned-reverse",
    ]);
    expect(say(bed, "no router rip")).toEqual([]);
    expect(bed.router.saveState()).toEqual(
      expect.objectContaining({ running: makeBed({ ports: PORTS }).router.saveState().running }),
    );
    expect(Object.keys(bed.router.saveState())).not.toContain("services");
  });

  it.each([
    ["router", /^Usage: router rip network PREFIX\|PORT/],
    ["router bgp", /^Usage: router rip/],
    ["router rip hop", /^Usage: router rip network/],
    ["router rip network", /^Usage/],
    ["router rip network a b", /^Usage/],
    ["router rip timers basic 1 2", /^Usage/],
    ["router rip timers basic 1 2 x", /^Usage/],
    ["router rip timers 1 2 3", /^Usage/],
    ["router rip default-information", /^Usage/],
    ["router rip redistribute static metric", /^Usage/],
    ["router rip redistribute static cost 2", /^Usage/],
    ["router rip split-horizon", /^Usage/],
    ["router rip network eth7", /^"eth7" is not a prefix/],
    ["router rip redistribute kernel", /^kernel is not a known property|^is not a known property/],
    ["router rip timers basic 30 20 10", /^a timeout of 20 s is not longer/],
    ["no router", /^Usage: no router rip/],
    ["no router rip", /^RIP is not configured$/],
  ])("%s is an error", (line, wanted) => {
    const bed = makeBed({ ports: PORTS });
    expect(say(bed, line).join("\n")).toMatch(wanted);
    expect(bed.router.saveState().running).not.toHaveProperty("rip");
  });

  it.each([
    "network 10.0.0.0/8",
    "timers",
    "redistribute static",
    "default-information",
    "hop",
    "split-horizon x",
  ])("no router rip %s is an error if there is no such line", (words) => {
    const bed = makeBed({ ports: PORTS, rip: {} });
    expect(say(bed, `no router rip ${words}`)).toEqual([`There is no such line: router rip ${words}`]);
  });

  it("help lists them", () => {
    expect(say(makeBed({ ports: PORTS }), "help").join("\n")).toContain("router rip network PREFIX|PORT");
  });
});
