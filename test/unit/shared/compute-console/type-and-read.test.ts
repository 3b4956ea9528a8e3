import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { ComputeConsole } from "../../../../functions/shared/compute-console/compute-console.ts";
import { typeAndRead } from "../../../../functions/shared/compute-console/type-and-read.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

type Device = (socket: WebSocket, typed: string) => void;

/** A compute whose console greets, echoes, and lets the device answer. */
async function openConsole(device: Device): Promise<ComputeConsole> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  closers.push(() => server.close());
  server.on("connection", (socket) => {
    socket.send(Buffer.from([255, 251, 1]));
    socket.send(Buffer.from("old output\r\nPC1> "));
    socket.on("message", (data) => {
      socket.send(Buffer.from(`${data}\n`));
      device(socket, String(data));
    });
  });
  const { port } = server.address() as AddressInfo;
  const target = { url: `ws://127.0.0.1:${port}/console`, headers: {}, name: "c1" };
  const console = await ComputeConsole.open(target);
  closers.push(() => void console.close());
  return console;
}

const answers: Device = (socket, typed) => {
  socket.send(Buffer.from(`answer to ${typed.trim()}\r\n`));
  setImmediate(() => socket.send(Buffer.from("PC1> ")));
};
const patient = { silenceMs: 300, remainingMs: () => 60_000, characters: 100_000 };

describe("lines typed into a console of a compute", () => {
  test("return what was printed after each, without earlier output and telnet's commands", async () => {
    const console = await openConsole(answers);
    expect(await typeAndRead(console, ["one", "two"], patient)).toEqual({
      output: "one\r\nanswer to one\r\nPC1> two\r\nanswer to two\r\nPC1> ",
      limit: null,
    });
  });

  test("end at the limit of time, with what was printed by then", async () => {
    let isOver = false;
    const console = await openConsole((socket) => {
      isOver = true;
      socket.send(Buffer.from("working"));
    });
    const remainingMs = () => (isOver ? 0 : 60_000);
    const { output, limit } = await typeAndRead(console, ["one", "two"], { ...patient, remainingMs });
    expect({ limit, hasSecond: output.includes("two") }).toEqual({ limit: "lab_seconds", hasSecond: false });
  });

  test("end at the limit of characters", async () => {
    const console = await openConsole((socket) => socket.send(Buffer.from("x".repeat(500))));
    const transcript = await typeAndRead(console, ["show", "never"], { ...patient, characters: 100 });
    expect(transcript.limit).toBe("output_characters");
    expect(transcript.output).toBe(`show\r\n${"x".repeat(500)}`.slice(0, 100));
  });

  test("end when the compute closes the console", async () => {
    const console = await openConsole((socket) => socket.close());
    const { limit } = await typeAndRead(console, ["halt", "never"], patient);
    expect({ limit, isOpen: console.isOpen }).toEqual({ limit: null, isOpen: false });
  });

  test("are refused when the compute refuses the console", async () => {
    const target = { url: "ws://127.0.0.1:1/console", headers: {}, name: "c1" };
    await expect(ComputeConsole.open(target)).rejects.toMatchObject({
      code: "compute.console-closed",
      status: 409,
    });
  });
});
