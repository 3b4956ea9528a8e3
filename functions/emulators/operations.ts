import { localCapabilities } from "../shared/edge/local-compute.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { interfaceVersion, SERVICE_VERSION } from "../shared/edge/version.ts";
import { addressOf, requireLocal } from "./find-compute.ts";
import { PORTS, readLocal, refuseChange } from "./local.ts";
import type { group } from "./routes.ts";

type Routes = typeof group.routes;

export const getComputePorts: Operation<Routes["getComputePorts"]> = async ({ params }) => {
  await requireLocal(params.compute_id);
  return { status: 200, body: structuredClone(PORTS) };
};

export const proposeIdlePc: Operation<Routes["proposeIdlePc"]> = async ({ params }) => {
  await requireLocal(params.compute_id);
  return refuseChange("dynamips");
};

export const listImages: Operation<Routes["listImages"]> = async ({ params }) => {
  await requireLocal(params.compute_id);
  return { status: 200, body: readLocal(params.emulator, "images") as never };
};

export const readEmulator: Operation<Routes["readEmulator"]> = async ({ params }) => {
  await requireLocal(params.compute_id);
  return { status: 200, body: readLocal(params.emulator, params.action) };
};

export const changeEmulator: Operation<Routes["postToEmulator"]> = async ({ params }) => {
  await requireLocal(params.compute_id);
  return refuseChange(params.emulator);
};

export const getEndpoint: Operation<Routes["getEndpoint"]> = async ({ params, origin }) => {
  const { compute_id, emulator, action } = params;
  return { status: 200, body: { endpoint: `${await addressOf(compute_id, origin)}/${emulator}/${action}` } };
};

export const getLocalVersion: Operation<Routes["getLocalVersion"]> = async () => ({
  status: 200,
  body: { local: false, version: interfaceVersion(), wirelab: SERVICE_VERSION },
});

export const getLocalCapabilities: Operation<Routes["getLocalCapabilities"]> = async () => ({
  status: 200,
  body: localCapabilities(),
});

export const createLocalProject: Operation<Routes["createLocalProject"]> = async ({ body }) => ({
  status: 201,
  body: {
    name: body.name,
    project_id: body.project_id ?? crypto.randomUUID(),
    variables: body.variables ?? null,
  },
});

export const readLocalEmulator: Operation<Routes["readLocalEmulator"]> = async ({ params }) => ({
  status: 200,
  body: readLocal(params.emulator, params.action),
});

export const changeLocalEmulator: Operation<Routes["postToLocalEmulator"]> = async ({ params }) =>
  refuseChange(params.emulator);
