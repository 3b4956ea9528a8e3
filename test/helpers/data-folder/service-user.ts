/** Requests of one user of a service that a script or a test has started. */

// biome-ignore lint/suspicious/noExplicitAny: responses of all routes
export type Json = any;

export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly bytes: Buffer;
}

interface Content {
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Service {
  /** Without the stage: `http://127.0.0.1:3080`. */
  readonly url: string;
  readonly stage: string;
}

const MOST_ATTEMPTS = 5;

export class ServiceUser {
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;

  /** @param password undefined for a service without sign-in. */
  constructor({ url, stage }: Service, name = "", password?: string) {
    this.base = `${url}/${stage}`;
    const credentials = Buffer.from(`${name}:${password}`).toString("base64");
    this.headers = password === undefined ? {} : { authorization: `Basic ${credentials}` };
  }

  /** Repeats a GET whose function, or authorizer, a busy machine has not given the time that it may take. */
  async send(method: string, path: string, content: Content = {}): Promise<Reply> {
    for (let attempt = 1; ; attempt++) {
      const reply = await this.#sendOnce(method, path, content);
      if (method !== "GET" || reply.status !== 500 || attempt === MOST_ATTEMPTS) return reply;
    }
  }

  async #sendOnce(method: string, path: string, { body, raw, headers }: Content): Promise<Reply> {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${this.base}${path}`, {
      method,
      headers: { ...this.headers, ...headers },
      ...(payload !== undefined && { body: payload as string }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, contentType: response.headers.get("content-type") ?? "", bytes };
  }

  /** Returns the JSON of the response. @throws Error unless the request succeeded. */
  async ask(method: string, path: string, content?: Content): Promise<Json> {
    const { status, bytes } = await this.send(method, path, content);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${bytes.toString("utf8", 0, 500)}`);
    return bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined;
  }

  get = (path: string): Promise<Json> => this.ask("GET", path);
  post = (path: string, body: unknown = {}): Promise<Json> => this.ask("POST", path, { body });
  put = (path: string, body: unknown): Promise<Json> => this.ask("PUT", path, { body });
}
