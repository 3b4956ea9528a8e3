/** Consoles of a node on a real compute, through the service: a WebSocket, and whole commands. */
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import WebSocket from "ws";
import { computePrograms, NEEDED } from "../helpers/rig/programs.ts";
import { makeRealPair, type RealPair, Rig } from "../helpers/rig/rig.ts";

describe.skipIf(computePrograms === undefined)(`consoles of nodes on real computes (${NEEDED})`, () => {
  let rig: Rig;
  let pair: RealPair;
  beforeAll(async () => {
    rig = await Rig.start(1);
    pair = await makeRealPair(rig, "consoles");
    await rig.done("POST", `${pair.nodes[0]}/start`);
  });
  afterAll(() => rig?.stop());

  async function open(node: string) {
    const socket = new WebSocket(`${rig.url.replace("http", "ws")}${node}/console/ws`);
    const screen = { text: "", isClosed: false };
    socket.on("message", (data) => {
      screen.text += String(data);
    });
    socket.on("close", () => {
      screen.isClosed = true;
    });
    await once(socket, "open");
    const until = (condition: () => boolean): Promise<void> =>
      expect.poll(() => condition() || screen.text, { timeout: 60_000, interval: 50 }).toBe(true);
    return { socket, screen, until };
  }

  test("a WebSocket carries keys and text, without telnet's commands", async () => {
    const { socket, screen, until } = await open(pair.nodes[0]);
    await until(() => screen.text.includes("Press Enter."));
    socket.send("\r");
    await until(() => screen.text.includes("PC1> "));
    for (const key of "show ip\r") socket.send(key);
    await until(() => /IP\/MASK +: 10\.0\.0\.1\/24[\s\S]*PC1> $/.test(screen.text));
    expect(screen.text).toContain("show ip\r\n");
    expect(screen.text).not.toMatch(/[\xff\ufffd]/);
    socket.close();
  });

  test("whole commands return what the node has printed", async () => {
    const { output, stopped } = await rig.done("POST", `${pair.nodes[0]}/console`, {
      commands: ["version", "show ip"],
    });
    expect(output).toMatch(/version\r\n[\s\S]*PC1> show ip\r\n[\s\S]*10\.0\.0\.1\/24[\s\S]*PC1> $/);
    expect(stopped).toBe("idle");
  });

  test("the console of a stopped node prints the reason and closes", async () => {
    const { screen, until } = await open(pair.nodes[1]);
    await until(() => screen.isClosed);
    expect(screen.text).toContain("PC2");
    const refused = await rig.call("POST", `${pair.nodes[1]}/console`, { commands: ["version"] });
    expect(refused).toMatchObject({ status: 409, json: { code: "node.not-started" } });
  });
});
