/** The service that a command calls: its addresses and the user's credentials. */
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { CommandLineError } from "../command-line.ts";
import { DataError } from "../failure.ts";

/** Options of each command that calls a service. */
export const SERVICE_OPTIONS = {
  url: { type: "string" },
  sockets: { type: "string" },
} as const;

export const SERVICE_HELP = `  --url URL       the service, such as http://127.0.0.1:3080/v2; the environment variable WIRELAB_URL when absent
  --sockets URL   the stack's output SocketsUrl, if the service has another address for WebSockets; else WIRELAB_SOCKETS

Credentials: WIRELAB_USER (default admin) and WIRELAB_PASSWORD, or WIRELAB_TOKEN for a stack with tokens.
`;

const DEFAULT_URL = "http://127.0.0.1:3080/v2";
const STAGE = "/v2";
/** A WebSocket without traffic is closed by API Gateway and CloudFront after ten minutes. */
const KEEP_ALIVE_MS = 240_000;

type Environment = Readonly<Record<string, string | undefined>>;

export interface Service {
  /** With the stage, without a slash at its end: `http://127.0.0.1:3080/v2`. */
  readonly url: string;
  /** The address of a WebSocket API of its own, which has the path as a query. */
  readonly sockets: string | undefined;
  /** The header with the credentials of now, if there are any: hold-token.ts. */
  headers: Readonly<Record<string, string>>;
  /** Ends the requests that are waiting for an answer. */
  readonly signal?: AbortSignal;
}

/** @throws CommandLineError for an address that is none. */
export function findService(
  { url, sockets }: { url?: string | undefined; sockets?: string | undefined },
  environment: Environment = process.env,
): Service {
  const address = readUrl(url ?? environment.WIRELAB_URL ?? DEFAULT_URL, ["http:", "https:"]);
  const socketsText = sockets ?? environment.WIRELAB_SOCKETS;
  const { username, password } = address;
  const { WIRELAB_USER: user = "admin", WIRELAB_PASSWORD, WIRELAB_TOKEN } = environment;
  const headers = username
    ? basic(decodeURIComponent(username), decodeURIComponent(password))
    : WIRELAB_TOKEN
      ? { authorization: `Bearer ${WIRELAB_TOKEN}` }
      : WIRELAB_PASSWORD
        ? basic(user, WIRELAB_PASSWORD)
        : {};
  const path = address.pathname.replace(/\/+$/, "") || STAGE;
  return {
    url: `${address.origin}${path}`,
    sockets: socketsText ? readUrl(socketsText, ["ws:", "wss:"]).href : undefined,
    headers,
  };
}

const basic = (user: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});

function readUrl(text: string, protocols: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && protocols.includes(url.protocol)) return url;
  const kinds = protocols.map((protocol) => `${protocol}//`).join(" or ");
  throw new CommandLineError(`${JSON.stringify(text)} is no URL that begins with ${kinds}`);
}

/** Gets a resource. @param path below the stage. @throws DataError with the service's message. */
export const getJson = (service: Service, path: string): Promise<unknown> => call(service, "GET", path);

/** Changes a resource. @throws DataError with the service's message. */
export const putJson = (service: Service, path: string, value: unknown): Promise<unknown> =>
  call(service, "PUT", path, JSON.stringify(value));

/** Deletes a resource. @throws DataError with the service's message. */
export const deleteResource = (service: Service, path: string): Promise<unknown> =>
  call(service, "DELETE", path);

/** Sends a text. @param waits sends it again when the service has named a time to wait for. @throws DataError with the service's message. */
export const postText = (
  service: Service,
  path: string,
  text: string,
  { waits = false }: { readonly waits?: boolean } = {},
): Promise<unknown> => call(service, "POST", path, text, waits);

/** The longest time that a service's pace takes. */
const MAX_WAIT_S = 60;

async function call(
  service: Service,
  method: string,
  path: string,
  body?: string,
  waits = false,
): Promise<unknown> {
  const { headers, signal = null } = service;
  const request = { method, headers, signal, ...(body === undefined ? {} : { body }) };
  const response = await fetch(`${service.url}${path}`, request).catch((error: Error) => {
    throw new DataError(`${service.url} does not answer: ${causeOf(error)}`);
  });
  const waitS = Number(response.headers.get("retry-after") ?? Number.NaN);
  if (waits && response.status === 429 && waitS <= MAX_WAIT_S) {
    await response.body?.cancel();
    await sleep(waitS * 1_000);
    return call(service, method, path, body, waits);
  }
  if (response.status === 401)
    throw new DataError(`${service.url} requires credentials: set WIRELAB_USER and WIRELAB_PASSWORD`);
  const text = await response.text();
  if (!response.ok) throw new DataError(`${method} ${path}: ${response.status} ${messageIn(text)}`);
  if (response.status === 204) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new DataError(
      `${service.url}${path} is not where the interface is: the address ends in its stage, such as /v2`,
    );
  }
}

/** Downloads from a presigned URL. @throws DataError */
export async function fetchBytes(url: string): Promise<Uint8Array> {
  const { origin } = new URL(url);
  const response = await fetch(url).catch((error: Error) => {
    throw new DataError(`${origin} does not answer: ${causeOf(error)}`);
  });
  if (!response.ok) throw new DataError(`a download from ${origin} failed: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

const causeOf = ({ message, cause }: Error): string => (cause instanceof Error ? cause.message : message);

export function messageIn(text: string): string {
  try {
    return String((JSON.parse(text) as { message?: unknown }).message ?? text);
  } catch {
    return text;
  }
}

/** Returns the address of a WebSocket. @param path below the stage, with its query. */
export function socketUrl({ url, sockets }: Service, path: string): string {
  if (sockets === undefined) return `${url.replace(/^http/, "ws")}${path}`;
  const { pathname, searchParams } = new URL(`http://service${STAGE}${path}`);
  const target = new URL(sockets);
  target.searchParams.set("path", pathname);
  for (const [name, value] of searchParams) target.searchParams.append(name, value);
  return target.href;
}

export const consolePath = (projectId: string, nodeId: string): string =>
  `/projects/${projectId}/nodes/${nodeId}/console/ws`;

/** Opens a WebSocket with the user's credentials, and keeps it alive while it is open. */
export function openSocket(service: Service, path: string): WebSocket {
  const socket = new WebSocket(socketUrl(service, path), {
    headers: service.headers,
    perMessageDeflate: false,
  });
  const timer = setInterval(() => socket.readyState === socket.OPEN && socket.ping(), KEEP_ALIVE_MS);
  timer.unref();
  socket.once("close", () => clearInterval(timer));
  return socket;
}
