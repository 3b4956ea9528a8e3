/** The helper virtual machine's settings. */
import { failure, invalidRequest } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import type { SimVm } from "../shared/schemas/simvm.ts";
import { readService, type Service, writeSimVm } from "../shared/store/base/service.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import { isEngine, vmNames } from "./engines.ts";
import type { group } from "./routes.ts";

export const getSimVm: Operation<typeof group.routes.getSimVm> = async () => ({
  status: 200,
  body: (await readService()).simvm,
});

export const updateSimVm: Operation<typeof group.routes.updateSimVm> = async ({ body }) => {
  if (body.engine !== undefined && !isEngine(body.engine)) {
    throw invalidRequest([{ path: "body.engine", message: "is not an engine of this service" }]);
  }
  const settings = await untilFresh(async () => {
    const service = await readService();
    const merged = { ...service.simvm, ...body };
    refuseMissingVm(merged, service);
    if (JSON.stringify(merged) === JSON.stringify(service.simvm)) return merged;
    return (await writeSimVm(merged, service.simvmRevision)) ? merged : STALE;
  });
  return { status: 201, body: settings };
};

/** Rejects enabled settings that name a missing machine, before they are stored. */
function refuseMissingVm({ enable, engine, vmname }: SimVm, service: Service): void {
  if (!enable || (vmname !== null && vmNames(service).includes(vmname))) return;
  throw failure("simvm.vm-not-found", { engine, vmname: vmname ?? "(none given)" });
}
