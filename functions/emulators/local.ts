/** What the built-in compute has of each emulator. It runs no programs, so it has no images, disks or machines of them. */
import { failureOf } from "../shared/edge/errors.ts";
import { LOCAL_COMPUTE } from "../shared/edge/local-compute.ts";
import { EMULATOR_ERRORS } from "../shared/edge/own-errors/emulator.ts";
import type { ComputePorts } from "../shared/schemas/emulator.ts";
import { IMAGES } from "../shared/schemas/router-image.ts";

/** Ranges that clients know; the built-in compute uses no port of them, because nodes talk inside a run. */
export const PORTS: ComputePorts = {
  console_port_range: [5000, 10_000],
  console_ports: [],
  udp_port_range: [20_000, 30_000],
  udp_ports: [],
};

/** The images by which existing clients know routers and servers: docs/compatibility.md. */
const DOCKER_IMAGES = Object.values(IMAGES).map((image) => ({ image }));

const READABLE: Readonly<Record<string, readonly object[] | object>> = {
  "docker/images": DOCKER_IMAGES,
  "dynamips/images": [],
  "iou/images": [],
  "qemu/images": [],
  "qemu/binaries": [],
  "qemu/capabilities": { kvm: [] },
  "virtualbox/vms": [],
  "vmware/vms": [],
  "network/interfaces": [],
  "network/ports": PORTS,
};

/** @throws ApiError `compute.action-not-found`. */
export function readLocal(emulator: string, action: string): readonly object[] | object {
  const path = `${emulator}/${action}`;
  if (Object.hasOwn(READABLE, path)) return READABLE[path]!;
  throw failureOf(EMULATOR_ERRORS, "compute.action-not-found", { path });
}

export const refuseChange = (emulator: string): never => {
  throw failureOf(EMULATOR_ERRORS, "compute.not-emulated", { emulator, compute_id: LOCAL_COMPUTE.id });
};
