/** The name of the route map that judges what a protocol redistributes. As in FRR, one that does not exist denies all. */
import { text } from "../../../../settings/kind.ts";
import { optional } from "../../../../settings/shape.ts";

export const routeMap = optional(text("NAME"), { name: "routeMap", line: "route-map" });
