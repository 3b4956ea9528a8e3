import { answeredWithin } from "../shared/compute/answered-within.ts";
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
/** A compute that has not answered is not asked again for this time, so that clients can poll. */
const SILENT_MS = 30_000;

/** When each compute that did not answer may be asked again, by id: milliseconds since 1970. */
const silent = new Map<string, number>();

/** Computes that do not answer have no entry. */
export const listStatistics: Operation<typeof group.routes.listStatistics> = async () => {
  const { computes } = await readService();
  const [statistics, ...others] = await Promise.all([readMachine(), ...computes.map(statisticsOf)]);
  const local = { compute_id: LOCAL_COMPUTE.id, compute_name: LOCAL_COMPUTE.name, statistics };
  return { status: 200, body: [local, ...others.filter((each) => each !== undefined)] };
};

async function statisticsOf(compute: ComputeItem): Promise<ComputeStatistics | undefined> {
  const { compute_id } = compute;
  if ((silent.get(compute_id) ?? 0) > Date.now()) return undefined;
  const statistics = await answeredWithin(ask(compute), TIMEOUT_MS);
  if (statistics === undefined) silent.set(compute_id, Date.now() + SILENT_MS);
  return statistics;
}

async function ask(compute: ComputeItem): Promise<ComputeStatistics | undefined> {
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
