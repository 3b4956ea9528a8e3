/** Registered computes as peers of calls. */
import { failure } from "../edge/errors.ts";
import { LOCAL_COMPUTE } from "../edge/local-compute.ts";
import { helperConfig, VM } from "../machine/config.ts";
import { ensureHelper } from "../machine/ensure.ts";
import { type ComputeItem, readService, type Service } from "../store/base/service.ts";
import type { NodeItem } from "../store/lab/node.ts";
import type { Peer } from "./peer.ts";

/**
 * The helper virtual machine is one of the registered computes under the id `vm`, while it is enabled; the engine `ec2` registers its own
 * under that id.
 */
export function registeredIn({ computes, simvm }: Service, computeId: string): ComputeItem | undefined {
  const isVm = computeId === "vm" && simvm.enable && simvm.engine !== "ec2";
  return computes.find((each) => (isVm ? each.name === simvm.vmname : each.compute_id === computeId));
}

/** Returns the compute with its password. */
export async function peerOf(compute: ComputeItem): Promise<Peer> {
  const { compute_id, name, protocol, host, port, user, has_password } = compute;
  // Loaded on first use: few computes have a password, and the client of Secrets Manager is large.
  const password = has_password
    ? await (await import("../store/base/compute-password.ts")).readComputePassword(compute_id)
    : undefined;
  return { name, protocol, host, port, user, password };
}

/**
 * @param projectId the project that the call is for; it keeps the helper machine running while it is open.
 * @throws ApiError `compute.not-found`, also for the built-in compute, which is not called; `simvm.unavailable` for a helper machine that is
 *   not ready, whose start this asks for.
 */
export async function findPeer(computeId: string, projectId?: string): Promise<Peer> {
  if (computeId === VM && helperConfig()) await ensureHelper(projectId);
  const compute = computeId === LOCAL_COMPUTE.id ? undefined : registeredIn(await readService(), computeId);
  if (compute === undefined) throw failure("compute.not-found", { compute_id: computeId });
  return peerOf(compute);
}

/** Returns the peer that has the node, whose project keeps the helper machine running. @throws ApiError as `findPeer` */
export const peerOfNode = ({
  project_id,
  document,
}: Pick<NodeItem, "project_id" | "document">): Promise<Peer> => findPeer(document.compute_id, project_id);
