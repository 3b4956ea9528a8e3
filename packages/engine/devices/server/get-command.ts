/** `http get`: fetches a file from a web server and prints the answer. */
import { parseAnyAddress } from "../../net/address/prefix.ts";
import type { App, AppOf } from "../../net/host/applications.ts";
import type { Host } from "../../net/host/host.ts";
import { HTTP_PORT } from "../../net/host/settings.ts";
import { bytesOf } from "../../net/tcp/receive-queue.ts";
import type { Live } from "../../net/tcp/tcp-host.ts";

export const GET_USAGE = "http get http://ADDR[:PORT][/PATH]";
const URL_PATTERN = /^(?:http:\/\/)?(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::(\d{1,5}))?(\/[\x21-\x7e]*)?$/i;

interface Request {
  readonly to: string;
  readonly port: number;
  readonly path: string;
  readonly host: string;
}

/** @returns the request, or an error as text. */
export function readGet([verb, url, ...rest]: readonly string[]): Request | string {
  if (verb?.toLowerCase() !== "get" || url === undefined || rest.length > 0) return `Usage: ${GET_USAGE}`;
  const [, ipv6, ipv4, portText, path = "/"] = URL_PATTERN.exec(url) ?? [];
  const to = ipv6 ?? ipv4;
  const port = portText === undefined ? HTTP_PORT : Number(portText);
  if (to === undefined || parseAnyAddress(to) === null || port < 1 || port > 65_535)
    return `${url} is not an address with a path: ${GET_USAGE}`;
  const name = ipv6 === undefined ? to : `[${ipv6}]`;
  return { to, port, path, host: port === HTTP_PORT ? name : `${name}:${port}` };
}

export class Get {
  readonly #host: Host;
  readonly #request: Request;
  readonly #done: () => void;
  #live: Live<App> | undefined;

  constructor(host: Host, request: Request, done: () => void) {
    this.#host = host;
    this.#request = request;
    this.#done = done;
  }

  start(): void {
    const { to, port, path, host } = this.#request;
    const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: wirelab\r\nConnection: close\r\n\r\n`;
    const app: AppOf<"get"> = { kind: "get", request, startUs: this.#host.world.nowUs, response: "" };
    const live = this.#host.connect(to, port, app);
    if (typeof live === "string") {
      this.#end([live]);
      return;
    }
    this.#watch(live, app);
  }

  freeze(): App | undefined {
    return this.#live?.app;
  }

  thaw(held: unknown): void {
    const app = held as AppOf<"get">;
    const live = this.#host.liveOf(app);
    if (live !== undefined) this.#watch(live, app);
  }

  #watch(live: Live<App>, app: AppOf<"get">): void {
    this.#live = live;
    this.#host.watch(live, (event) => {
      if (event.kind === "end") this.#report(app);
      else if (event.kind === "closed") this.#fail(event.reason ?? "closed");
    });
  }

  stop(): void {
    const live = this.#live;
    if (live === undefined) return;
    this.#host.unwatch(live);
    live.connection.abort();
    this.#fail("aborted");
  }

  #report({ response, startUs }: AppOf<"get">): void {
    if (this.#live === undefined) return;
    this.#host.unwatch(this.#live);
    const [head = "", ...body] = response.split("\r\n\r\n");
    const text = new TextDecoder().decode(bytesOf(body.join("\r\n\r\n")));
    const timeMs = (this.#host.world.nowUs - startUs) / 1000;
    const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
    this.#end([
      ...head.split("\r\n"),
      "",
      ...lines,
      `${body.join("\r\n\r\n").length} bytes in ${timeMs.toFixed(1)} ms`,
    ]);
  }

  #fail(reason: string): void {
    this.#end([`http get ${this.#request.host}: ${reason}`]);
  }

  #end(lines: readonly string[]): void {
    this.#live = undefined;
    this.#host.world.print(lines.map((line) => `${line}\n`).join(""));
    this.#done();
  }
}
