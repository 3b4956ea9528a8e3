import { LOCAL_COMPUTE } from "../shared/edge/local-compute.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { readMachine } from "./machine.ts";
import type { group } from "./routes.ts";

/** Registered computes are never connected, so they have no entry. */
export const listStatistics: Operation<typeof group.routes.listStatistics> = async () => ({
  status: 200,
  body: [
    {
      compute_id: LOCAL_COMPUTE.id,
      compute_name: LOCAL_COMPUTE.name,
      statistics: await readMachine(),
    },
  ],
});
