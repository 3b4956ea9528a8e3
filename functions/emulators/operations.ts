import * as z from "zod/mini";
import { callCompute } from "../shared/compute/call.ts";
import type { Call, Peer } from "../shared/compute/peer.ts";
import { refusal } from "../shared/compute/refusal.ts";
import { localCapabilities } from "../shared/edge/local-compute.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { interfaceVersion, SERVICE_VERSION } from "../shared/edge/version.ts";
import { computePorts, image } from "../shared/schemas/emulator.ts";
import { addressOf, remotePeer } from "./find-compute.ts";
import { forwardedPath } from "./forward.ts";
import { findIdlePc } from "./idle-pc.ts";
import { PORTS, readLocal, refuseChange } from "./local.ts";
import type { group } from "./routes.ts";

type Routes = typeof group.routes;

export const getComputePorts: Operation<Routes["getComputePorts"]> = async ({ params }) => {
  const peer = await remotePeer(params.compute_id);
  if (peer === undefined) return { status: 200, body: structuredClone(PORTS) };
  return { status: 200, body: await read(peer, "/network/ports", computePorts) };
};

export const listImages: Operation<Routes["listImages"]> = async ({ params: { compute_id, emulator } }) => {
  const peer = await remotePeer(compute_id);
  if (peer === undefined) return { status: 200, body: readLocal(emulator, "images") as never };
  return { status: 200, body: await read(peer, forwardedPath(emulator, "images"), z.array(image)) };
};

/** Fields that this interface does not have are left out. @throws ApiError `compute.not-gns3` for another shape. */
async function read<T extends z.ZodMiniType>(peer: Peer, path: string, schema: T): Promise<z.output<T>> {
  const call: Call = { method: "GET", path };
  const { success, data } = schema.safeParse(await callCompute(peer, call));
  if (!success) throw refusal(peer, call, 0, "");
  return data;
}

export const proposeIdlePc: Operation<Routes["proposeIdlePc"]> = async ({ params, body }) => {
  const peer = await remotePeer(params.compute_id);
  if (peer === undefined) return refuseChange("dynamips");
  return { status: 200, body: await findIdlePc(peer, body) };
};

export const readEmulator: Operation<Routes["readEmulator"]> = async ({ params }) => {
  const { compute_id, emulator, action } = params;
  const peer = await remotePeer(compute_id);
  if (peer === undefined) return { status: 200, body: readLocal(emulator, action) };
  const path = forwardedPath(emulator, action);
  return { status: 200, body: await callCompute(peer, { method: "GET", path }) };
};

const change =
  (method: "POST" | "PUT"): Operation<Routes["postToEmulator"]> =>
  async ({ params: { compute_id, emulator, action }, body }) => {
    const peer = await remotePeer(compute_id);
    if (peer === undefined) return refuseChange(emulator);
    const path = forwardedPath(emulator, action);
    const payload = body.length > 0 && { body };
    return { status: 200, body: await callCompute(peer, { method, path, ...payload }) };
  };

export const postToEmulator = change("POST");
export const putToEmulator: Operation<Routes["putToEmulator"]> = change("PUT");

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
