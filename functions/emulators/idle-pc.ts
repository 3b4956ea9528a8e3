/** Finds an idle-pc value: a compute measures a router of its own, in a project that exists as long as the measurement. */
import { callCompute } from "../shared/compute/call.ts";
import type { Peer } from "../shared/compute/peer.ts";
import type { IdlePcRequest } from "../shared/schemas/emulator.ts";

/** The compute runs the router for some seconds for each value that it tries. */
const MEASURE_TIMEOUT_MS = 240_000;
const NAME = "AUTOIDLEPC";

/** @throws ApiError those of `callCompute`; the project is deleted on the compute in any case. */
export async function findIdlePc(peer: Peer, { platform, image, ram }: IdlePcRequest): Promise<unknown> {
  const project_id = crypto.randomUUID();
  const project = `/projects/${project_id}`;
  await callCompute(peer, { method: "POST", path: "/projects", body: { name: NAME, project_id } });
  try {
    const node_id = crypto.randomUUID();
    const nodes = `${project}/dynamips/nodes`;
    await callCompute(peer, {
      method: "POST",
      path: nodes,
      body: { name: NAME, node_id, platform, image, ram, dynamips_id: 1 },
    });
    const path = `${nodes}/${node_id}/auto_idlepc`;
    return await callCompute(peer, { method: "GET", path, timeoutMs: MEASURE_TIMEOUT_MS });
  } finally {
    await callCompute(peer, { method: "DELETE", path: project });
  }
}
