/** A proxy between the functions and a store, which counts calls and DynamoDB's consumed capacity. */
import { askForCapacity, capacityIn, consumes } from "./capacity.ts";
import { startStoreProxy } from "./store-proxy.ts";

interface Counts {
  calls: number;
  /** Read and write capacity units together. */
  capacityUnits: number;
  /** Write capacity units. */
  writeUnits: number;
  /** Requests that change something. */
  writes: number;
  /** Bytes of all responses. */
  bytes: number;
}

export interface CountingProxy {
  readonly url: string;
  /** The counts since the last call of `take`. */
  take(): Counts;
  close(): void;
}

const none = (): Counts => ({ calls: 0, capacityUnits: 0, writeUnits: 0, writes: 0, bytes: 0 });

export async function startCountingProxy(target: string): Promise<CountingProxy> {
  let counts = none();
  const proxy = await startStoreProxy(target, {
    decide: ({ changes }) => {
      counts.calls += 1;
      if (changes) counts.writes += 1;
      return "pass";
    },
    rewrite: (call) => (consumes(call) ? askForCapacity(call.body) : call.body),
    answered: (call, { body }) => {
      counts.bytes += body.length;
      if (!consumes(call)) return;
      const units = capacityIn(body);
      counts.capacityUnits += units;
      if (call.changes) counts.writeUnits += units;
    },
  });
  return {
    ...proxy,
    take: () => {
      const taken = counts;
      counts = none();
      return taken;
    },
  };
}
