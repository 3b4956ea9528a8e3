/**
 * Serves presigned URLs of S3 at the gateway's address. Clients on other machines, in containers and behind tunnels cannot reach the
 * embedded S3, which listens on the loopback interface, but they reach the gateway. The gateway serves a URL until it expires, and
 * keeps the path and the query, with the signature, as the function has presigned them.
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

/** Only these headers: a client that follows the redirect sends its credentials again, which S3 must not receive. */
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
  /** Path and query -> expiry, in milliseconds since 1970. */
  readonly #published = new Map<string, number>();

  /**
   * @param endpoint the endpoint of S3 in the URLs that functions presign.
   * @param target the URL at which S3 listens.
   */
  constructor(endpoint: string, target = endpoint) {
    this.#origin = new URL(endpoint).origin;
    this.#target = new URL(target);
  }

  /** @returns the response headers; a redirect to S3 is replaced by one to the address that the client used. */
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

  /** Relays a request for a published URL to S3. @returns false for every other target. */
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

/** Empty if the request has no Host header: the redirect is then relative. */
function originOf(host: string | undefined, headers: IncomingHttpHeaders): string {
  const scheme = headers["x-forwarded-proto"] === "https" ? "https" : "http";
  return host === undefined ? "" : `${scheme}://${host}`;
}
