import { failure } from "../api/errors.ts";
import type { Operation } from "../api/operation.ts";
import { readService } from "../store/service.ts";
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
