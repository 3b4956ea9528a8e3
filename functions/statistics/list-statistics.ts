import { callCompute } from "../shared/compute/call.ts";
import { peerOf } from "../shared/compute/find.ts";
import { ApiError } from "../shared/edge/errors.ts";
import { LOCAL_COMPUTE } from "../shared/edge/local-compute.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { type ComputeStatistics, machine } from "../shared/schemas/statistics.ts";
import { type ComputeItem, readService } from "../shared/store/base/service.ts";
import { readMachine } from "./machine.ts";
import type { group } from "./routes.ts";

const TIMEOUT_MS = 2_000;

/** Computes that do not answer have no entry. */
export const listStatistics: Operation<typeof group.routes.listStatistics> = async () => {
  const { computes } = await readService();
  const [statistics, ...others] = await Promise.all([readMachine(), ...computes.map(statisticsOf)]);
  const local = { compute_id: LOCAL_COMPUTE.id, compute_name: LOCAL_COMPUTE.name, statistics };
  return { status: 200, body: [local, ...others.filter((each) => each !== undefined)] };
};

async function statisticsOf(compute: ComputeItem): Promise<ComputeStatistics | undefined> {
  const { compute_id, name: compute_name } = compute;
  const peer = await peerOf(compute);
  try {
    const answer = await callCompute(peer, { method: "GET", path: "/statistics", timeoutMs: TIMEOUT_MS });
    const statistics = machine.safeParse(answer);
    return statistics.data && { compute_id, compute_name, statistics: statistics.data };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return undefined;
  }
}
