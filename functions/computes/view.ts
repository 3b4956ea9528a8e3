/** Computes as the interface shows them (docs/interface.md, section 6.2). */
import { LOCAL_COMPUTE, localCapabilities } from "../shared/edge/local-compute.ts";
import type { Origin } from "../shared/edge/operation.ts";
import type { Compute } from "../shared/schemas/compute.ts";
import type { ComputeState } from "../shared/store/base/compute-state.ts";
import { type ComputeItem, type Service, toCompute } from "../shared/store/base/service.ts";

/** The built-in compute: this service, at the address by which the caller reached it. */
const localCompute = ({ protocol, host, port }: Origin): Compute => ({
  capabilities: localCapabilities(),
  compute_id: LOCAL_COMPUTE.id,
  connected: true,
  cpu_usage_percent: null,
  host,
  last_error: null,
  memory_usage_percent: null,
  name: LOCAL_COMPUTE.name,
  port,
  protocol,
  user: null,
});

/** What computes have answered, by id. */
export type States = ReadonlyMap<string, ComputeState>;

const withState = (compute: ComputeItem, states: States): Compute => ({
  ...toCompute(compute),
  ...states.get(compute.compute_id),
});

/** The helper virtual machine is listed among the computes while it is enabled (docs/interface.md, section 7.2). */
function simVmCompute({ simvm, computes }: Service, states: States): Compute[] {
  // The engine `ec2` registers its machine itself, while it runs.
  if (!simvm.enable || simvm.engine === "ec2") return [];
  const behind = computes.find((compute) => compute.name === simvm.vmname);
  return behind ? [{ ...withState(behind, states), compute_id: "vm", name: `Sim VM (${behind.name})` }] : [];
}

/** @param states without those, computes are shown as never connected. */
export const allComputes = (service: Service, origin: Origin, states: States = new Map()): Compute[] => [
  localCompute(origin),
  ...simVmCompute(service, states),
  ...service.computes.map((compute) => withState(compute, states)),
];
