import * as z from "zod/mini";
import { defineGroup } from "../shared/edge/route.ts";
import { engine, simvm, simvmUpdate, vm } from "../shared/schemas/simvm.ts";

export const group = defineGroup({
  name: "simvm",
  description: "The helper virtual machine",
  routes: {
    getSimVm: {
      method: "GET",
      path: "/simvm",
      summary: "Get the settings of the helper virtual machine",
      responses: { 200: { description: "The settings", schema: simvm } },
      errors: [],
    },
    updateSimVm: {
      method: "PUT",
      path: "/simvm",
      role: "admin",
      summary: "Change the settings of the helper virtual machine",
      description: "Omitted fields keep their values.",
      body: { kind: "json", schema: simvmUpdate },
      responses: { 201: { description: "The settings", schema: simvm } },
      errors: ["simvm.vm-not-found"],
    },
    listEngines: {
      method: "GET",
      path: "/simvm/engines",
      summary: "List the engines that can run the helper virtual machine",
      responses: { 200: { description: "The engines", schema: z.array(engine) } },
      errors: [],
    },
    listVms: {
      method: "GET",
      path: "/simvm/engines/{engine}/vms",
      summary: "List the virtual machines of an engine",
      responses: { 200: { description: "The virtual machines", schema: z.array(vm) } },
      errors: ["simvm.engine-not-found"],
    },
  },
});
