/** The properties and ports of a router; loaded on first use. */

import { parseRouterProperties } from "@wirelab/engine/devices/router/properties";
import { invalidRequest } from "../edge/errors.ts";
import { ethernetPort, type Hardware, type Properties } from "./hardware.ts";

/**
 * Validates the properties and returns them as they were given.
 * @throws ApiError 400 that names the invalid values under `body.properties`.
 */
export function makeRouterHardware(given: Properties): Hardware {
  const parsed = parseRouterProperties(given);
  if (parsed.ok) {
    return {
      properties: given,
      ports: parsed.config.ports.map((port, index) => ethernetPort(port.name, index)),
    };
  }
  throw invalidRequest(
    parsed.problems.map(({ path, message }) => ({
      path: ["body.properties", ...path].join("."),
      message,
    })),
  );
}
