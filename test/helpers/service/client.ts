/**
 * An HTTP client that checks every response against the declaration of its route: an undeclared status, shape or error
 * fails the test that made the request.
 */
import { request as httpRequest, type RequestOptions } from "node:http";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { GROUPS } from "../../../functions/routes.ts";
import { ALL_ERRORS } from "../../../functions/shared/edge/all-errors.ts";
import { parsePath } from "../../../functions/shared/edge/path-template.ts";
import { commonErrors, type Route } from "../../../functions/shared/edge/route.ts";
import { errorBody } from "../../../functions/shared/schemas/common.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  /** The body as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses whose shape the client has checked
  readonly json: any;
}

export interface Call {
  readonly body?: unknown;
  readonly raw?: Uint8Array | string;
  readonly headers?: Record<string, string>;
  /** Closes the connection at the first bytes of a response of 200: the stream that follows does not end by itself. */
  readonly beginningOnly?: boolean;
}

const ALL_ROUTES: readonly Route[] = GROUPS.flatMap((group) => Object.values(group.routes));

export class Client {
  readonly #base: URL;

  /** @param base the interface's URL, such as `http://127.0.0.1:3080/v2` */
  constructor(base: string) {
    this.#base = new URL(base);
  }

  get = (path: string, call?: Call): Promise<Answer> => this.call("GET", path, call);
  post = (path: string, body?: unknown): Promise<Answer> => this.call("POST", path, { body });
  put = (path: string, body?: unknown): Promise<Answer> => this.call("PUT", path, { body });
  delete = (path: string): Promise<Answer> => this.call("DELETE", path);

  /** @param path as sent over the wire: it is neither normalized nor escaped. Redirects are followed. */
  async call(method: string, path: string, call: Call = {}): Promise<Answer> {
    const { hostname, port, pathname } = this.#base;
    const answer = await this.#send({ hostname, port, method, path: `${pathname}${path}` }, call);
    checkAgainstDeclaration(method, path, answer);
    if (answer.status !== 303) return answer;
    const { host, pathname: where, search } = new URL(String(answer.headers.location));
    expect(host).toBe(this.#base.host);
    return this.#send({ hostname, port, path: `${where}${search}` }, {});
  }

  #send(to: RequestOptions, { body, raw, headers, beginningOnly = false }: Call): Promise<Answer> {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    // Node sets no Content-Length for the body of a GET.
    const length = payload === undefined ? {} : { "content-length": String(Buffer.byteLength(payload)) };
    return new Promise((resolve, reject) => {
      const request = httpRequest({ ...to, headers: { ...length, ...headers } }, (response) => {
        const chunks: Buffer[] = [];
        const finish = (): void => {
          const bytes = Buffer.concat(chunks);
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            bytes,
            get json() {
              const packed = response.headers["content-encoding"] === "gzip";
              return JSON.parse((packed ? gunzipSync(bytes) : bytes).toString("utf8"));
            },
          });
        };
        response.on("data", (chunk: Buffer) => {
          chunks.push(chunk);
          if (!beginningOnly || response.statusCode !== 200) return;
          finish();
          request.destroy();
        });
        response.on("error", reject);
        response.on("end", finish);
      });
      request.on("error", reject);
      request.end(payload);
    });
  }
}

export function checkAgainstDeclaration(method: string, path: string, answer: Answer): void {
  const routes = ALL_ROUTES.filter((route) => pattern(route.path).test(path.replace(/\?.*$/, "")));
  const route = routes.find((candidate) => candidate.method === (method === "HEAD" ? "GET" : method));
  const { status } = answer;
  // A compute that is away is no fault of the service.
  const isAway = status === 503 && answer.json.code === "compute.unreachable";
  if (!isAway)
    expect(status, `${method} ${path}: ${answer.bytes.toString("utf8", 0, 300)}`).toBeLessThan(500);
  if (status >= 400) {
    expect(answer.headers["content-type"]).toBe("application/json");
    const error = errorBody.parse(answer.json);
    expect(error.status).toBe(status);
    expect(error.message).not.toBe("");
  }
  if (route === undefined) {
    expect([404, 405, 413]).toContain(status);
    return;
  }
  const declared = [
    ...Object.keys(route.responses).map(Number),
    ...[...commonErrors(route), ...route.errors].map((code) => ALL_ERRORS[code].status),
  ];
  expect(declared, `${method} ${path} answered ${status}`).toContain(status);
  const spec = route.responses[status];
  // The head of a response comes without its body.
  if (method === "HEAD") return;
  if (spec?.schema && answer.headers["content-type"] === "application/json") spec.schema.parse(answer.json);
  if (spec && !spec.schema && !spec.contentType) {
    expect(answer.bytes).toHaveLength(0);
    // API Gateway gives every other response a content type, with a body or without.
    if (status === 204 || status === 304) expect(answer.headers).not.toHaveProperty("content-type");
  }
}

/** Matches the paths of a route; a greedy variable matches slashes, too. */
function pattern(path: string): RegExp {
  const greedy = parsePath(path).variables.some(({ suffix }) => suffix !== undefined);
  const source = path.replaceAll(/\{\w+\+?\}/g, greedy ? ".+" : "[^/]+").replaceAll(".json", "\\.json");
  return new RegExp(`^${source}$`);
}
