/** The console of a node over a WebSocket: keys in, text for a terminal out. */

import { setTimeout as sleep } from "node:timers/promises";
import { viewConsole } from "@wirelab/engine/devices/console-view";
import { makeTerminal, toScreen } from "@wirelab/engine/terminal/terminal";
import { consoleTarget, refuseTypingThere } from "../../shared/compute-console/console-target.ts";
import { print } from "../../shared/console/print.ts";
import type { Access } from "../../shared/edge/access.ts";
import { ApiError } from "../../shared/edge/errors.ts";
import { refuseTyping } from "../../shared/run/refuse-typing.ts";
import {
  type ConsoleItem,
  type ConsoleKey,
  endOpening,
  getConsole,
  holdConsole,
  putConsole,
  releaseConsole,
  removeConsole,
  typeOn,
} from "../../shared/store/console/console.ts";
import { readItems } from "../../shared/store/contents/read.ts";
import { existingNode, isOnCompute, type NodeItem } from "../../shared/store/lab/node.ts";
import { openedProject } from "../../shared/store/project/project.ts";
import { type Connection, connectionExpiry } from "../../shared/store/sockets/connection.ts";
import { disconnect, send } from "../../shared/store/sockets/send.ts";
import type { Channel } from "../channel.ts";
import { handOver } from "./hand-over.ts";
import { readPace } from "./pace.ts";

/** The hold of a request that has died lasts this much longer than the request could. */
const SPARE_MS = 1_000;
const OPENING_POLL_MS = 50;
const BELL = "\x07";
const NUL = "\0";

const keyOf = ({ connection_id, params }: Connection): ConsoleKey => ({
  project_id: params.project_id ?? "",
  node_id: params.node_id ?? "",
  connection_id,
});

/** @throws ApiError when the project or the node does not exist, or the project is closed. */
async function readNode(access: Access, { project_id, node_id }: ConsoleKey): Promise<NodeItem> {
  const { project, nodes } = await readItems(access, project_id, { nodes: [node_id] });
  openedProject(project, project_id);
  return existingNode(nodes.get(node_id), node_id);
}

/** The compute's node edits its lines itself, so the terminal here has none. */
const CARRIED = { prompt: "", history: [] };

const viewOf = ({ name, document, state }: NodeItem) => viewConsole(document.node_type, name, state?.device);

/** @throws ApiError `node.no-console`, `node.not-started` */
function greetingOf(node: NodeItem): string {
  if (isOnCompute(node)) {
    refuseTypingThere(node);
    return `[${node.name} on ${node.document.compute_id}. Press Enter.]\r\n`;
  }
  refuseTyping(node);
  const { greeting, prompt } = viewOf(node)!;
  return toScreen(`${greeting}\n${prompt}`);
}

/** A compute that is away is one line, and the next key tries again. */
async function carry(item: ConsoleItem, node: NodeItem, remainingTimeMs: () => number): Promise<void> {
  const { RELAY_TIMES, relay } = await import("./relay.ts");
  try {
    refuseTypingThere(node);
    await relay(item, await consoleTarget(node), { ...RELAY_TIMES, remainingTimeMs });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await print(item.connection_id, `\r\n[${toScreen(error.message)}]\r\n`);
    await letGo(item);
  }
}

/** Drops what was typed: typing it later, when the compute is there again, would surprise. */
async function letGo(item: ConsoleItem): Promise<void> {
  for (
    let current: ConsoleItem | undefined = item;
    current !== undefined && current.holder === item.holder;
    current = await getConsole(item)
  ) {
    if (await releaseConsole(current, current)) return;
  }
}

export const nodeConsole: Channel = {
  path: "/projects/{project_id}/nodes/{node_id}/console/ws",
  // Typing runs the lab.
  role: "editor",

  async admit(access, connection) {
    const key = keyOf(connection);
    const node = await readNode(access, key);
    const view = isOnCompute(node) ? CARRIED : viewOf(node);
    if (view === undefined) return;
    const { prompt, history } = view;
    await putConsole({ ...key, prompt, terminal: makeTerminal(history), expires_s: connectionExpiry() });
  },

  /** Existing clients expect that the handshake of a stopped node's console succeeds, and that the connection is closed then. */
  async open(access, connection) {
    const key = keyOf(connection);
    try {
      const node = await readNode(access, key);
      await print(key.connection_id, greetingOf(node));
      await endOpening(key);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      await print(key.connection_id, `${toScreen(error.message)}\r\n`);
      await removeConsole(key);
      await disconnect(key.connection_id);
    }
  },

  /** Terminals ignore NUL. */
  keepAlive: ({ connection_id }) => send(connection_id, NUL),

  async message(access, connection, { text, receivedMs, remainingTimeMs }) {
    const key = keyOf(connection);
    const hold = { holder: crypto.randomUUID(), untilMs: Date.now() + remainingTimeMs() + SPARE_MS };
    const late_ms = Math.max(0, Date.now() - receivedMs);
    let typed = await typeOn(key, { id: crypto.randomUUID(), at_ms: receivedMs, late_ms, text }, hold);
    while (typed.state === "opening") {
      await sleep(OPENING_POLL_MS);
      typed = await holdConsole(key, hold);
    }
    if (typed.state === "full") await print(key.connection_id, BELL);
    if (typed.state !== "held") return;
    // A simulated device has a prompt: its node is read with the lab.
    if (typed.item.prompt === CARRIED.prompt)
      return carry(typed.item, await readNode(access, key), remainingTimeMs);
    const { handleInput } = await import("../../shared/console/held-console.ts");
    await handleInput(typed.item, {
      access,
      pace: readPace(),
      remainingTimeMs,
      handOver: (item, entered) => handOver(access, item, entered),
    });
  },

  async close(connection) {
    await removeConsole(keyOf(connection));
  },
};
