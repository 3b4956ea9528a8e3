import { failure } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { readService } from "../shared/store/base/service.ts";
import type { group } from "./routes.ts";
import { allComputes } from "./view.ts";

export const listComputes: Operation<typeof group.routes.listComputes> = async ({ origin }) => ({
  status: 200,
  body: allComputes(await readService(), origin),
});

export const getCompute: Operation<typeof group.routes.getCompute> = async ({ params, origin }) => {
  const computes = allComputes(await readService(), origin);
  const compute = computes.find((each) => each.compute_id === params.compute_id);
  if (compute === undefined) throw failure("compute.not-found", params);
  return { status: 200, body: compute };
};
