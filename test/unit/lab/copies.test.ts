/** A probe begins from a copy of the timeline, which goes on as the timeline does. */
import { startSimulation } from "@wirelab/engine/simulation/saved-run";
import type { Simulation } from "@wirelab/engine/simulation/simulation";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { describe, expect, test } from "vitest";
import { play } from "../../../packages/lab/play/play.ts";
import { optionsOf } from "../../helpers/saved/halves.ts";
import { randomLab } from "../../helpers/saved/random-lab.ts";
import { verdicts } from "./helpers.ts";

const LEASE = `
  nodes:
    pc1: {}
    pc2: {ip: 10.0.0.2/24}
    r1: {type: router, ports: [{ipv4: 10.0.0.1/24, dhcp: {first: 10.0.0.50, last: 10.0.0.50}}]}
    sw1: switch
  links: [{link: pc1 -- sw1, name: slow, filters: {delay: 400ms}}, pc2 -- sw1, r1 -- sw1]
  run: [{at: 1s, console: {pc1: ip dhcp}}]
`;

const verdict = (topology: string, expectation: string) => {
  const [only] = verdicts(topology, `- ${expectation}`);
  return `${only!.status}: ${only!.got}`;
};

describe("a probe meets", () => {
  test("a command that another console was running, and its frames on a link", () => {
    // The offer is on the slow link; the PC has an address 1.2 s later.
    expect(verdict(LEASE, "{reach: pc2 -> 10.0.0.50, at: 1.6s, within: 10s}")).toMatch(/^passed/);
  });

  test("a free console, although the timeline types there", () => {
    const busy = LEASE.replace("{pc1: ip dhcp}", "{pc2: ping 10.0.0.1 -t}");
    const probe = "{reach: pc2 -> r1, at: 5s, tries: 1}";
    expect(verdict(`${busy}  duration: 10s\n`, probe)).toMatch(/^passed/);
  });

  test("what is on its way at the end of the timeline", () => {
    const ended = `${LEASE}  duration: 1600ms\n`;
    expect(verdict(ended, "{reach: pc2 -> 10.0.0.50, within: 10s, at: end}")).toMatch(/^passed/);
  });
});

describe("the packet of a probe is found", () => {
  const HELLOS = `
    nodes:
      pc1: {ip: 10.0.1.2/24, gateway: 10.0.1.1}
      r1:
        type: router
        config: |
          interface eth0
           ip address 10.0.0.1/24
           ip ospf area 0
           ip ospf hello-interval 1
           ip ospf dead-interval 4
          ip route 10.0.1.0/24 10.0.0.2
          router ospf
      r2: {type: router, ports: [{ipv4: 10.0.0.2/24}, {ipv4: 10.0.1.1/24}]}
    links: [{link: "r1:0 -- r2:0", name: slow, filters: {delay: 200ms}}, "r2:1 -- pc1"]
    routing: {quiet: 1s}
  `;

  // The router looks its neighbour up for 400 ms, so at two moments of five a hello enters the link before the packet.
  test.each([20, 20.2, 20.4, 20.6, 20.8])("among hellos of OSPF, at %f s", (at) => {
    expect(verdict(HELLOS, `{path: r1 -> pc1, via: [r2], at: ${at}s}`)).toBe("passed: r1 -> r2 -> pc1");
  });
});

const timelineOf = (simulation: Simulation) => ({
  digest: simulation.digest,
  texts: simulation.sessions.map(({ output }) => output),
});

test.each(Array.from({ length: 6 }, (_, seed) => [seed]))(
  "the copy of random lab %i goes on as the lab",
  (seed) => {
    const model = parseLabFile(randomLab(seed), { name: `random ${seed}` });
    const atNs = 7_654_321_987 + seed * 3_000_000_000;
    const { timeline, copyAt } = play(model, { probed: [atNs] });
    const copy = startSimulation(copyAt(atNs).saved!, optionsOf(model));
    while (copy.advance());
    expect(timelineOf(copy)).toEqual(timelineOf(timeline));
  },
);
