import { defineGroup } from "../shared/edge/route.ts";
import { statistics } from "../shared/schemas/statistics.ts";

export const group = defineGroup({
  name: "statistics",
  description: "What there is in the whole service, for those who run it",
  routes: {
    getStatistics: {
      method: "GET",
      path: "/statistics",
      summary: "Count what there is in all projects",
      description: "Reads a bounded number of projects; `complete` tells whether these were all.",
      role: "admin",
      responses: { 200: { description: "The counts", schema: statistics } },
      errors: [],
    },
  },
});
