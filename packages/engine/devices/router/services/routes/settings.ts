/** The static routes of `properties`. */

import { routes } from "../../../../net/plane/route-settings.ts";
import { routeLine, type StaticRoute } from "../../../../net/plane/route-spec.ts";
import type { ServiceSettings } from "../base/service-shape.ts";

export const ROUTES: ServiceSettings<"routes", readonly StaticRoute[], StaticRoute[]> = {
  ...routes,
  name: "routes",
  otherwise: [],
  format: (all) => all.map((each) => ({ ...each })),
  print: (all) => all.map(routeLine),
};
