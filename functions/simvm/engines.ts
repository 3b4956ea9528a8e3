/** The engines of this service: only `remote`, whose virtual machines are the registered computes. */
import { failure } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { readService, type Service } from "../shared/store/base/service.ts";
import type { group } from "./routes.ts";

const REMOTE = {
  engine_id: "remote",
  name: "Remote",
  description: "Uses a registered compute as the helper virtual machine",
  support_when_exit: false,
  support_headless: false,
  support_ram: false,
};

export const isEngine = (id: string): boolean => id === REMOTE.engine_id;

export const vmNames = ({ computes }: Service): string[] => computes.map((compute) => compute.name);

export const listEngines: Operation<typeof group.routes.listEngines> = async () => ({
  status: 200,
  body: [{ ...REMOTE }],
});

export const listVms: Operation<typeof group.routes.listVms> = async ({ params: { engine } }) => {
  if (!isEngine(engine)) throw failure("simvm.engine-not-found", { engine });
  return { status: 200, body: vmNames(await readService()).map((vmname) => ({ vmname })) };
};
