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
