import * as z from "zod/mini";
import { defineGroup } from "../shared/edge/route.ts";
import { engine, simvm, simvmUpdate, vm } from "../shared/schemas/simvm.ts";

/** Declares the routes at a path: existing clients know the settings as `/gns3vm`. */
const routesAt = <const P extends string>(path: P) => ({
  get: {
    method: "GET",
    path,
    summary: "Get the settings of the helper virtual machine",
    responses: { 200: { description: "The settings", schema: simvm } },
    errors: [],
  } as const,
  update: {
    method: "PUT",
    path,
    role: "admin",
    summary: "Change the settings of the helper virtual machine",
    description:
      "Omitted fields keep their values. With the engine `ec2`, `enable` starts the machine and stops it; `vcpus` and `ram` act at its next start.",
    body: { kind: "json", schema: simvmUpdate },
    responses: { 201: { description: "The settings", schema: simvm } },
    errors: ["simvm.vm-not-found", "simvm.engine-not-found", "simvm.refused", "simvm.unavailable"],
  } as const,
  engines: {
    method: "GET",
    path: `${path}/engines`,
    summary: "List the engines that can run the helper virtual machine",
    responses: { 200: { description: "The engines", schema: z.array(engine) } },
    errors: [],
  } as const,
  vms: {
    method: "GET",
    path: `${path}/engines/{engine}/vms`,
    summary: "List the virtual machines of an engine",
    responses: { 200: { description: "The virtual machines", schema: z.array(vm) } },
    errors: ["simvm.engine-not-found", "simvm.refused", "simvm.unavailable"],
  } as const,
});

const own = routesAt("/simvm");
const known = routesAt("/gns3vm");

export const group = defineGroup({
  name: "simvm",
  description: "The helper virtual machine",
  routes: {
    getSimVm: own.get,
    updateSimVm: own.update,
    listEngines: own.engines,
    listVms: own.vms,
    getGns3Vm: known.get,
    updateGns3Vm: known.update,
    listGns3VmEngines: known.engines,
    listGns3VmVms: known.vms,
  },
});
