/** What a real compute reports reaches clients that follow events: its VPCS is killed, without a request. */

import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import WebSocket from "ws";
import { computePrograms, NEEDED } from "../helpers/rig/programs.ts";
import { makeRealPair, type RealPair, Rig } from "../helpers/rig/rig.ts";
import { EventFollower, type SeenEvent } from "../helpers/service/events.ts";

const PATIENCE = { timeout: 60_000, interval: 100 };

/** Returns the processes that work in the folder. */
const processesIn = (folder: string): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch {
        return false;
      }
    });

describe.skipIf(computePrograms === undefined)(`reports of real computes (${NEEDED})`, () => {
  let rig: Rig;
  let pair: RealPair;
  beforeAll(async () => {
    rig = await Rig.start(1);
    pair = await makeRealPair(rig, "reports");
  });
  afterAll(() => rig?.stop());

  async function kill(node: string): Promise<void> {
    const { node_directory } = await rig.done("GET", node);
    const processes = processesIn(node_directory);
    expect(processes.length).toBeGreaterThan(0);
    for (const pid of processes) process.kill(pid, "SIGKILL");
  }
  const statusOf = async (node: string): Promise<string> => (await rig.done("GET", node)).status;
  const stopped = ({ action, event }: SeenEvent): boolean =>
    action === "node.updated" && event.status === "stopped";

  test("a client of the project sees over HTTP that a node was killed; then it can be started again", async () => {
    const [node] = pair.nodes;
    await rig.done("POST", `${node}/start`);
    const follower = await EventFollower.open(`${rig.url}${pair.project}/notifications`);
    // The compute reports a load to all that follow it, so the service follows when the first has come.
    const load = await EventFollower.open(`${rig.url}/notifications`);
    await load.until(({ action, event }) => action === "compute.updated" && event.cpu_usage_percent !== null);
    await expect
      .poll(async () => {
        if ((await statusOf(node)) === "started") await kill(node).catch(() => undefined);
        return follower.events.some(stopped);
      }, PATIENCE)
      .toBe(true);
    await expect.poll(() => statusOf(node), PATIENCE).toBe("stopped");
    follower.close();
    load.close();
    // The compute of GNS3 2.2 keeps the console of a killed VPCS open until the node is stopped.
    for (const action of ["stop", "start"]) await rig.done("POST", `${node}/${action}`);
    expect(await statusOf(node)).toBe("started");
  });

  test("so does a client over WebSocket", async () => {
    const node = pair.nodes[1];
    await rig.done("POST", `${node}/start`);
    const socket = new WebSocket(`${rig.url.replace("http", "ws")}${pair.project}/notifications/ws`);
    const events: SeenEvent[] = [];
    socket.on("message", (text) => events.push(JSON.parse(String(text))));
    await once(socket, "open");
    const loads = new WebSocket(`${rig.url.replace("http", "ws")}/notifications/ws`);
    let isLoaded = false;
    loads.on("message", (text) => {
      isLoaded ||= JSON.parse(String(text)).action === "compute.updated";
    });
    await expect.poll(() => isLoaded, PATIENCE).toBe(true);
    await kill(node);
    await expect.poll(() => events.some(stopped), PATIENCE).toBe(true);
    expect(await statusOf(node)).toBe("stopped");
    socket.close();
    loads.close();
  });
});
