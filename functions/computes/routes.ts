import * as z from "zod/mini";
import { defineGroup } from "../shared/edge/route.ts";
import { compute, computeCreate, computeUpdate } from "../shared/schemas/compute.ts";

const COMPUTE = "/computes/{compute_id}";

export const group = defineGroup({
  name: "computes",
  description: "Computes: `local` is this service; clients register others by their address",
  routes: {
    listComputes: {
      method: "GET",
      path: "/computes",
      summary: "List computes",
      responses: { 200: { description: "All computes, `local` first", schema: z.array(compute) } },
      errors: [],
    },
    createCompute: {
      method: "POST",
      path: "/computes",
      idempotent: true,
      role: "admin",
      summary: "Register a compute",
      description: "If a compute with this id exists, returns it unchanged.",
      body: { kind: "json", schema: computeCreate },
      responses: { 201: { description: "The compute", schema: compute } },
      errors: ["compute.name-taken", "compute.address-refused"],
    },
    getCompute: {
      method: "GET",
      path: COMPUTE,
      summary: "Get a compute",
      responses: { 200: { description: "The compute", schema: compute } },
      errors: ["compute.not-found"],
    },
    updateCompute: {
      method: "PUT",
      path: COMPUTE,
      role: "admin",
      summary: "Change a registered compute",
      body: { kind: "json", schema: computeUpdate },
      responses: { 200: { description: "The compute", schema: compute } },
      errors: ["compute.not-found", "compute.name-taken", "compute.address-refused", "compute.builtin"],
    },
    deleteCompute: {
      method: "DELETE",
      path: COMPUTE,
      role: "admin",
      summary: "Delete a registered compute",
      responses: { 204: { description: "Deleted" } },
      errors: ["compute.not-found", "compute.builtin"],
    },
  },
});
