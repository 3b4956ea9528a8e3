/** Messages of a compute: text frames of its WebSocket `/v2/compute/notifications/ws`, of which a ping comes each second. */
import { WebSocket } from "ws";
import type { SocketTarget } from "../compute/socket-target.ts";

export interface ComputeMessage {
  /** `ping`, `node.updated`, `log.error`, ... */
  readonly action: string;
  readonly event: Readonly<Record<string, unknown>>;
  readonly projectId: string | undefined;
}

const HANDSHAKE_TIMEOUT_MS = 5_000;
/** A compute that is silent for this time is away. */
const SILENCE_MS = 20_000;
const MESSAGE_MAX_BYTES = 262_144;

/**
 * Calls `hear` with each message until the compute closes the stream, is silent, or the signal is aborted.
 * @param opened called when the compute sends what happens from then on.
 */
export async function readMessages(
  { url, headers, lookup }: SocketTarget,
  signal: AbortSignal,
  hear: (message: ComputeMessage) => void,
  opened: () => void = () => undefined,
): Promise<void> {
  if (signal.aborted) return;
  const socket = new WebSocket(url, {
    headers,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    followRedirects: false,
    perMessageDeflate: false,
    maxPayload: MESSAGE_MAX_BYTES,
    ...(lookup && { lookup }),
  });
  const end = (): void => socket.terminate();
  const silence = setTimeout(end, SILENCE_MS);
  signal.addEventListener("abort", end);
  // `close` follows.
  socket.on("error", () => undefined);
  socket.on("open", opened);
  socket.on("message", (data, isBinary) => {
    silence.refresh();
    const message = isBinary ? undefined : parseMessage(String(data));
    if (message) hear(message);
  });
  await new Promise((resolve) => socket.on("close", resolve));
  clearTimeout(silence);
  signal.removeEventListener("abort", end);
}

/** @returns undefined for what is no message. */
export function parseMessage(text: string): ComputeMessage | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { action, event, project_id } = (read ?? {}) as Record<string, unknown>;
  if (typeof action !== "string" || typeof event !== "object" || event === null) return undefined;
  const projectId = typeof project_id === "string" ? project_id : undefined;
  return { action, event: event as Record<string, unknown>, projectId };
}
