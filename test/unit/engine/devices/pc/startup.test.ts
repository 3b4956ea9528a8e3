/** Start-up scripts that the end of a run interrupts, and the stored state about them. */

import type { PcState } from "@wirelab/engine/devices/pc/index";
import { startupReport } from "@wirelab/engine/devices/pc/startup";
import { parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { switchPower } from "@wirelab/engine/simulation/actions";
import type { LabLink, LabNode } from "@wirelab/engine/simulation/lab";
import { type Simulation, type SimulationOptions, toNs } from "@wirelab/engine/simulation/simulation";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  AMPLE,
  LAB_START_US,
  LabBuilder,
  makeSimulation,
  plan,
} from "../../../../helpers/engine/lab-builder.ts";

const DHCP_ROUTER = {
  ports: [{ ipv4: "10.0.1.1/24", dhcp: { first: "10.0.1.100", last: "10.0.1.110", domain: "lab" } }],
};
const SCRIPT = `set pcname One
ip dhcp
# a comment

ping 10.0.1.1 -c 12
sleep 7 soon
set mtu 1400
ip domain end.lab
`;

/** PC1 and a router that serves DHCP; each run continues from the state of the last. */
class Story {
  #nodes: LabNode[];
  readonly #links: LabLink[];
  #nowUs = LAB_START_US;

  constructor(startupScript: string) {
    const parsed = parseRouterProperties(DHCP_ROUTER);
    if (!parsed.ok) throw new Error("the router is not what it should be");
    const { nodes, links } = new LabBuilder()
      .add("PC1", { type: "vpcs", name: "PC1", index: 0, startupScript }, { status: "stopped" })
      .add("R1", { type: "router", name: "R1", mac: 0x0200_0000_0001, ...parsed.config })
      .join(["PC1", 0], ["R1", 0]);
    this.#nodes = nodes;
    this.#links = links;
  }

  /** Runs the whole lab. @returns the ended run. */
  run(options: Partial<SimulationOptions> = {}, prepare: (run: Simulation) => void = () => {}): Simulation {
    const simulation = makeSimulation({ startUs: this.#nowUs, ...options });
    for (const node of this.#nodes) simulation.addNode(node);
    for (const link of this.#links) simulation.addLink(link);
    prepare(simulation);
    simulation.advance();
    this.#nowUs += Math.ceil(simulation.nowNs / 1000);
    this.#nodes = this.#nodes.map((node) => ({ ...node, ...simulation.nodes.get(node.id)!.changes() }));
    return simulation;
  }

  power(action: "start" | "stop" | "suspend", options: Partial<SimulationOptions> = {}): Simulation {
    return this.run(options, (simulation) => simulation.schedule(0, switchPower(["PC1"], action)));
  }

  get pc(): PcState {
    return this.#nodes[0]!.state?.device as PcState;
  }

  /** Changes the stored state to that of an earlier release. */
  change(change: (state: PcState) => PcState): void {
    const [pc, router] = this.#nodes;
    this.#nodes = [{ ...pc!, state: { ...pc!.state!, device: change(this.pc) } }, router!];
  }
}

/** The effect of a script, without the times at which it ran. */
const effectOf = ({ name, ipv4, domain, mtuBytes, lease }: PcState) => ({
  ...{ name, ipv4, domain, mtuBytes },
  server: lease?.server,
});

const uncut = (): PcState => {
  const story = new Story(SCRIPT);
  story.power("start");
  return story.pc;
};

describe("A start-up script that the end of a run interrupts", () => {
  const [whole, expected] = [uncut(), effectOf(uncut())];

  test("has its full effect when it is not interrupted", () => {
    expect(expected).toMatchObject({ name: "One", domain: "end.lab", mtuBytes: 1400 });
    expect(expected.ipv4).toEqual({ address: 0x0a00_0164, prefixLength: 24, gateway: 0x0a00_0101 });
    expect(startupReport(whole)).toMatchObject({ status: "done", remaining: [] });
  });

  test.each([
    ["while it asks for an address", 2, 5],
    ["in the middle of its pings", 9, 4],
    ["asleep", 20, 3],
  ])("%s continues in the next run, and has its full effect", (_when, seconds, left) => {
    const story = new Story(SCRIPT);
    story.power("start", { durationNs: toNs(seconds) });
    expect(startupReport(story.pc)).toMatchObject({ status: "running" });
    expect(story.pc.startup!.lines).toHaveLength(left);
    expect(effectOf(story.pc)).not.toEqual(expected);
    expect(story.run().stopped).toEqual({ reason: "idle" });
    expect(effectOf(story.pc)).toEqual(expected);
    expect(startupReport(story.pc).status).toBe("done");
  });

  test("has the same effect wherever it is interrupted, once or twice, by a duration or an event limit", () => {
    const cut = fc.oneof(
      fc.integer({ min: 1, max: 30_000 }).map((ms) => ({ durationNs: ms * 1_000_000 })),
      fc.integer({ min: 1, max: 120 }).map((events) => ({ limits: { ...AMPLE, events } })),
    );
    fc.assert(
      fc.property(cut, fc.option(cut), (first, second) => {
        const story = new Story(SCRIPT);
        story.power("start", first);
        if (second !== null) story.run(second);
        story.run();
        expect(effectOf(story.pc)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test("continues before lines typed into the console", () => {
    const story = new Story(SCRIPT);
    story.power("start", { durationNs: toNs(9) });
    let session: ReturnType<typeof plan> | undefined;
    story.run({}, (simulation) => {
      session = plan(simulation, "PC1", ["show ip"]);
    });
    expect(session!.status).toBe("done");
    expect(session!.output).toMatch(/^\nGoing on with the startup file\n\n\n84 bytes from/);
    expect(session!.output).toContain("84 bytes from 10.0.1.1 icmp_seq=12 ttl=255");
    expect(session!.output).toMatch(/\n\nOne> show ip\n[\s\S]*DOMAIN NAME : end\.lab\n/);
  });

  test("stays when the end of a run cancels the lines that wait for it", () => {
    const story = new Story(SCRIPT);
    let session: ReturnType<typeof plan> | undefined;
    story.run({ durationNs: toNs(9) }, (simulation) => {
      simulation.schedule(0, switchPower(["PC1"], "start"));
      session = plan(simulation, "PC1", ["echo never"]);
    });
    expect(session!.status).toBe("interrupted");
    expect(session!.output).not.toMatch(/never|\^C/);
    story.run();
    expect(effectOf(story.pc)).toEqual(expected);
  });

  test("sleeps for its given time in total, over any number of runs", () => {
    const story = new Story("sleep 100\nset mtu 1300");
    story.power("start", { durationNs: toNs(20) });
    for (let runs = 0; runs < 3; runs++) story.run({ durationNs: toNs(20) });
    expect(story.run({ durationNs: toNs(19.999) }).stopped).toEqual({ reason: "duration" });
    expect(startupReport(story.pc).remaining).toEqual(["sleep 100", "set mtu 1300"]);
    expect(story.run().nowNs).toBe(toNs(0.001));
    expect(story.pc.mtuBytes).toBe(1300);
  });

  test("is discarded at power-off, and starts again at power-on", () => {
    const story = new Story(SCRIPT);
    story.power("start", { durationNs: toNs(9) });
    story.power("stop");
    expect(startupReport(story.pc)).toEqual({ status: "none", output: "", remaining: [] });
    story.power("start");
    expect(story.pc.startup?.output).not.toContain("Going on");
    expect(effectOf(story.pc)).toEqual(expected);
  });

  test("waits while the PC is suspended", () => {
    const story = new Story(SCRIPT);
    story.power("start", { durationNs: toNs(9) });
    story.power("suspend");
    story.run({ durationNs: toNs(600) });
    expect(startupReport(story.pc).status).toBe("running");
    story.power("start");
    expect(effectOf(story.pc)).toEqual(expected);
  });

  test("keeps no address whose duplicate check is not finished", () => {
    const story = new Story("ip 10.0.1.5/24");
    story.power("start", { durationNs: toNs(1) });
    expect(story.pc).toMatchObject({ ipv4: { address: 0 }, startup: { lines: ["ip 10.0.1.5/24"] } });
    expect(story.pc).not.toHaveProperty("ipv4Before");
    story.run();
    expect(story.pc.ipv4.address).toBe(0x0a00_0105);
  });

  test("does not repeat the probes of an address that were sent without an answer", () => {
    const story = new Story("ip 10.0.1.5/24");
    story.power("start", { durationNs: toNs(1.5) });
    expect(story.run().nowNs).toBe(toNs(2.000001));
    expect(story.pc.ipv4.address).toBe(0x0a00_0105);
  });

  test.each([
    ["are too short for a line", { durationNs: toNs(0.7) }, 9],
    ["are ended by a limit before a line gets anywhere", { limits: { ...AMPLE, events: 3 } }, 9],
  ])("loses no line to runs that %s", (_what, options, runs) => {
    const story = new Story("ip 10.0.1.5/24\nset mtu 1300");
    story.power("start", options);
    for (let run = 0; run < runs; run++) story.run(options);
    story.run();
    expect(startupReport(story.pc)).toMatchObject({ status: "done", remaining: [] });
    expect(startupReport(story.pc).output).not.toContain("left out");
    expect(story.pc).toMatchObject({ ipv4: { address: 0x0a00_0105 }, mtuBytes: 1300 });
  });

  test("skips an endless line after limits have interrupted it in several runs", () => {
    const story = new Story("ip 10.0.1.5/24\nping 10.0.1.1 -t\nset mtu 1300");
    const limited = { limits: { ...AMPLE, outputCharacters: 2_000 } };
    story.power("start", limited);
    for (let runs = 0; runs < 2; runs++) expect(story.run(limited).stopped?.reason).toBe("limit");
    expect(story.run(limited).stopped).toEqual({ reason: "idle" });
    expect(story.pc.mtuBytes).toBe(1300);
  });

  test("skips a line that several runs have interrupted, and reports it", () => {
    const story = new Story("ip 10.0.1.5/24\nping 10.0.1.1 -t\nset mtu 1300");
    const endless = { durationNs: toNs(60) };
    story.power("start", endless);
    for (let runs = 0; runs < 2; runs++) {
      story.run(endless);
      expect(startupReport(story.pc).remaining).toEqual(["ping 10.0.1.1 -t", "set mtu 1300"]);
    }
    expect(story.run().stopped).toEqual({ reason: "idle" });
    expect(story.pc.mtuBytes).toBe(1300);
    expect(startupReport(story.pc).output).toMatch(
      /\nGoing on with the startup file\n\nCut off again and again, and left out: ping 10\.0\.1\.1 -t\n/,
    );
  });
});

describe("What a PC printed while it started", () => {
  const script = "ip 10.0.1.5/24\necho hello";
  const printed = `
Executing the startup file

Checking for duplicate address...
PC1 : 10.0.1.5 255.255.255.0

hello`;

  test("is kept, without the prompt and later output", () => {
    const story = new Story(script);
    const simulation = story.power("start");
    const report = { status: "done", output: printed, remaining: [] };
    expect(startupReport(story.pc)).toEqual(report);
    expect(simulation.nodes.get("PC1")!.device!.console!.startup).toEqual(report);
    const later = story.run({}, (run) => plan(run, "PC1", ["echo later"]));
    expect(startupReport(story.pc)).toEqual(report);
    expect(later.nodes.get("PC1")!.device!.console!.startup).toBeUndefined();
  });

  test("continues where it was interrupted", () => {
    const story = new Story(script);
    story.power("start", { durationNs: toNs(2) });
    story.run();
    expect(startupReport(story.pc).output).toBe(`
Executing the startup file

Checking for duplicate address...

Going on with the startup file

Checking for duplicate address...
PC1 : 10.0.1.5 255.255.255.0

hello`);
  });

  test("is cut to its last lines when it is long", () => {
    const lines = Array.from({ length: 1_500 }, (_, i) => `echo ${i}`);
    const story = new Story(lines.join("\n"));
    story.power("start");
    const { output } = startupReport(story.pc);
    expect(output.length).toBeGreaterThan(3_900);
    expect(output.length).toBeLessThanOrEqual(4_096);
    expect(output.split("\n").slice(-2)).toEqual(["1498", "1499"]);
    expect(output.split("\n")[0]).toMatch(/^\d+$/);
  });

  test("has the status none for a PC without a script, or from a release that did not keep it", () => {
    const none = { status: "none", output: "", remaining: [] };
    const story = new Story("");
    story.power("start");
    expect(startupReport(story.pc)).toEqual(none);
    expect(startupReport(undefined)).toEqual(none);
    const old = new Story(script);
    old.power("start");
    old.change(({ startup: _, ...state }) => state);
    expect(startupReport(old.pc)).toEqual(none);
    expect(old.run().stopped).toEqual({ reason: "idle" });
    expect(old.pc.ipv4.address).toBe(0x0a00_0105);
  });
});
