/** How a request carries a console of a compute: the compute is a WebSocket server, the store and the connections are stand-ins. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { makeTerminal } from "@wirelab/engine/terminal/terminal";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import type { ConsoleItem } from "../../../../functions/shared/store/console/console.ts";
import { relay } from "../../../../functions/sockets/console/relay.ts";
import { settles } from "../../../helpers/settles.ts";

const mocks = vi.hoisted(() => ({
  getConsole: vi.fn(),
  releaseConsole: vi.fn(),
  removeConsole: vi.fn(),
  saveProgress: vi.fn(),
  send: vi.fn(),
  disconnect: vi.fn(),
}));
vi.mock("../../../../functions/shared/store/console/console.ts", () => ({ ...mocks, listConsoles: vi.fn() }));
vi.mock("../../../../functions/shared/store/sockets/send.ts", () => mocks);

const KEY = { project_id: "p", node_id: "n", connection_id: "own" };
const message = (id: string, text: string, at_ms = Number(id)) => ({ id, at_ms, text });

/** The item in the table. */
let stored: ConsoleItem | undefined;
let printed: string;
let typed: string[];
let device: (socket: WebSocket, text: string) => void;
let server: WebSocketServer;
let remainingTimeMs: number;
let nowMs: number;

const target = () => ({
  url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
  headers: {},
  name: "c1",
});
const times = () => ({
  remainingTimeMs: () => remainingTimeMs,
  nowMs: () => nowMs,
  busyPollMs: 5,
  idlePollMs: 5,
  silenceMs: 0,
  reserveMs: 1_000,
});
const run = (): Promise<void> => relay(stored!, target(), times());
const endOfTime = (): void => {
  remainingTimeMs = 0;
};

beforeEach(async () => {
  printed = "";
  typed = [];
  device = () => undefined;
  remainingTimeMs = 29_000;
  nowMs = 1_000_000;
  stored = {
    ...KEY,
    terminal: makeTerminal(),
    prompt: "",
    input: [message("1", "a")],
    handled: 0,
    characters: 0,
    revision: 1,
    holder: "me",
    held_until_ms: Number.MAX_SAFE_INTEGER,
    expires_s: 0,
  };
  for (const mock of Object.values(mocks)) mock.mockReset();
  mocks.getConsole.mockImplementation(async () => stored && structuredClone(stored));
  mocks.releaseConsole.mockImplementation(async ({ revision }) => stored?.revision === revision);
  mocks.saveProgress.mockImplementation(async (_key, holder, progress) => {
    if (stored?.holder !== holder) return false;
    stored = { ...stored!, ...progress };
    return true;
  });
  mocks.send.mockImplementation(async (_id, text) => {
    printed += text;
    return true;
  });
  server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  server.on("connection", (socket) => {
    socket.on("message", (data) => {
      typed.push(String(data));
      device(socket, String(data));
    });
  });
});
afterEach(() => server.close());

const append = (...messages: ReturnType<typeof message>[]): void => {
  stored = {
    ...stored!,
    input: [...stored!.input, ...messages],
    revision: stored!.revision + messages.length,
  };
};

describe("a console of a compute", () => {
  test("is typed on in the order of the messages, and prints without telnet's commands", async () => {
    device = (socket, text) => {
      socket.send(Buffer.concat([Buffer.from([255, 251, 1]), Buffer.from(`<${text}>`)]));
      if (text === "a") append(message("3", "c"), message("2", "b"));
      if (text === "c") void settles(() => expect(printed).toContain("<b>")).then(endOfTime);
    };
    await run();
    expect(typed).toEqual(["a", "b", "c"]);
    expect(printed.startsWith("<a><b>")).toBe(true);
    expect(stored?.handled).toBe(3);
    expect(mocks.releaseConsole).toHaveBeenCalledTimes(1);
  });

  test("types a message after an earlier one that comes later", async () => {
    stored = { ...stored!, input: [message("1", "s")] };
    device = (_socket, text) => {
      if (text === "s") append(message("3", "o", nowMs - 10));
      if (text === "o") endOfTime();
    };
    let looks = 0;
    mocks.getConsole.mockImplementation(async () => {
      looks += 1;
      if (looks === 20) append(message("2", "h", nowMs - 20));
      if (looks === 40) nowMs += 5_000;
      return stored && structuredClone(stored);
    });
    await run();
    expect(typed).toEqual(["s", "h", "o"]);
    expect(looks).toBeGreaterThan(39);
    expect(stored?.handled).toBe(3);
  });

  test("does not wait for functions that may be loading if the console is not new", async () => {
    const input = [message("1", "a", nowMs - 300), message("2", "b", nowMs - 200)];
    stored = { ...stored!, input, handled: 1, revision: 2 };
    device = endOfTime;
    let looks = 0;
    mocks.getConsole.mockImplementation(async () => {
      looks += 1;
      if (looks === 50) endOfTime();
      return stored && structuredClone(stored);
    });
    await run();
    expect(typed).toEqual(["b"]);
    expect(looks).toBeLessThan(50);
  });

  test("types what waits when its time is over", async () => {
    device = (_socket, text) => {
      if (text !== "a") return;
      append(message("2", "b", nowMs));
      endOfTime();
    };
    await run();
    expect(typed).toEqual(["a", "b"]);
  });

  test("types a message that comes while it is released", async () => {
    device = (_socket, text) => text === "a" && endOfTime();
    mocks.releaseConsole.mockImplementationOnce(async () => {
      append(message("2", "b"));
      return false;
    });
    await run();
    expect(typed).toEqual(["a", "b"]);
    expect(mocks.releaseConsole).toHaveBeenCalledTimes(2);
  });

  test("types nothing that a request has typed that died", async () => {
    stored = { ...stored!, input: [message("1", "rm "), message("2", "x")], handled: 1 };
    device = endOfTime;
    await run();
    expect(typed).toEqual(["x"]);
  });

  test("types a message once that the table has twice", async () => {
    append(message("1", "a"), message("2", "b"));
    device = (_socket, text) => text === "b" && endOfTime();
    await run();
    expect(typed).toEqual(["a", "b"]);
  });

  test("types nothing when another request holds it", async () => {
    mocks.saveProgress.mockResolvedValue(false);
    await run();
    expect(typed).toEqual([]);
    expect(mocks.releaseConsole).not.toHaveBeenCalled();
  });

  test("closes with a line of text when the compute closes it", async () => {
    device = (socket) => socket.close();
    await run();
    expect(printed).toContain("The compute has closed the console.");
    expect(mocks.disconnect).toHaveBeenCalledWith("own");
    expect(mocks.removeConsole).toHaveBeenCalled();
  });

  test("ends when the client has left", async () => {
    mocks.send.mockResolvedValue(false);
    device = (socket) => socket.send(Buffer.from("out"));
    await run();
    expect(mocks.removeConsole).toHaveBeenCalled();
  });

  test("ends when the console has been removed from the table", async () => {
    device = () => {
      stored = undefined;
    };
    await run();
    expect(mocks.releaseConsole).not.toHaveBeenCalled();
  });

  test("says that more is printed than the request can carry", async () => {
    device = (socket) => {
      socket.send(Buffer.from("boot..."));
      endOfTime();
    };
    await relay(stored!, target(), { ...times(), silenceMs: 60_000 });
    expect(printed).toContain("Press a key to see what follows.");
  });
});
