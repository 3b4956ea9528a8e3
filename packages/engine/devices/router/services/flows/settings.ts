/** The settings of flow counters. */
import { integer } from "../../../../settings/kind.ts";
import { type PropertiesOf, type SpecOf, setting } from "../../../../settings/shape.ts";
import { shapedService } from "../base/service-shape.ts";

/** The flows are part of the router's stored state, which sets their number. */
const MAX_FLOWS = 1_024;

const SHAPE = {
  limit: setting(integer(1, MAX_FLOWS), MAX_FLOWS, {
    about: `count up to N flows (${MAX_FLOWS})`,
    line: "limit",
  }),
} as const;

export const FLOWS = shapedService("flows", SHAPE, {
  head: "flows",
  off: "Flows are not counted",
  about: "count packets by flow",
  aboutNo: "count them no longer",
});

declare module "../base/config.ts" {
  interface ServicesConfig {
    readonly flows?: SpecOf<typeof SHAPE>;
  }
  interface ServicesProperties {
    flows?: PropertiesOf<typeof SHAPE>;
  }
}
