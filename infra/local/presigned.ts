/**
 * Presigned URLs of S3 at the gateway's own address. The embedded S3 listens on a port of the loopback interface, which clients on other
 * machines, in containers and behind tunnels do not reach: they reach the gateway. A URL is served while it is valid, to clients that
 * have it; the path and the query, with the signature, are those that the function presigned.
 */
import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from "node:http";
import { request as httpsRequest } from "node:https";
import { pipeline } from "node:stream";

/** The credentials of the service, which clients send on to the same host, are none of S3's. */
const PASSED_ON = [
  "range",
  "if-range",
  "if-match",
  "if-none-match",
  "if-modified-since",
  "if-unmodified-since",
];

export class PresignedUrls {
  readonly #origin: string;
  readonly #target: URL;
  /** Path and query -> until when it is valid, in milliseconds since 1970. */
  readonly #published = new Map<string, number>();

  /**
   * @param endpoint of S3, as functions sign for it.
   * @param target where S3 listens.
   */
  constructor(endpoint: string, target = endpoint) {
    this.#origin = new URL(endpoint).origin;
    this.#target = new URL(target);
  }

  /** @returns the headers of a response, with a redirect to S3 replaced by one to the address that the client used. */
  publish(
    headers: OutgoingHttpHeaders,
    { headers: { host, ...asked } }: IncomingMessage,
  ): OutgoingHttpHeaders {
    const { location } = headers;
    if (typeof location !== "string" || !URL.canParse(location)) return headers;
    const { origin, pathname, search, searchParams } = new URL(location);
    const seconds = Number(searchParams.get("X-Amz-Expires") ?? 0);
    if (origin !== this.#origin || !(seconds > 0)) return headers;
    const nowMs = Date.now();
    for (const [path, untilMs] of this.#published) if (untilMs < nowMs) this.#published.delete(path);
    this.#published.set(pathname + search, nowMs + seconds * 1000);
    return { ...headers, location: `${originOf(host, asked)}${pathname}${search}` };
  }

  /** Answers with what a published URL names. @returns false for every other target. */
  serve({ method, url = "", headers }: IncomingMessage, response: ServerResponse): boolean {
    if ((method !== "GET" && method !== "HEAD") || (this.#published.get(url) ?? 0) < Date.now()) return false;
    const send = this.#target.protocol === "https:" ? httpsRequest : httpRequest;
    const passed = Object.fromEntries(
      PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
    );
    const relayed = send(new URL(url, this.#target), { method, headers: passed }, (found) => {
      response.writeHead(found.statusCode!, found.headers);
      pipeline(found, response, () => undefined);
    });
    relayed.on("error", () => response.destroy());
    response.on("close", () => relayed.destroy());
    relayed.end();
    return true;
  }
}

/** Empty when the client did not name the host: the redirect is then relative. */
function originOf(host: string | undefined, headers: IncomingHttpHeaders): string {
  const scheme = headers["x-forwarded-proto"] === "https" ? "https" : "http";
  return host === undefined ? "" : `${scheme}://${host}`;
}
