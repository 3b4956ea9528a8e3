import { registeredIn } from "../shared/compute/find.ts";
import { failure } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { readService } from "../shared/store/base/service.ts";
import type { group } from "./routes.ts";
import { statesOf } from "./states.ts";
import { allComputes } from "./view.ts";

export const listComputes: Operation<typeof group.routes.listComputes> = async ({ origin }) => {
  const service = await readService();
  return { status: 200, body: allComputes(service, origin, await statesOf(service.computes)) };
};

/** Asks the named compute alone. */
export const getCompute: Operation<typeof group.routes.getCompute> = async ({
  params: { compute_id },
  origin,
}) => {
  const service = await readService();
  const named = registeredIn(service, compute_id);
  const states = await statesOf(named ? [named] : []);
  const compute = allComputes(service, origin, states).find((each) => each.compute_id === compute_id);
  if (compute === undefined) throw failure("compute.not-found", { compute_id });
  return { status: 200, body: compute };
};
