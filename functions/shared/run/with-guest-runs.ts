/** Routes that run labs, also labs with Linux nodes: these run in the function `guests` (guests.ts). */
import { ApiError } from "../edge/errors.ts";
import type { Later } from "../edge/load.ts";
import type { Operation } from "../edge/operation.ts";
import type { Route } from "../edge/route.ts";
import { startRun } from "./start-run.ts";

// biome-ignore lint/suspicious/noExplicitAny: each operation has the request of its route
type AnyOperation = (request: any) => Promise<any>;

/** A lab without Linux nodes that are on runs here. Another one ends before it has changed anything, and runs there. */
export const withGuestRuns = <T extends Readonly<Record<string, Later<AnyOperation>>>>(operations: T): T =>
  Object.fromEntries(
    Object.entries(operations).map(([name, { load }]) => [
      name,
      {
        load: async () => {
          const operation = await load();
          return async (request: Parameters<Operation<Route>>[0]) => {
            try {
              return await operation(request);
            } catch (error) {
              if (!(error instanceof ApiError) || error.code !== "node.needs-guests") throw error;
              return startRun(name, request);
            }
          };
        },
      },
    ]),
  ) as unknown as T;
