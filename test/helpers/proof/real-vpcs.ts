/**
 * The real `vpcs` of this machine: one process with one PC, its telnet console, and its cable.
 *
 *     vpcs process <- UDP on loopback, a frame in each datagram -> UdpCable <- RecordingBridge -> any other CableEnd
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket as TcpSocket } from "node:net";
import { constants, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const LOOPBACK = "127.0.0.1";
const START_TIMEOUT_MS = 20_000;
const COMMAND_TIMEOUT_MS = 40_000;
const CONNECT_RETRY_MS = 50;

const TELNET_IAC = 0xff;
const TELNET_COMMAND_BYTES = 3;
/** WONT ECHO. Any bytes work: 0.8.3 sends nothing until the client has sent something. */
const TELNET_ANSWER = Uint8Array.of(TELNET_IAC, 0xfc, 0x01);
/** The carriage return before the PC's name distinguishes a prompt from text that looks like one. */
const PROMPT = /\r\n\r[^\s>]+> $/;

/** `-v` prints the banner and ends. */
const banner = spawnSync("vpcs", ["-v"], { encoding: "latin1", stdio: ["ignore", "pipe", "ignore"] });

export const hasVpcs = banner.error === undefined;
/** Version, for example `0.8.3`; undefined if the program is not installed. */
export const vpcsVersion = /version (\S+)/.exec(banner.stdout ?? "")?.[1];

/** The end of a station's cable: it sends frames through `onFrame` and receives them by `deliver`. */
export interface CableEnd {
  readonly name: string;
  onFrame: (frame: Uint8Array) => void;
  deliver(frame: Uint8Array): void;
}

export interface NotedFrame {
  /** Microseconds since 1970. */
  readonly atUs: number;
  readonly from: string;
  readonly frame: Uint8Array;
}

export const wallClockUs = (): number => Math.floor((performance.timeOrigin + performance.now()) * 1000);

/** Carries frames between both ends and records each. */
export class RecordingBridge {
  readonly frames: NotedFrame[] = [];

  constructor(one: CableEnd, other: CableEnd) {
    this.#carry(one, other);
    this.#carry(other, one);
  }

  #carry(from: CableEnd, to: CableEnd): void {
    from.onFrame = (frame) => {
      this.frames.push({ atUs: wallClockUs(), from: from.name, frame });
      to.deliver(frame);
    };
  }
}

/** The cable of a vpcs process. Frames to it are lost until the process listens, as on a cable to a PC that is off. */
export class UdpCable implements CableEnd {
  readonly name: string;
  /** The port of the process. */
  readonly vpcsPort: number;
  readonly #socket: Socket;
  onFrame: (frame: Uint8Array) => void = () => {};

  private constructor(name: string, vpcsPort: number, socket: Socket) {
    this.name = name;
    this.vpcsPort = vpcsPort;
    this.#socket = socket;
    socket.on("message", (frame) => this.onFrame(new Uint8Array(frame)));
  }

  static async open(name: string): Promise<UdpCable> {
    return new UdpCable(name, await freeUdpPort(), await boundSocket());
  }

  /** The port to which the process sends. */
  get port(): number {
    return this.#socket.address().port;
  }

  deliver(frame: Uint8Array): void {
    this.#socket.send(frame, this.vpcsPort, LOOPBACK);
  }

  close(): void {
    this.#socket.close();
  }
}

async function boundSocket(): Promise<Socket> {
  const socket = createSocket("udp4");
  socket.bind(0, LOOPBACK);
  await once(socket, "listening");
  return socket;
}

async function freeUdpPort(): Promise<number> {
  const socket = await boundSocket();
  const { port } = socket.address();
  socket.close();
  return port;
}

async function freeTcpPort(): Promise<number> {
  const server = createServer().listen(0, LOOPBACK);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Lets the program and this process, which carries its frames, run before other tests: the program's waits end by the clock. */
function goFirst(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_HIGH);
    setPriority(constants.priority.PRIORITY_HIGH);
  } catch {
    // Only root may go first.
  }
}

export class RealVpcs {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #console: TcpSocket;
  #received = "";
  #onText: () => void = () => {};

  private constructor(process: ChildProcess, folder: string, console: TcpSocket) {
    this.#process = process;
    this.#folder = folder;
    this.#console = console;
    console.on("data", (bytes) => this.#take(bytes));
    console.on("error", () => {});
    console.on("close", () => this.#onText());
    console.write(TELNET_ANSWER);
  }

  /** Starts a process and waits for its first prompt. @throws Error if none appears in 20 s. */
  static async start(cable: UdpCable, macIndex: number): Promise<RealVpcs> {
    const folder = mkdtempSync(join(tmpdir(), "wirelab-vpcs-"));
    const consolePort = await freeTcpPort();
    const ports = ["-s", cable.vpcsPort, "-c", cable.port, "-t", LOOPBACK, "-p", consolePort];
    const options = ["-i", 1, "-m", macIndex, "-F", ...ports].map(String);
    const process = spawn("vpcs", options, { cwd: folder, stdio: "ignore" });
    goFirst(process.pid);
    try {
      const real = new RealVpcs(process, folder, await connectWhenOpen(consolePort));
      await real.#until(START_TIMEOUT_MS, "its first prompt");
      return real;
    } catch (error) {
      await end(process, folder);
      throw error;
    }
  }

  /**
   * Types a line and waits for the next prompt.
   * @returns the output between the echo of the line and the empty line of the prompt, without carriage returns.
   */
  async type(line: string): Promise<string> {
    this.#received = "";
    this.#console.write(`${line}\n`);
    await this.#until(COMMAND_TIMEOUT_MS, `the end of ${line}`);
    const printed = this.#received.replace(PROMPT, "").replaceAll("\r", "");
    return printed.slice(printed.indexOf("\n") + 1);
  }

  /** Leaves the cable open: its owner closes it. */
  async stop(): Promise<void> {
    this.#console.destroy();
    await end(this.#process, this.#folder);
  }

  #take(bytes: Buffer): void {
    this.#received += withoutTelnet(bytes).toString("latin1");
    this.#onText();
  }

  /** Waits until a prompt ends the output since the last line was typed. */
  async #until(timeoutMs: number, what: string): Promise<void> {
    const timeout = AbortSignal.timeout(timeoutMs);
    while (!PROMPT.test(this.#received)) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      this.#onText = resolve;
      timeout.onabort = () =>
        reject(new Error(`vpcs: ${what} has not come: ${JSON.stringify(this.#received)}`));
      if (this.#console.closed) reject(new Error(`vpcs has ended: ${JSON.stringify(this.#received)}`));
      await promise;
    }
    timeout.onabort = null;
  }
}

/** Every command of the negotiation is three bytes long and arrives whole. */
function withoutTelnet(bytes: Buffer): Buffer {
  const text: number[] = [];
  for (let at = 0; at < bytes.length; at += bytes[at] === TELNET_IAC ? TELNET_COMMAND_BYTES : 1) {
    if (bytes[at] !== TELNET_IAC) text.push(bytes[at]!);
  }
  return Buffer.from(text);
}

/** Connects to the console as soon as the process listens. */
async function connectWhenOpen(port: number): Promise<TcpSocket> {
  for (const endMs = Date.now() + START_TIMEOUT_MS; ; await pause(CONNECT_RETRY_MS)) {
    const socket = connect(port, LOOPBACK);
    try {
      await once(socket, "connect");
      return socket;
    } catch (error) {
      socket.destroy();
      if (Date.now() > endMs) throw error;
    }
  }
}

/** Sends SIGTERM: the process has forked one that runs the PC, and ends it on SIGTERM; SIGKILL would leave it running. */
async function end(process: ChildProcess, folder: string): Promise<void> {
  if (process.exitCode === null && process.signalCode === null && process.kill("SIGTERM")) {
    await once(process, "exit");
  }
  rmSync(folder, { recursive: true, force: true });
}
