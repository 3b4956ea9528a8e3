/** `wirelab console`: a terminal on the console of a node. */
import { finished } from "node:stream/promises";
import { StringDecoder } from "node:string_decoder";
import type { RawData, WebSocket } from "ws";
import { parseCommandLine, type Surroundings } from "./command-line.ts";
import { DataError } from "./failure.ts";
import { findNode } from "./service/find-node.ts";
import { holdToken } from "./service/hold-token.ts";
import {
  consolePath,
  findService,
  messageIn,
  openSocket,
  SERVICE_HELP,
  SERVICE_OPTIONS,
} from "./service/service.ts";
import { Keystrokes } from "./telnet/keystrokes.ts";
import { bytesOf } from "./telnet/telnet-server.ts";

export const help = `Usage: wirelab console [options] PROJECT NODE

Opens the console of a started node. PROJECT and NODE are names or ids. Ctrl-] leaves.
With a pipe as standard input, types its lines and ends when the last one has ended.

${SERVICE_HELP}`;

const LEAVE = "\x1d";
const CLEAR_KEY = "\x0c";
/** What a console prints for Ctrl-L, before the prompt. */
const CLEARED = "\x1b[H\x1b[2J";
/** What a console shows while a run computes, and what erases it: functions/shared/console/running-sign.ts. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's sequence
const RUNNING = /^(?:\r\x1b\[K)?(?:\[running(?:, [\d.]+ s of lab time)?\]$)?/;
const ENDING_SIGNALS = ["SIGTERM", "SIGHUP"] as const;

/** Standard input as a terminal has it. */
type Keyboard = Surroundings["stdin"] & {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
};

export async function run(args: string[], surroundings: Surroundings): Promise<void> {
  const { values, positionals } = parseCommandLine(args, {
    options: SERVICE_OPTIONS,
    positionals: ["PROJECT", "NODE"],
  });
  const [project, node] = positionals as [string, string];
  const service = findService(values);
  await holdToken(service);
  const { projectId, nodeId, name } = await findNode(service, project, node);
  const socket = openSocket(service, consolePath(projectId, nodeId));
  const console: Console = { socket, name, receive: receiverOf(socket) };
  await opened(console);
  const keyboard: Keyboard = surroundings.stdin;
  if (keyboard.isTTY) await joinTerminal(console, keyboard, surroundings);
  else await joinPipe(console, keyboard, surroundings);
}

interface Console {
  readonly socket: WebSocket;
  readonly name: string;
  /** Sets the receiver of the console's messages. */
  readonly receive: (receiver: Receiver) => void;
}

type Receiver = (data: RawData) => void;

/** Keeps messages until there is a receiver: the first may arrive together with the handshake. */
function receiverOf(socket: WebSocket): Console["receive"] {
  const early: RawData[] = [];
  let receiver: Receiver = (data) => early.push(data);
  socket.on("message", (data) => receiver(data));
  return (next) => {
    receiver = next;
    for (const data of early.splice(0)) next(data);
  };
}

/** @throws DataError with the service's message if it refuses the console. */
function opened({ socket, name }: Console): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", (error) =>
      reject(new DataError(`the console of ${name} cannot be opened: ${error.message}`)),
    );
    socket.once("unexpected-response", (_request, response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.once("end", () =>
        reject(
          new DataError(`the console of ${name} cannot be opened: ${response.statusCode} ${messageIn(text)}`),
        ),
      );
    });
  });
}

async function joinTerminal(
  { socket, name, receive }: Console,
  keyboard: Keyboard,
  { stdout, stderr }: Surroundings,
): Promise<void> {
  const keystrokes = new Keystrokes((text) => socket.send(text));
  const utf8 = new StringDecoder("utf8");
  const leave = () => socket.close();
  const restore = () => keyboard.setRawMode?.(false);
  stderr.write(`Console of ${name}; Ctrl-] leaves.\r\n`);
  keyboard.setRawMode?.(true);
  // The terminal of a process that ends in another way, such as by an uncaught error, is restored, too.
  process.once("exit", restore);
  for (const signal of ENDING_SIGNALS) process.once(signal, leave);
  keyboard.on("data", (bytes: Buffer) => {
    const [typed = "", ...rest] = utf8.write(bytes).split(LEAVE);
    if (typed !== "") keystrokes.type(typed);
    if (rest.length > 0) leave();
  });
  keyboard.once("end", leave);
  receive((data) => stdout.write(bytesOf(data)));
  try {
    await closed(socket);
  } finally {
    keystrokes.stop();
    restore();
    process.off("exit", restore);
    for (const signal of ENDING_SIGNALS) process.off(signal, leave);
    keyboard.removeAllListeners("data").pause();
    stdout.write("\r\n");
  }
}

/**
 * After the end of the input, types Ctrl-L: the console clears its screen when all lines before have ended, and the command ends. Prints
 * no CR, and no NUL that keeps the connection alive, because a file or another program reads the text.
 */
async function joinPipe(
  { socket, receive }: Console,
  input: Keyboard,
  { stdout }: Surroundings,
): Promise<void> {
  const keystrokes = new Keystrokes((text) => socket.send(text));
  const utf8 = new StringDecoder("utf8");
  let isAtEnd = false;
  receive((data) => {
    const text = Buffer.from(bytesOf(data)).toString().replace(RUNNING, "");
    const end = isAtEnd ? text.indexOf(CLEARED) : -1;
    stdout.write((end < 0 ? text : text.slice(0, end)).replaceAll("\r", "").replaceAll("\0", ""));
    if (end >= 0) socket.close();
  });
  input.on("data", (bytes: Buffer) => keystrokes.type(utf8.write(bytes)));
  const whenClosed = closed(socket);
  await Promise.race([finished(input, { writable: false }), whenClosed]);
  isAtEnd = true;
  if (socket.readyState === socket.OPEN) keystrokes.type(CLEAR_KEY);
  await whenClosed;
  keystrokes.stop();
  input.removeAllListeners("data").pause();
  stdout.write("\n");
}

const closed = (socket: WebSocket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.readyState === socket.CLOSED) resolve();
    else socket.once("close", () => resolve());
  });
