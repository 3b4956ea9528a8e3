/** The local stack with faults between the functions and their stores, and requests of every route for it. */
import type { LocalStack } from "../../../infra/local/local-stack.ts";
import { REFUSING, type Send, type Shot } from "../../bench/recipes.ts";
import { startInMemory } from "../stack/in-memory.ts";
import { CallPlan } from "../stores/call-faults.ts";
import { PartitionLimits } from "../stores/partition-limits.ts";
import { danglingReferences } from "../stores/store-checker.ts";
import { type StoreProxy, startStoreProxy } from "../stores/store-proxy.ts";
import { FAULTY_RECIPES } from "./faulty-labs.ts";
import { visibleState } from "./visible-state.ts";

/** The status of a response whose body was cut off: a stream that had begun before the fault. */
export const CUT_OFF = 0;

export interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
  readonly retryAfter: string | null;
}

export class FaultyService {
  readonly plan: CallPlan;
  readonly #stack: LocalStack;
  readonly #proxies: readonly StoreProxy[];

  private constructor(plan: CallPlan, stack: LocalStack, proxies: readonly StoreProxy[]) {
    this.plan = plan;
    this.#stack = stack;
    this.#proxies = proxies;
  }

  /**
   * @param environment of the functions: the timeouts and retries of store calls.
   * @param synth a folder with the synthesized stack, if there is one.
   */
  static async start(environment: Readonly<Record<string, string>>, synth?: string): Promise<FaultyService> {
    const plan = new CallPlan();
    const proxies: StoreProxy[] = [];
    const stack = await startInMemory({
      environment,
      ...(synth !== undefined && { synth }),
      endpoints: async ({ dynamodb, s3 }) => {
        const watch = new PartitionLimits().over(plan);
        for (const target of [dynamodb, s3]) proxies.push(await startStoreProxy(target, watch));
        return { dynamodb: proxies[0]!.url, s3: proxies[1]!.url };
      },
    });
    return new FaultyService(plan, stack, proxies);
  }

  async stop(): Promise<void> {
    await this.#stack.stop();
    for (const proxy of this.#proxies) proxy.close();
  }

  async shoot({ method, path, body }: Shot, key?: string): Promise<Answer> {
    const gone = new AbortController();
    const response = await fetch(`${this.#stack.url}/${this.#stack.stage}${path}`, {
      method,
      body: body ?? null,
      headers: key === undefined ? {} : { "idempotency-key": key },
      signal: gone.signal,
    });
    const { status } = response;
    const retryAfter = response.headers.get("retry-after");
    // These streams have no end: only their first bytes are compared.
    const isFollowed = status === 200 && /(\/links\/[^/]+\/pcap|\/notifications)$/.test(path);
    if (isFollowed) return { status, bytes: await firstOf(response, gone), retryAfter };
    const received = await response.arrayBuffer().catch(() => undefined);
    if (received === undefined) return { status: CUT_OFF, bytes: Buffer.alloc(0), retryAfter };
    return { status, bytes: Buffer.from(received), retryAfter };
  }

  /** Sent while there are no faults. Retried, because on a busy machine a store may exceed the short timeout of these tests. */
  async shootUntilServed(shot: Shot, key?: string): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.shoot(shot, key);
      if (answer.status !== 503 || attempt === 20) return answer;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  readonly send: Send = async (shot) => {
    const { status, bytes } = await this.shootUntilServed(shot, crypto.randomUUID());
    if (status >= 300) throw new Error(`${shot.method} ${shot.path}: ${status} ${bytes}`);
    return bytes[0] === 0x7b || bytes[0] === 0x5b ? JSON.parse(bytes.toString()) : undefined;
  };

  /** The state that clients can see of the path's target. */
  look(path: string): Promise<unknown> {
    return visibleState(async (each) => {
      const { status, bytes } = await this.shootUntilServed({ method: "GET", path: each });
      return status === 200 ? bytes : undefined;
    }, path);
  }

  /** A request of the route, and everything that it needs. */
  async freshShot(route: string): Promise<Shot> {
    const recipe = FAULTY_RECIPES[route];
    if (recipe === undefined) throw new Error(`test/bench/recipes.ts has no request for ${route}`);
    return (await recipe(this.send, 1))[0]!;
  }

  /** The calls that one request of the route makes. */
  async callsOf(route: string): Promise<CallPlan["calls"]> {
    for (;;) {
      const shot = await this.freshShot(route);
      this.plan.clear();
      const { status, bytes } = await this.shoot(shot, crypto.randomUUID());
      const { calls } = this.plan;
      this.plan.clear();
      if (status < 300 || REFUSING.has(route)) return calls;
      if (status !== 503) throw new Error(`${route}: ${status} ${bytes}`);
    }
  }

  dangling(): Promise<string[]> {
    return danglingReferences(this.#stack);
  }
}

async function firstOf(response: Response, gone: AbortController): Promise<Buffer> {
  const { value } = await response.body!.getReader().read();
  gone.abort();
  return Buffer.from(value!);
}
