/** A lab on two real computes, driven through the service alone. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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
