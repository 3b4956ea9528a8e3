/** The properties and ports of a router; loaded when there is one. */
import { invalidRequest } from "../api/errors.ts";
import { parseRouterProperties } from "../engine/devices/router/properties.ts";
import { ethernetPort, type Hardware, type Properties } from "./hardware.ts";

/**
 * The properties as they were given, once they are known to make a router.
 * @throws ApiError 400 naming what is wrong under `body.properties`.
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
