/** A lab on two real computes, driven through the service alone. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasProgram, readWith } from "../helpers/captures/pcap.ts";
import { computePrograms, NEEDED } from "../helpers/rig/programs.ts";
import { makeRealPair, type RealPair, Rig } from "../helpers/rig/rig.ts";
import { roundTripsMs } from "../helpers/rig/round-trips.ts";
import { Telnet } from "../helpers/rig/telnet.ts";

const READY_TIMEOUT_MS = 30_000;
/** A ping of one packet has ended, in any way. */
const PINGED = /(icmp_seq=1|not reachable|No gateway)[^\n]*\n[\s\S]*PC1> $/;
/** Nothing but a lost packet takes longer: VPCS waits for a second. */
const SLOWEST_MS = 900;

describe.skipIf(computePrograms === undefined)(`a lab on two real computes (${NEEDED})`, () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await Rig.start(2);
  });
  afterAll(() => rig?.stop());

  /** Types at the node's console as its compute shows it, without the service. */
  async function typeDirectly(node: string, line: string, end: RegExp): Promise<string> {
    const { console: port } = await rig.done("GET", node);
    const telnet = await Telnet.open(port);
    telnet.type(line);
    const output = await telnet.read(end);
    telnet.close();
    return output;
  }

  /** VPCS detects duplicate addresses for some seconds before it has its address. */
  async function ready({ nodes }: RealPair): Promise<void> {
    const endMs = performance.now() + READY_TIMEOUT_MS;
    while (!(await typeDirectly(nodes[0], "ping 10.0.0.2 -c 1", PINGED)).includes("icmp_seq=1 ttl")) {
      if (performance.now() > endMs) throw new Error("PC1 does not reach PC2");
      await sleep(500);
    }
  }

  const pingTimes = async ({ nodes }: RealPair): Promise<number[]> =>
    roundTripsMs(await typeDirectly(nodes[0], "ping 10.0.0.2 -c 4", /icmp_seq=4 [^\n]*\n/));

  const expectEach = (times: readonly number[], atLeastMs: number): void => {
    expect(times).toHaveLength(4);
    for (const time of times) {
      expect(time).toBeGreaterThanOrEqual(atLeastMs);
      expect(time).toBeLessThan(atLeastMs + SLOWEST_MS);
    }
  };

  test("pings through a delay of 30 ms, whose change acts while the nodes run", async () => {
    const pair = await makeRealPair(rig, "delay", { delay: [30, 0] });
    for (const node of pair.nodes) await rig.done("POST", `${node}/start`);
    await ready(pair);
    expectEach(await pingTimes(pair), 60);

    await rig.done("PUT", pair.link, { filters: { delay: [75, 0] } });
    expectEach(await pingTimes(pair), 150);

    await rig.done("PUT", pair.link, { filters: {} });
    const without = await pingTimes(pair);
    expect(Math.min(...without)).toBeLessThan(60);
  });

  test("drops all packets of a suspended link, and carries them again afterwards", async () => {
    const pair = await makeRealPair(rig, "suspend");
    for (const node of pair.nodes) await rig.done("POST", `${node}/start`);
    await ready(pair);
    await rig.done("PUT", pair.link, { suspend: true });
    const output = await typeDirectly(pair.nodes[0], "ping 10.0.0.2 -c 2", /(timeout|not reachable)[^\n]*\n/);
    expect(roundTripsMs(output)).toEqual([]);
    await rig.done("PUT", pair.link, { suspend: false });
    await ready(pair);
  });

  test.skipIf(!hasProgram("tshark"))(
    "streams a capture while it is recorded, and stores it when it is stopped",
    async () => {
      const pair = await makeRealPair(rig, "capture", { delay: [30, 0] });
      for (const node of pair.nodes) await rig.done("POST", `${node}/start`);
      await ready(pair);
      const { capture_compute_id } = await rig.done("POST", `${pair.link}/start_capture`, {});
      expect(capture_compute_id).toBe(rig.ids[0]);

      const followed = await fetch(`${rig.url}${pair.link}/pcap`);
      expect(followed.status).toBe(200);
      const chunks: Uint8Array[] = [];
      const following = (async () => {
        for await (const chunk of followed.body!) chunks.push(chunk);
      })();
      expectEach(await pingTimes(pair), 60);
      const endMs = performance.now() + READY_TIMEOUT_MS;
      // Before the capture is stopped: the packets have come while it was running.
      while (echoesIn(Buffer.concat(chunks)).length < 8 && performance.now() < endMs) await sleep(250);
      expect(echoesIn(Buffer.concat(chunks))).toHaveLength(8);

      await rig.done("POST", `${pair.link}/stop_capture`);
      await following;
      const [capture] = await rig.done("GET", `${pair.link}/captures`);
      const stored = await fetch(`${rig.url}${pair.link}/captures/${capture.capture_id}/pcap`);
      const file = Buffer.from(await stored.arrayBuffer());
      expect(Buffer.concat(chunks)).toEqual(file);
      expect(capture).toMatchObject({ status: "stopped", bytes: file.length });
      expect(readWith("tshark", file)).toHaveLength(capture.packets);
      // uBridge delays each packet before it records it, so a request is recorded 30 ms after PC1 has sent it.
      const answered = echoesIn(file).flatMap(({ responseMs }) => responseMs ?? []);
      expect(answered).toHaveLength(4);
      for (const time of answered) expect(time).toBeGreaterThanOrEqual(30);
    },
  );

  test("duplicates a node with its saved files", async () => {
    const { nodes } = await makeRealPair(rig, "duplicate");
    const copy = await rig.done("POST", `${nodes[0]}/duplicate`, { x: 10, y: 20 });
    const path = `${nodes[0].replace(/[^/]+$/, copy.node_id)}`;
    const text = await (await fetch(`${rig.url}${path}/files/startup.vpc`)).text();
    expect(text).toContain("ip 10.0.0.1/24");
    await rig.done("POST", `${path}/start`);
    expect((await rig.done("GET", path)).status).toBe("started");
    expect((await rig.call("POST", `${path}/duplicate`, { x: 0, y: 0 })).json.code).toBe("node.running");
  });

  test("keeps a capture whose compute was killed", async () => {
    const pair = await makeRealPair(rig, "killed-capture");
    for (const node of pair.nodes) await rig.done("POST", `${node}/start`);
    await ready(pair);
    await rig.done("POST", `${pair.link}/start_capture`, {});
    await pingTimes(pair);
    await rig.computes[0]!.kill();
    const refused = await rig.call("POST", `${pair.link}/stop_capture`);
    expect([refused.status, refused.json.code]).toEqual([503, "compute.unreachable"]);
    await rig.computes[0]!.start();
    expect((await rig.done("POST", `${pair.link}/stop_capture`)).capturing).toBe(false);
    const [capture] = await rig.done("GET", `${pair.link}/captures`);
    expect(capture.packets).toBeGreaterThanOrEqual(8);
  });

  test("has its nodes, links and filters again when a compute was killed and is back", async () => {
    const pair = await makeRealPair(rig, "killed", { delay: [30, 0] });
    for (const node of pair.nodes) await rig.done("POST", `${node}/start`);
    await ready(pair);

    await rig.computes[1]!.kill();
    const refused = await rig.call("POST", `${pair.nodes[1]}/reload`);
    expect([409, 503]).toContain(refused.status);
    expect(refused.json.message).toContain(rig.ids[1]);

    await rig.computes[1]!.start();
    await rig.done("POST", `${pair.nodes[1]}/stop`);
    await rig.done("POST", `${pair.nodes[1]}/start`);
    await ready(pair);
    expectEach(await pingTimes(pair), 60);
  });
});

interface Echo {
  readonly sequence: string;
  /** The time between a reply and its request. */
  readonly responseMs: number | undefined;
}

const ECHOES = ["-Y", "icmp.type == 0 || icmp.type == 8", "-T", "fields"];

/** Returns the ICMP echo packets in a capture. */
function echoesIn(pcap: Buffer): Echo[] {
  if (pcap.length === 0) return [];
  const lines = readWith("tshark", pcap, ...ECHOES, "-e", "icmp.seq", "-e", "icmp.resptime");
  return lines.map((line) => {
    const [sequence = "", time] = line.split("\t");
    return { sequence, responseMs: time ? Number(time) : undefined };
  });
}
