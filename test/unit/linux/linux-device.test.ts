/** The device with a guest that the test plays. */
import { RandomStream } from "@wirelab/engine/base/random";
import type { LinuxSpec } from "@wirelab/engine/devices/linux/spec";
import { parseImpairments } from "@wirelab/engine/link/impairments/index";
import { changeLink, typeCommands } from "@wirelab/engine/simulation/actions";
import { ConsoleSession } from "@wirelab/engine/simulation/console-session";
import type { LinkImpairments } from "@wirelab/engine/simulation/lab";
import { Simulation } from "@wirelab/engine/simulation/simulation";
import { ETHERTYPE_IPV4, encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { LinuxDevice, type LinuxState } from "@wirelab/linux/device/linux-device";
import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../../packages/lab/play/run-stage.ts";
import { addTag } from "../../../packages/linux/device/trunk.ts";
import type {
  Advance,
  Advanced,
  Guest,
  GuestOptions,
  Message,
  Output,
  Saved,
} from "../../../packages/linux/guest/guest.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (data: Uint8Array) => new TextDecoder().decode(data);
const START_US = 1_000_000;
const IDLE_NS = 4_000_000;

const SAVED: LinuxState = { guest: "s", prompt: "# ", outputs: [], inputs: [] };
const LATE = { kind: "serial", port: 0, data: Buffer.from("late").toString("base64") } as const;
const frameOf = (port: number) =>
  ({
    kind: "frame",
    port: 0,
    data: Buffer.from(addTag(port, new Uint8Array(60))).toString("base64"),
  }) as const;

/** Answers jobs and lines at once, and wakes each 4 ms as a kernel with a clock of 250 Hz does. */
class FakeGuest implements Guest {
  nowNs = 5_000_000_000;
  readonly seen: string[] = [];
  script = "";
  /** What the guest sends next, and how long after its start. */
  next: Output[] = [];

  advance({ toNs, inputs }: Advance): Advanced {
    this.nowNs = Math.max(this.nowNs, toNs);
    const outputs: Output[] = this.next.splice(0).map((each) => ({ ...each, atNs: this.nowNs + each.atNs }));
    for (const input of inputs) {
      if (input.kind === "frame") this.seen.push(`frame of ${input.data.length} bytes`);
      else if (input.port === 1) {
        const request = text(input.data);
        if (request.startsWith("carrier")) {
          this.seen.push(request.trim());
          continue;
        }
        this.seen.push("job");
        this.script = request;
        outputs.push({ atNs: this.nowNs + 1_000, kind: "serial", port: 1, data: bytes("0 6\nhello\n") });
      } else {
        this.seen.push(text(input.data).trim());
        outputs.push({ atNs: this.nowNs + 1_000, kind: "serial", port: 0, data: bytes("done\r\nr1# ") });
      }
    }
    this.nowNs += 1_000_000;
    return { nowNs: this.nowNs, wakeNs: this.nowNs + IDLE_NS, outputs };
  }

  checkpoint(): void {
    this.seen.push("checkpoint");
  }

  save(): Saved {
    const late: Message = { kind: "serial", port: 0, data: bytes("late") };
    return { state: `state at ${this.nowNs}`, outputs: [late], inputs: [late] };
  }
}

interface Simulated {
  readonly state?: LinuxState;
  readonly seconds?: number;
  /** Port 0 has a cable. */
  readonly ports?: number;
  readonly suspended?: boolean;
  readonly impairments?: object;
}

function simulate({ state, seconds = 1, ports = 1, suspended = false, impairments }: Simulated = {}) {
  const discarded: string[] = [];
  const guest = new FakeGuest();
  const opened: GuestOptions[] = [];
  const spec: LinuxSpec = {
    type: "linux",
    name: "r1",
    image: "debian",
    ports,
    mac: 2,
    addresses: [],
    files: {},
    commands: [],
    makeDevice: (own, world, saved) =>
      new LinuxDevice(
        own,
        world,
        {
          open(options) {
            opened.push(options);
            return guest;
          },
          configureOf: () => ["true"],
        },
        saved as LinuxState | undefined,
      ),
  };
  const simulation = new Simulation({
    startUs: START_US,
    seed: "1",
    limits: DEFAULT_LIMITS,
    ...(seconds > 0 && { durationNs: seconds * 1e9 }),
    makeTap: () => undefined,
    observer: { discarded: ({ reason }) => discarded.push(reason) },
  });
  simulation.addNode({
    id: "r1",
    name: "r1",
    spec,
    wires: new Map([[0, { linkId: "l", peerId: "c" }]]),
    status: "started",
    state: state && { device: state, random: new RandomStream([1, 2, 3, 4]).saveState() },
  });
  simulation.addNode({
    id: "c",
    name: "c",
    spec: { type: "cloud", name: "c" },
    wires: new Map([[0, { linkId: "l", peerId: "r1" }]]),
    status: "started",
    state: undefined,
  });
  simulation.addLink({
    id: "l",
    streamName: "l",
    ends: [
      { nodeId: "r1", port: 0 },
      { nodeId: "c", port: 0 },
    ],
    filters: { settings: {}, bpfPredicates: [] },
    suspended,
    ...(impairments && { impairments: impairmentsOf(impairments) }),
    state: undefined,
  });
  return {
    discarded,
    guest,
    opened,
    simulation,
    device: () => simulation.nodes.get("r1")!.device as LinuxDevice,
  };
}

function impairmentsOf(input: object): LinkImpairments {
  const result = parseImpairments(input);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return { impairments: result.impairments, sinceUs: START_US };
}

function run(simulation: Simulation): void {
  while (simulation.advance());
}

describe("a Linux node", () => {
  test("runs its start job, reports what it printed, and takes lines then", () => {
    const { guest, simulation, device } = simulate();
    const session = new ConsoleSession("r1", ["uname"]);
    simulation.schedule(0, typeCommands(session));
    run(simulation);
    expect(guest.seen).toEqual(["job", "checkpoint", "PS1='r1# '", "uname"]);
    expect(device().console.startup).toEqual({ status: "done", output: "hello\n", remaining: [] });
    expect(session.status).toBe("done");
    expect(session.output).toContain("uname\ndone\nr1# ");
  });

  test("a boot ends when the start job is done, although the guest's clock goes on", () => {
    const { simulation } = simulate({ seconds: 0 });
    run(simulation);
    expect(simulation.stopped).toEqual({ reason: "idle" });
    expect(simulation.nowNs).toBeLessThan(1e9);
  });

  test("goes on from a saved state without a start job", () => {
    const { guest, opened, simulation, device } = simulate({
      state: { ...SAVED, guest: "before", prompt: "r1(config)# " },
    });
    run(simulation);
    expect(opened[0]!.state).toBe("before");
    expect(guest.seen).toEqual([]);
    expect(device().console.prompt).toBe("r1(config)# ");
    expect(device().saveState()).toEqual({
      guest: expect.stringMatching(/^state at /),
      prompt: "r1(config)# ",
      outputs: [LATE],
      inputs: [LATE],
    });
  });

  test("takes what was on its way when the state was saved", () => {
    const { guest, simulation, device } = simulate({
      state: { ...SAVED, outputs: [{ kind: "serial", port: 1, data: "YQ==" }, frameOf(0)], inputs: [LATE] },
    });
    run(simulation);
    expect(guest.seen).toEqual(["late"]);
    expect(simulation.links.get("l")!.aToB.report().entered.packets).toBe(1);
    expect(device().saveState().outputs).toEqual([LATE]);
  });

  test("keeps what the lab has not reached", () => {
    const { guest, simulation, device } = simulate({ state: SAVED });
    guest.next = [{ atNs: 5_000_000_000, kind: "serial", port: 0, data: bytes("late") }];
    run(simulation);
    expect(device().saveState().outputs).toEqual([LATE, LATE]);
  });

  test("a frame reaches the guest with the tag of its port, at the lab's time", () => {
    const { guest, simulation } = simulate({ state: SAVED });
    simulation.schedule(500_000_000, {
      kind: "other",
      nodes: ["r1"],
      links: [],
      perform: () => simulation.nodes.get("r1")!.receive(0, new Uint8Array(60)),
    });
    run(simulation);
    expect(guest.seen).toEqual(["frame of 64 bytes"]);
  });

  test("a frame of the guest leaves its port at the guest's time, and frames without a port stay", () => {
    const { guest, simulation } = simulate({ state: SAVED });
    const frame = (port: number) => ({
      kind: "frame" as const,
      port: 0,
      data: addTag(port, new Uint8Array(60)),
    });
    guest.next = [
      { atNs: 200_000, ...frame(0) },
      { atNs: 300_000, ...frame(5) },
      { atNs: 400_000, kind: "frame", port: 0, data: new Uint8Array(60) },
    ];
    run(simulation);
    const { aToB } = simulation.links.get("l")!;
    expect(aToB.report().entered.packets).toBe(1);
  });

  test("a packet over an MTU that the sender sees does not leave: the guest gets a report in its place", () => {
    const impairments = { both: { mtu: { bytes: 1_280, larger: "icmp" } } };
    const { discarded, guest, simulation } = simulate({ state: SAVED, impairments });
    const fields = { source: 0x0a00_0001, target: 0x0a00_0002, protocol: 17 };
    const send = (dontFragment: boolean): Output => {
      const [packet] = encodeIpv4({ ...fields, dontFragment }, new Uint8Array(1_400));
      const frame = encodeEthernet(2, 3, ETHERTYPE_IPV4, packet!);
      return { atNs: 200_000, kind: "frame", port: 0, data: addTag(0, frame) };
    };
    guest.next = [send(true), send(false)];
    run(simulation);
    // Ethernet, a tag, IPv4, ICMP, and 548 bytes of the packet.
    expect(guest.seen).toEqual(["frame of 594 bytes"]);
    expect(discarded).toEqual(["larger than the link's MTU of 1280 bytes"]);
    expect(simulation.links.get("l")!.aToB.report().entered.packets).toBe(2);
  });

  test("its clock is the lab's: a second of the lab is a second of the guest", () => {
    const { guest, simulation } = simulate({ state: SAVED });
    run(simulation);
    expect(guest.nowNs - 5_000_000_000).toBeGreaterThan(990_000_000);
    expect(guest.nowNs - 5_000_000_000).toBeLessThan(1_010_000_000);
  });

  test("a frame that the guest's card does not take is discarded, with the reason", () => {
    const { discarded, guest, simulation } = simulate({ state: SAVED });
    for (const length of [9_234, 9_235])
      simulation.schedule(500_000_000, {
        kind: "other",
        nodes: ["r1"],
        links: [],
        perform: () => simulation.nodes.get("r1")!.receive(0, new Uint8Array(length)),
      });
    run(simulation);
    expect(guest.seen).toEqual(["frame of 9238 bytes"]);
    expect(discarded).toEqual(["larger than 9234 bytes"]);
  });

  test("a frame that the guest's card drops is discarded, with the reason, also if the run before has ended at that time", () => {
    const drop = { kind: "drop", port: 0, data: "" } as const;
    const { discarded, guest, simulation } = simulate({ state: { ...SAVED, outputs: [drop] } });
    guest.next = [{ kind: "drop", port: 0, data: new Uint8Array(), atNs: 1_000 }];
    run(simulation);
    expect(discarded).toEqual(["the guest has no free buffer", "the guest has no free buffer"]);
  });

  test("reads files one after another, after its start", () => {
    const { guest, simulation, device } = simulate();
    const read: string[] = [];
    simulation.schedule(0, {
      kind: "other",
      nodes: ["r1"],
      links: [],
      perform() {
        expect(device().isStarting).toBe(true);
        for (const path of ["a", "b"])
          device().readFile(path, 10, (file) => read.push(`${path}: ${file.kind}`));
      },
    });
    run(simulation);
    expect(device().isStarting).toBe(false);
    // The guest of the test answers each job with a text that is no file.
    expect(read).toEqual(["a: unreadable", "b: unreadable"]);
    expect(guest.seen.filter((each) => each === "job")).toHaveLength(3);
    expect(guest.script).toContain("file='/b'");
  });

  test("runs a script beside the console, and returns its exit code and what it prints", () => {
    const { guest, simulation, device } = simulate({ state: SAVED, seconds: 0 });
    const results: unknown[] = [];
    simulation.schedule(0, {
      kind: "other",
      nodes: ["r1"],
      links: [],
      perform: () => device().runScript("echo hello", (result) => results.push(result)),
    });
    run(simulation);
    expect(guest.script).toContain("echo hello");
    expect(results).toEqual([{ code: 0, output: "hello\n" }]);
  });

  test("a run without a duration goes on until the file is read", () => {
    const { simulation, device } = simulate({ state: SAVED, seconds: 0 });
    const read: string[] = [];
    simulation.schedule(0, {
      kind: "other",
      nodes: ["r1"],
      links: [],
      perform: () => device().readFile("a", 10, ({ kind }) => read.push(kind)),
    });
    run(simulation);
    expect(read).toEqual(["unreadable"]);
    expect(simulation.stopped).toEqual({ reason: "idle" });
  });

  test("a caller without guests gets an error that names the node", () => {
    const spec: LinuxSpec = {
      type: "linux",
      name: "r9",
      image: "debian",
      ports: 1,
      mac: 2,
      addresses: [],
      files: {},
      commands: [],
    };
    const simulation = new Simulation({
      startUs: 0,
      seed: "1",
      limits: DEFAULT_LIMITS,
      makeTap: () => undefined,
    });
    expect(() =>
      simulation.addNode({
        id: "r9",
        name: "r9",
        spec,
        wires: new Map(),
        status: "started",
        state: undefined,
      }),
    ).toThrow("r9: nodes of the type linux cannot run here");
  });
});

describe("the carrier of a port", () => {
  const UP = "carrier 0 0x1003";
  const DOWN = "carrier 0 0x1002";
  const carriers = ({ seen }: FakeGuest) => seen.filter((each) => each.startsWith("carrier"));

  test("is away from the start where there is no cable", () => {
    const { guest, simulation, device } = simulate({ ports: 2 });
    run(simulation);
    expect(guest.script).toContain("link set p1 down");
    expect(guest.script).not.toContain("link set p0 down");
    expect(carriers(guest)).toEqual([]);
    expect(device().saveState().portsDown).toEqual([1]);
  });

  test("goes while the link is suspended, and with the impairment, and is asked for at each change only", () => {
    const suspended = simulate();
    for (const [at, isSuspended] of [true, true, false, false].entries())
      suspended.simulation.schedule((at + 1) * 1e8, changeLink("l", { suspended: isSuspended }));
    run(suspended.simulation);
    expect(carriers(suspended.guest)).toEqual([DOWN, UP]);
    const flapping = simulate({ impairments: { schedule: [{ at: "200ms", flap: { down: "300ms" } }] } });
    run(flapping.simulation);
    expect(carriers(flapping.guest)).toEqual([DOWN, UP]);
    expect(flapping.device().saveState()).not.toHaveProperty("portsDown");
  });

  test("is away from the start at a link that is suspended already", () => {
    const { guest, simulation } = simulate({ suspended: true });
    run(simulation);
    expect(carriers(guest)).toEqual([DOWN]);
  });

  test("changes when the next run begins, as the cables have changed since", () => {
    const carriersAfter = (options: Simulated) => {
      const { guest, simulation, device } = simulate(options);
      run(simulation);
      return [carriers(guest), device().saveState().portsDown];
    };
    expect(carriersAfter({ state: { ...SAVED, portsDown: [0] } })).toEqual([[UP], undefined]);
    expect(carriersAfter({ state: SAVED, ports: 2 })).toEqual([["carrier 1 0x1002"], [1]]);
    expect(carriersAfter({ state: { ...SAVED, portsDown: [1] }, ports: 2 })).toEqual([[], [1]]);
    expect(carriersAfter({ state: SAVED, suspended: true })).toEqual([[DOWN], [0]]);
  });
});
