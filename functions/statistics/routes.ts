import { defineGroup } from "../shared/edge/route.ts";
import { statistics } from "../shared/schemas/statistics.ts";

export const group = defineGroup({
  name: "statistics",
  description: "Usage of the whole service, for its operators",
  routes: {
    getStatistics: {
      method: "GET",
      path: "/statistics",
      summary: "Count the resources of all projects",
      description: "Reads a bounded number of projects; `complete` reports whether it read all of them.",
      role: "admin",
      responses: { 200: { description: "The counts", schema: statistics } },
      errors: [],
    },
  },
});
