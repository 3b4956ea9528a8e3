/** The open WebSockets, and the limits that API Gateway puts on each. */
import type { WebSocket } from "ws";
import type { SocketIdentity } from "./socket-event.ts";

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
export const MESSAGE_MAX_BYTES = 128 * 1024;
export const FRAME_MAX_BYTES = 32 * 1024;
const IDLE_MS = 10 * 60_000;
const LIFETIME_MS = 2 * 3_600_000;

/** The status codes of close frames: RFC 6455, section 7.4.1, and IANA's registry. */
export const CLOSE = {
  normal: 1000,
  goingAway: 1001,
  unsupportedData: 1003,
  messageTooBig: 1009,
  /** The local service stops. API Gateway never sends this code. */
  serviceRestart: 1012,
} as const;

export interface SocketLimits {
  /** A connection without a message in either direction is closed after this time. */
  readonly idleMs: number;
  readonly lifetimeMs: number;
}

interface OpenSocket {
  readonly identity: SocketIdentity;
  readonly socket: WebSocket;
  readonly timers: readonly NodeJS.Timeout[];
  /** Resolves when the function has handled `$disconnect`. */
  readonly ended: Promise<void>;
  lastActiveMs: number;
}

export class SocketConnections {
  readonly #open = new Map<string, OpenSocket>();
  readonly #limits: SocketLimits;

  constructor(limits: Partial<SocketLimits> = {}) {
    this.#limits = { idleMs: IDLE_MS, lifetimeMs: LIFETIME_MS, ...limits };
  }

  /** @param onEnd handles `$disconnect`: it is called once, with the status of the close frame. */
  add(
    identity: SocketIdentity,
    socket: WebSocket,
    onEnd: (code: number, reason: string) => Promise<void>,
  ): void {
    const { idleMs, lifetimeMs } = this.#limits;
    const timers = [
      setTimeout(() => socket.close(CLOSE.goingAway, "Going away"), idleMs),
      // API Gateway sends the same close frame here. The desktop client opens a new connection only if it gets none.
      setTimeout(() => socket.terminate(), lifetimeMs),
    ].map((timer) => timer.unref());
    const { connectionId } = identity;
    const ended = new Promise<void>((resolve) => {
      socket.once("close", (code: number, reason: Buffer) => {
        for (const timer of timers) clearTimeout(timer);
        this.#open.delete(connectionId);
        void onEnd(code, reason.toString()).finally(resolve);
      });
    });
    this.#open.set(connectionId, { identity, socket, timers, ended, lastActiveMs: Date.now() });
  }

  /** Postpones the end of an idle connection. */
  touch(connectionId: string): void {
    const found = this.#open.get(connectionId);
    if (found === undefined) return;
    found.lastActiveMs = Date.now();
    found.timers[0]!.refresh();
  }

  describe(connectionId: string) {
    const found = this.#open.get(connectionId);
    if (found === undefined) return undefined;
    const { identity, lastActiveMs } = found;
    return {
      connectedAt: new Date(identity.connectedAtMs).toISOString(),
      identity: { sourceIp: identity.sourceIp, userAgent: identity.userAgent ?? "" },
      lastActiveAt: new Date(lastActiveMs).toISOString(),
    };
  }

  /** Resolves when the message is handed to the system. @returns false when there is no such connection. */
  async send(connectionId: string, text: string): Promise<boolean> {
    const found = this.#open.get(connectionId);
    if (found === undefined || found.socket.readyState !== found.socket.OPEN) return false;
    const failed = await new Promise<Error | null | undefined>((resolve) => found.socket.send(text, resolve));
    if (failed) return false;
    this.touch(connectionId);
    return true;
  }

  /** @returns false when there is no such connection. */
  close(connectionId: string): boolean {
    const found = this.#open.get(connectionId);
    found?.socket.close(CLOSE.normal, "Connection Closed Normally");
    return found !== undefined;
  }

  /** Closes all connections, and waits until the function knows; connections whose clients do not answer are cut after half of the time. */
  async closeAll(graceMs: number): Promise<void> {
    const all = [...this.#open.values()];
    for (const { socket } of all) socket.close(CLOSE.serviceRestart, "Service restart");
    const cutting = setTimeout(() => {
      for (const { socket } of all) socket.terminate();
    }, graceMs / 2);
    const patience = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref());
    await Promise.race([Promise.all(all.map(({ ended }) => ended)), patience]);
    clearTimeout(cutting);
  }
}
