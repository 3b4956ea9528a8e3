/** Calls operations in the test's process, against the service's table and bucket. */
import { withAccess } from "../../../functions/shared/edge/access.ts";
import type { Operation } from "../../../functions/shared/edge/operation.ts";
import { type Caller, LOCAL } from "../../../functions/shared/edge/principal.ts";
import type { Route } from "../../../functions/shared/edge/route.ts";
import { environmentOf, localStack } from "../stack/this-stack.ts";

/** Call this before the import of the store, which creates its clients then. */
export function useServiceStores(): void {
  Object.assign(process.env, environmentOf(localStack()));
}

/** Calls an operation as its function would. @returns the body of the response. */
export async function perform<R extends Route>(
  operation: Operation<R>,
  request: object,
  caller: Caller = LOCAL,
): Promise<unknown> {
  const common = { caller, query: {}, headers: {}, body: {}, remainingTimeMs: () => 29_000 };
  const answer = await withAccess({ caller, needed: "editor" }, () =>
    operation({ ...common, ...request } as never),
  );
  return answer.body;
}
