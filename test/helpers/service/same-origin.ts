/** One address for a web client's files and the service: a page may call the service only at its own origin. */
import { readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { extname, join, normalize } from "node:path";
import type { Duplex } from "node:stream";
import type { Credentials } from "./client-stacks.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

export interface SameOrigin {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves `folder` below `prefix` (unknown paths are its index.html) and forwards all other requests, WebSockets too, to the service.
 * With credentials, it signs every forwarded request, as `wirelab proxy` does.
 */
export async function serveWith(
  folder: string,
  prefix: string,
  service: { readonly url: string; readonly credentials: Credentials | undefined },
): Promise<SameOrigin> {
  const target = new URL(service.url);
  const signed = (received: IncomingMessage) => ({
    ...received.headers,
    host: target.host,
    ...(received.headers.origin && { origin: target.origin }),
    ...(service.credentials && { authorization: basic(service.credentials) }),
  });
  const server = createServer((received, response) => {
    const { pathname } = new URL(received.url!, "http://page");
    if (pathname.startsWith(prefix)) {
      const { bytes, type } = readPage(folder, pathname.slice(prefix.length));
      response.writeHead(200, { "content-type": type }).end(bytes);
      return;
    }
    const { method } = received;
    const { hostname, port } = target;
    const forwarded = request({ hostname, port, method, path: received.url, headers: signed(received) });
    forwarded.on("response", (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    forwarded.on("error", () => response.destroy());
    received.pipe(forwarded);
  });
  server.on("upgrade", (received, socket: Duplex, head: Buffer) => {
    const upstream = connect(Number(target.port), target.hostname, () => {
      const lines = Object.entries(signed(received)).map(([name, value]) => `${name}: ${value}`);
      upstream.write(`GET ${received.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      upstream.write(head);
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on("error", () => socket.destroy());
    socket.on("error", () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => stop(server),
  };
}

const basic = ({ user, password }: Credentials): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

function readPage(folder: string, path: string): { bytes: Buffer; type: string } {
  const file = join(folder, normalize(`/${decodeURIComponent(path)}`));
  const found = statSync(file, { throwIfNoEntry: false })?.isFile() ? file : join(folder, "index.html");
  return { bytes: readFileSync(found), type: TYPES[extname(found)] ?? "application/octet-stream" };
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
