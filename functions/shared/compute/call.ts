/**
 * HTTP calls to one registered compute (GNS3's compute interface, /v2/compute).
 *
 * A name is resolved once, every address is checked, and the connection goes to a checked address: a name server cannot give one
 * address to the check and another to the call. Redirects are not followed, times and sizes are bounded.
 */
import { lookup } from "node:dns/promises";
import { type IncomingMessage, type RequestOptions, request as requestByHttp } from "node:http";
import { request as requestByHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Call, Peer } from "./peer.ts";
import { refuseAddress, withoutBrackets } from "./peer-address.ts";
import { refusal, unreachable } from "./refusal.ts";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** The part of a refusal that is read for its message. */
const MAX_MESSAGE_BYTES = 64 * 1024;
const FIRST_REFUSED_STATUS = 300;

/** Returns an IP address of the host to which the service may connect. @throws ApiError `compute.address-refused`, `compute.unreachable` */
export async function addressesOf(peer: Peer): Promise<{ address: string; family: number }[]> {
  const host = withoutBrackets(peer.host);
  const family = isIP(host);
  const found =
    family === 0
      ? await lookup(host, { all: true, verbatim: true }).catch((error: unknown) => {
          throw unreachable(peer, error);
        })
      : [{ address: host, family }];
  for (const { address } of found) refuseAddress(peer, address);
  return found;
}

export const basic = ({ user, password = "" }: Peer): Record<string, string> =>
  user ? { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` } : {};

/**
 * Sends a call and returns the response when its head is there; the caller reads or destroys it.
 * @throws ApiError for a status from 300 up, and when the compute does not answer.
 */
export async function open(peer: Peer, call: Call): Promise<IncomingMessage> {
  const addresses = await addressesOf(peer);
  const { timeoutMs = TIMEOUT_MS } = call;
  const payload = payloadOf(call.body);
  const options: RequestOptions = {
    host: addresses[0]!.address,
    port: peer.port,
    method: call.method,
    path: `/v2/compute${call.path}`,
    headers: {
      host: `${peer.host}:${peer.port}`,
      accept: "application/json, */*",
      ...basic(peer),
      ...(payload && { "content-type": payload.type, "content-length": String(payload.bytes.length) }),
      ...(payload === undefined && call.method !== "GET" && { "content-length": "0" }),
    },
    agent: false,
    timeout: timeoutMs,
    ...(call.signal && { signal: call.signal }),
    // All addresses are checked, so the connection may use any of them.
    lookup: ((_host, _options, done) => done(null, addresses)) as LookupFunction,
    ...(addresses.length > 1 && { host: peer.host, autoSelectFamily: true }),
    ...(peer.protocol === "https" && isIP(peer.host) === 0 && { servername: peer.host }),
  };
  const { idleMs = timeoutMs } = call;
  const response = await exchange(peer, options, payload?.bytes, timeoutMs, idleMs);
  const { statusCode = 0 } = response;
  if (statusCode < FIRST_REFUSED_STATUS) return response;
  const text = await readText(response, MAX_MESSAGE_BYTES, timeoutMs).catch(() => "");
  throw refusal(peer, call, statusCode, text);
}

async function exchange(
  peer: Peer,
  options: RequestOptions,
  bytes: Uint8Array | undefined,
  timeoutMs: number,
  idleMs: number,
): Promise<IncomingMessage> {
  const send = peer.protocol === "https" ? requestByHttps : requestByHttp;
  return new Promise((resolve, reject) => {
    const sent = send(options);
    const timer = setTimeout(
      () => sent.destroy(new Error(`no response in ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    sent.once("error", (error) => {
      clearTimeout(timer);
      reject(unreachable(peer, error));
    });
    sent.once("response", (response) => {
      clearTimeout(timer);
      response.setTimeout(idleMs, () => response.destroy(new Error("the response has stopped")));
      resolve(response);
    });
    sent.end(bytes);
  });
}

function payloadOf(body: unknown): { readonly bytes: Uint8Array; readonly type: string } | undefined {
  if (body === undefined) return undefined;
  if (body instanceof Uint8Array) return { bytes: body, type: "application/octet-stream" };
  return { bytes: Buffer.from(JSON.stringify(body)), type: "application/json" };
}

/** A body may take as long as its head and as long again, however steadily it comes. */
const WHOLE_PER_HEAD = 2;

/** Ends a response whose whole body is not there in time. @returns what gives up the deadline. */
function endLate(response: IncomingMessage, afterMs: number): () => void {
  const timer = setTimeout(
    () => response.destroy(new Error(`its response is not complete after ${afterMs / 1000} s`)),
    afterMs,
  );
  return () => clearTimeout(timer);
}

/** Sends a call and returns the bytes of its response. @throws ApiError as `open`, and for a response that is too long, or takes too long. */
export async function readBytes(peer: Peer, call: Call): Promise<Buffer> {
  const response = await open(peer, call);
  const { maxBytes = MAX_BYTES, timeoutMs = TIMEOUT_MS } = call;
  const done = endLate(response, timeoutMs * WHOLE_PER_HEAD);
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > maxBytes) throw new Error(`its response is longer than ${maxBytes} bytes`);
      parts.push(part);
    }
  } catch (error) {
    throw unreachable(peer, error);
  } finally {
    done();
  }
  return Buffer.concat(parts, length);
}

/** The answers of computes have some five levels; what checks and compares them goes through each by a call. */
const MAX_DEPTH = 64;

function isDeeperThan(json: string, most: number): boolean {
  let depth = 0;
  for (const [bracket] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/gs)) {
    if (bracket === "[" || bracket === "{") depth++;
    else if (bracket === "]" || bracket === "}") depth--;
    if (depth > most) return true;
  }
  return false;
}

/** Sends a call and returns the JSON of its response; `{}` for an empty one. @throws ApiError as `readBytes`, `compute.not-gns3` */
export async function callCompute(peer: Peer, call: Call): Promise<unknown> {
  const text = (await readBytes(peer, call)).toString("utf8");
  if (text === "") return {};
  if (isDeeperThan(text, MAX_DEPTH))
    throw unreachable(peer, new Error(`its response is nested deeper than ${MAX_DEPTH}`));
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(peer, call, 0, "");
  }
}

async function readText(response: IncomingMessage, maxBytes: number, withinMs: number): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  const done = endLate(response, withinMs);
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      length += part.length;
      // Leaving the loop destroys the response.
      if (length >= maxBytes) break;
    }
  } finally {
    done();
  }
  return Buffer.concat(parts).toString("utf8");
}
