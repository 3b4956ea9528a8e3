/** Forwards HTTP requests to the service, with the user's credentials. Bodies and answers stream. */
import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import { request as requestTls } from "node:https";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { Service } from "../service/service.ts";
import { type Rewrite, rewriteLines, rewriteText } from "./rewrite-body.ts";

/** Headers that belong to one connection (RFC 9110, 7.6.1), and those that name the proxy or a page on it. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"],
  ...["host", "origin", "referer", "authorization"],
]);

/** Streams of events. */
const EVENTS = /\/notifications$/;
/** Answers with nodes or projects in them. */
const OBJECTS =
  /^\/projects(\/load|\/[^/]+(\/(open|close|duplicate|load|import|nodes(\/[^/]+(\/(start|stop|suspend|reload|duplicate))?)?|templates\/[^/]+|snapshots\/[^/]+\/restore))?)?$/;

export interface Forwarding {
  readonly service: Service;
  readonly rewrite: Rewrite;
  /** Called after a resource was deleted, with its path below the stage. */
  readonly noteDeleted: (path: string) => void;
}

/** Returns the headers for the service. */
const forwardedHeaders = (headers: IncomingHttpHeaders, { headers: credentials }: Service) => ({
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name))),
  ...credentials,
});

export async function forwardHttp(
  incoming: IncomingMessage,
  response: ServerResponse,
  { service, rewrite, noteDeleted }: Forwarding,
): Promise<void> {
  const target = targetOf(service, incoming.url ?? "/");
  const path = pathBelow(service, target);
  const isRewritten = OBJECTS.test(path) || EVENTS.test(path);
  const headers = forwardedHeaders(incoming.headers, service);
  if (isRewritten) headers["accept-encoding"] = "identity";
  const send = target.protocol === "https:" ? requestTls : request;
  const outgoing = send(target, { method: incoming.method, headers });
  response.once("close", () => outgoing.destroy());
  const answering = answerOf(outgoing);
  incoming.pipe(outgoing);
  const answer = await answering.catch((error: Error) => error);
  if (answer instanceof Error) {
    sendText(response, 502, `${service.url} does not answer: ${answer.message}`);
    return;
  }
  const isDone = (answer.statusCode ?? 500) < 300;
  if (incoming.method === "DELETE" && isDone) noteDeleted(path);
  const isJson = /^application\/json\b/.test(answer.headers["content-type"] ?? "");
  if (isRewritten && isJson && isDone && incoming.method !== "HEAD") {
    await sendRewritten(answer, response, path, rewrite);
  } else {
    response.writeHead(answer.statusCode ?? 502, answerHeaders(answer));
    await pipeline(answer, response).catch(() => response.destroy());
  }
}

async function sendRewritten(
  answer: IncomingMessage,
  response: ServerResponse,
  path: string,
  rewrite: Rewrite,
): Promise<void> {
  const { "content-length": _length, etag: _tag, ...headers } = answerHeaders(answer);
  const status = answer.statusCode ?? 502;
  if (EVENTS.test(path)) {
    response.writeHead(status, headers).flushHeaders();
    await pipeline(answer.setEncoding("utf8"), rewriteLines(rewrite), response).catch(() =>
      response.destroy(),
    );
    return;
  }
  const body = Buffer.from(await rewriteText(await text(answer), rewrite));
  response.writeHead(status, { ...headers, "content-length": body.length }).end(body);
}

const answerOf = (outgoing: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    outgoing.once("response", resolve);
    outgoing.once("error", reject);
  });

const answerHeaders = ({ headers }: IncomingMessage): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name)));

/** Returns the address at the service: the proxy has the interface at the same path, below `/v2`. */
export function targetOf({ url }: Service, target: string): URL {
  const base = new URL(url);
  const local = target.replace(/^https?:\/\/[^/?]*/i, "");
  const below = local.replace(/^\/v2(?=[/?]|$)/, "");
  return below === local ? new URL(local, base.origin) : new URL(`${base.pathname}${below}`, base.origin);
}

export const pathBelow = ({ url }: Service, { pathname }: URL): string => {
  const stage = new URL(url).pathname;
  return pathname.startsWith(`${stage}/`) ? pathname.slice(stage.length) : "";
};

export function sendText(response: ServerResponse, status: number, message: string): void {
  const body = Buffer.from(JSON.stringify({ message, status }));
  response.writeHead(status, { "content-type": "application/json", "content-length": body.length }).end(body);
}
