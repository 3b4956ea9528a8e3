/** The mixed load of `npm run bench:load` on a service that other steps disturb. Each connection compares every response with its model. */
import { GROUPS } from "../../functions/routes.ts";
import { Caller } from "../bench/load/caller.ts";
import { useRoutes } from "../bench/load/run-load.ts";
import { Shared } from "../bench/load/shared.ts";
import { Tally } from "../bench/load/tally.ts";
import { Worker } from "../bench/load/worker.ts";

export interface Load {
  /** How many changes of each route have succeeded so far. */
  acknowledged(): ReadonlyMap<string, number>;
  /** Ends the load, and compares each lab with its model. @returns what was wrong. */
  end(): Promise<readonly string[]>;
}

const CHANGES = new Set(
  GROUPS.flatMap(({ routes }) =>
    Object.entries<{ readonly method: string }>(routes)
      .filter(([, { method }]) => method !== "GET")
      .map(([name]) => name),
  ),
);

export async function startLoad(base: string, connections: number, seed: number): Promise<Load> {
  const tally = new Tally();
  const shared = await Shared.make(new Caller(base, new Tally()), tally);
  const constants = new Map<string, Buffer>();
  let isRunning = true;
  const workers = Array.from(
    { length: connections },
    (_, number) => new Worker(base, shared, tally, { number, seed, constants }),
  );
  const running = workers.map((worker) => useRoutes(worker, { hasTime: () => isRunning }, tally));
  return {
    acknowledged() {
      const done = tally.samples.filter(
        ({ route, status }) => CHANGES.has(route) && status >= 200 && status < 300,
      );
      return new Map(
        [...Map.groupBy(done, ({ route }) => route)].map(([route, { length }]) => [route, length]),
      );
    },
    async end() {
      isRunning = false;
      await Promise.all(running);
      for (const worker of workers) await worker.lab?.checkAll();
      await shared.check(workers[0]!.caller);
      for (const worker of workers) worker.caller.close();
      return tally.wrong;
    },
  };
}
