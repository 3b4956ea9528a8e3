/** The helper virtual machine's settings. The function `helper` acts on those of the engine `ec2`, within a minute. */
import { failureOf, invalidRequest } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { SIMVM_ERRORS } from "../shared/edge/own-errors/simvm.ts";
import { helperConfig, machineName } from "../shared/machine/config.ts";
import type { SimVm } from "../shared/schemas/simvm.ts";
import { readService, type Service, writeSimVm } from "../shared/store/base/service.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import { readHelper } from "../shared/store/helper/helper.ts";
import { computeNames, instances, isEngine } from "./engines.ts";
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
    const { simvm } = service;
    const merged = { ...simvm, ...body };
    if (JSON.stringify(merged) === JSON.stringify(simvm)) return merged;
    await refuse(merged, service);
    return (await writeSimVm(merged, service.simvmRevision)) ? merged : STALE;
  });
  return { status: 201, body: settings };
};

/** Rejects settings that cannot act, before they are stored. */
async function refuse(merged: SimVm, service: Service): Promise<void> {
  await refuseChangeWhileOn(service.simvm, merged);
  if (!merged.enable) return;
  if (merged.engine === "ec2") return refuseMissingInstance(merged);
  if (merged.vmname !== null && computeNames(service).includes(merged.vmname)) return;
  throw failureOf(SIMVM_ERRORS, "simvm.vm-not-found", {
    engine: merged.engine,
    vmname: merged.vmname ?? "(none given)",
  });
}

/** The machine that runs is the one that has to be stopped, so its name and engine stay until it is off. */
async function refuseChangeWhileOn(before: SimVm, after: SimVm): Promise<void> {
  if (before.engine !== "ec2") return;
  const what = (["engine", "vmname"] as const).find((name) => before[name] !== after[name]);
  if (what === undefined) return;
  const { state } = await readHelper();
  if (state === "off") return;
  const words = `The helper machine is ${state}, so its ${what} cannot be changed; set enable to false and wait until it has stopped`;
  throw failureOf(SIMVM_ERRORS, "simvm.refused", { words });
}

/** The machine that the stack launches may not exist yet; others must. */
async function refuseMissingInstance(settings: SimVm): Promise<void> {
  const config = helperConfig();
  if (config === undefined) throw failureOf(SIMVM_ERRORS, "simvm.engine-not-found", { engine: "ec2" });
  const vmname = machineName(config, settings);
  const instance = (await instances()).find(({ name }) => name === vmname);
  const isOwn = vmname === machineName(config, { vmname: null });
  if (instance === undefined && !isOwn)
    throw failureOf(SIMVM_ERRORS, "simvm.vm-not-found", { engine: "ec2", vmname });
  const hibernates = instance?.canHibernate ?? process.env.HELPER_HIBERNATION === "true";
  if (settings.when_exit === "suspend" && !hibernates) {
    const words =
      `${vmname} is not made for hibernation, so when_exit cannot be suspend; deploy with -c helper_hibernation=true and terminate the ` +
      "instance, which is launched anew, or set when_exit to stop";
    throw failureOf(SIMVM_ERRORS, "simvm.refused", { words });
  }
  const { chooseType } = await import("../shared/machine/choose-type.ts");
  await chooseType(instance?.type ?? config.type, settings);
}
