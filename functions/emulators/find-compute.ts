/** The compute that a request names. */

import { findPeer, registeredIn } from "../shared/compute/find.ts";
import type { Peer } from "../shared/compute/peer.ts";
import { failure } from "../shared/edge/errors.ts";
import { LOCAL_COMPUTE } from "../shared/edge/local-compute.ts";
import type { Origin } from "../shared/edge/operation.ts";
import { readService } from "../shared/store/base/service.ts";

/** Returns how to call a registered compute; undefined for the built-in one. @throws ApiError `compute.not-found` */
export const remotePeer = async (computeId: string): Promise<Peer | undefined> =>
  computeId === LOCAL_COMPUTE.id ? undefined : findPeer(computeId);

/** Returns where a compute serves its own side of the interface. @throws ApiError `compute.not-found`. */
export async function addressOf(computeId: string, origin: Origin): Promise<string> {
  const compute = computeId === LOCAL_COMPUTE.id ? origin : registeredIn(await readService(), computeId);
  if (compute === undefined) throw failure("compute.not-found", { compute_id: computeId });
  const { protocol, host, port } = compute;
  return `${protocol}://${host}:${port}/v2/compute`;
}
