/** The user ends a live link with a signal, while its socket waits for datagrams. */
import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, test } from "vitest";

const CLI = new URL("../../../../packages/wirelab/wirelab.js", import.meta.url).pathname;

async function freePort(): Promise<number> {
  const socket = createSocket("udp4");
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

test.each(["SIGINT", "SIGTERM"] as const)("%s ends a live link, which prints its counts", async (signal) => {
  const ports = [await freePort(), await freePort(), await freePort(), await freePort()];
  const [a, b, c, d] = ports.map((port) => `127.0.0.1:${port}`);
  const child = spawn(process.execPath, [CLI, "link", "--live", "--json", `udp:${a},${b}`, `udp:${c},${d}`], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  let printed = "";
  child.stdout.on("data", (text) => {
    const before = printed;
    printed += text;
    if (printed.includes("b: UDP") && !before.includes("b: UDP")) child.kill(signal);
  });
  expect(await ended).toEqual([0, null]);
  expect(printed).toMatch(/^sockets: /);
  expect(JSON.parse(printed.slice(printed.indexOf("{")))).toHaveProperty("links");
});
