import * as z from "zod/mini";
import { defineGroup } from "../shared/edge/route.ts";
import { computeStatistics, usage } from "../shared/schemas/statistics.ts";

export const group = defineGroup({
  name: "statistics",
  description: "Statistics of computes, and usage of the whole service for its operators",
  routes: {
    listStatistics: {
      method: "GET",
      path: "/statistics",
      summary: "Statistics of the connected computes",
      description:
        "Only `local` is connected: the figures are those of the machine that answers this request.",
      responses: { 200: { description: "The statistics", schema: z.array(computeStatistics) } },
      errors: [],
    },
    getUsage: {
      method: "GET",
      path: "/usage",
      summary: "Count the resources of all projects",
      description: "Reads a bounded number of projects; `complete` reports whether it read all of them.",
      role: "admin",
      responses: { 200: { description: "The counts", schema: usage } },
      errors: [],
    },
  },
});
