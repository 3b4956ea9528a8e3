/** The engines of this service: `remote`, whose virtual machines are the registered computes, and `ec2` where the stack has it. */
import { failureOf } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { SIMVM_ERRORS } from "../shared/edge/own-errors/simvm.ts";
import { defaultName, helperConfig, VM } from "../shared/machine/config.ts";
import type { SimVm } from "../shared/schemas/simvm.ts";
import { readService, type Service } from "../shared/store/base/service.ts";
import type { Instance } from "../shared/store/ec2/instances.ts";
import type { group } from "./routes.ts";

const REMOTE = {
  engine_id: "remote",
  name: "Remote",
  description: "Uses a registered compute as the helper virtual machine",
  support_when_exit: false,
  support_headless: false,
  support_ram: false,
};

const EC2 = {
  engine_id: "ec2",
  name: "Amazon EC2",
  description: "Starts an instance of the account while a project uses it",
  support_when_exit: true,
  // An instance has no screen.
  support_headless: false,
  support_ram: true,
};

const engines = () => (helperConfig() ? [REMOTE, EC2] : [REMOTE]);

export const isEngine = (id: string): boolean => engines().some(({ engine_id }) => engine_id === id);

/** The names of registered computes, without the one that an engine runs. */
export const computeNames = ({ computes }: Service): string[] =>
  computes.filter(({ compute_id }) => compute_id !== VM).map(({ name }) => name);

/**
 * Lists the instances with the stack's tag, through a client that is loaded on first use.
 * @throws ApiError `simvm.refused`, `simvm.unavailable`.
 */
export async function instances(): Promise<Instance[]> {
  const { listInstances } = await import("../shared/store/ec2/instances.ts");
  return listInstances(helperConfig()!.stack);
}

/** The instances by name, and first the machine that the stack launches itself, also before its first launch. */
async function machineNames(): Promise<string[]> {
  const own = defaultName(helperConfig()!);
  return [...new Set([own, ...(await instances()).map(({ name }) => name)])];
}

const namesOf = async (engine: SimVm["engine"], service: Service): Promise<string[]> =>
  engine === EC2.engine_id ? machineNames() : computeNames(service);

export const listEngines: Operation<typeof group.routes.listEngines> = async () => ({
  status: 200,
  body: engines().map((engine) => ({ ...engine })),
});

export const listVms: Operation<typeof group.routes.listVms> = async ({ params: { engine } }) => {
  if (!isEngine(engine)) throw failureOf(SIMVM_ERRORS, "simvm.engine-not-found", { engine });
  const names = await namesOf(engine, await readService());
  return { status: 200, body: names.map((vmname) => ({ vmname })) };
};
