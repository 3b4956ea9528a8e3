/** Calls operations in the test's process, against the service's table and bucket. */
import type { Operation } from "../../../functions/shared/edge/operation.ts";
import { type Caller, LOCAL } from "../../../functions/shared/edge/principal.ts";
import type { Route } from "../../../functions/shared/edge/route.ts";
import { environmentOf, localStack } from "../stack/this-stack.ts";

/** Call this before the import of the store, which creates its clients then. */
export function useServiceStores(): void {
  Object.assign(process.env, environmentOf(localStack()));
}

const ORIGIN = { protocol: "http", host: "127.0.0.1", port: 80 };

/** Calls an operation as its function would. @returns the body of the response. */
export async function perform<R extends Route>(
  operation: Operation<R>,
  request: object,
  caller: Caller = LOCAL,
): Promise<unknown> {
  const access = { caller, needed: "editor" };
  const common = { access, origin: ORIGIN, query: {}, headers: {}, body: {}, remainingTimeMs: () => 29_000 };
  const answer = await operation({ ...common, ...request } as never);
  return answer.body;
}
