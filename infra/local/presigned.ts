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
import { pipeline, Transform } from "node:stream";

/** Only these headers: a client that follows the redirect sends its credentials again, which S3 must not receive. */
const PASSED_ON = [
  "range",
  "if-range",
  "if-match",
  "if-none-match",
  "if-modified-since",
  "if-unmodified-since",
];

/** The end of a part of a JSON document, if it is or may be the beginning of a string with a URL. */
const UNFINISHED_URL = /"(?:h?|ht|htt|http[^"]*)"?$/;

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
    if (typeof location !== "string") return headers;
    const path = this.#publishUrl(location);
    return path === undefined ? headers : { ...headers, location: `${originOf(host, asked)}${path}` };
  }

  /** @returns the part of a JSON document with its presigned URLs replaced, of which none may be cut. */
  publishIn(json: Buffer, { headers: { host, ...asked } }: IncomingMessage): Buffer {
    if (!json.includes(this.#origin)) return json;
    // One character for each byte: a text may be cut within a character of several.
    const text = json.toString("latin1").replaceAll(/"(https?:[^"\\]*)"/g, (whole, url: string) => {
      const path = this.#publishUrl(url);
      return path === undefined ? whole : `"${originOf(host, asked)}${path}"`;
    });
    return Buffer.from(text, "latin1");
  }

  /** Replaces the presigned URLs in the strings of a JSON document. */
  publishing(request: IncomingMessage): Transform {
    let rest = Buffer.alloc(0);
    const publish = (bytes: Buffer) => this.publishIn(bytes, request);
    return new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const all = Buffer.concat([rest, chunk]);
        const cut = UNFINISHED_URL.exec(all.toString("latin1"));
        const from = cut?.index ?? all.length;
        rest = all.subarray(from);
        done(null, publish(all.subarray(0, from)));
      },
      flush(done) {
        done(null, publish(rest));
      },
    });
  }

  /** @returns the path and query at which the gateway serves the URL; undefined for one that is not presigned by a function. */
  #publishUrl(url: string): string | undefined {
    if (!URL.canParse(url)) return undefined;
    const { origin, pathname, search, searchParams } = new URL(url);
    const seconds = Number(searchParams.get("X-Amz-Expires") ?? 0);
    if (origin !== this.#origin || !(seconds > 0)) return undefined;
    const nowMs = Date.now();
    for (const [path, untilMs] of this.#published) if (untilMs < nowMs) this.#published.delete(path);
    this.#published.set(pathname + search, nowMs + seconds * 1000);
    return pathname + search;
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
