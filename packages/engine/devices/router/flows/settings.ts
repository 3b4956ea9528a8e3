/** The settings of flow counters. */
import { integer } from "../../../settings/kind.ts";
import { setting } from "../../../settings/shape.ts";
import { shapedService } from "../service-shape.ts";

/** The flows are part of the router's stored state, which sets their number. */
const MAX_FLOWS = 1_024;

export const FLOWS = shapedService(
  "flows",
  {
    limit: setting(integer(1, MAX_FLOWS), MAX_FLOWS, {
      about: `count up to N flows (${MAX_FLOWS})`,
      line: "limit",
    }),
  },
  {
    head: "flows",
    off: "Flows are not counted",
    about: "count packets by flow",
    aboutNo: "count them no longer",
  },
);
