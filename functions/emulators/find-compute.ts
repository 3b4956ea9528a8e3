/** The compute that a request names. */
import { failure } from "../shared/edge/errors.ts";
import { LOCAL_COMPUTE } from "../shared/edge/local-compute.ts";
import type { Origin } from "../shared/edge/operation.ts";
import { readService, type Service } from "../shared/store/base/service.ts";

/** The service never connects to registered computes. @throws ApiError for every compute but the built-in one. */
export async function requireLocal(computeId: string): Promise<void> {
  if (computeId === LOCAL_COMPUTE.id) return;
  findRegistered(await readService(), computeId);
  throw failure("compute.not-connected", { compute_id: computeId });
}

/** Returns where a compute serves its own side of the interface. @throws ApiError `compute.not-found`. */
export async function addressOf(computeId: string, origin: Origin): Promise<string> {
  const { protocol, host, port } =
    computeId === LOCAL_COMPUTE.id ? origin : findRegistered(await readService(), computeId);
  return `${protocol}://${host}:${port}/v2/compute`;
}

/** The helper virtual machine is one of the registered computes under the id `vm`, while it is enabled. */
function findRegistered({ computes, simvm }: Service, computeId: string) {
  const isVm = computeId === "vm" && simvm.enable;
  const compute = computes.find((each) =>
    isVm ? each.name === simvm.vmname : each.compute_id === computeId,
  );
  if (compute === undefined) throw failure("compute.not-found", { compute_id: computeId });
  return compute;
}
