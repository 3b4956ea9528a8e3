/** The simulated internet of a NAT node; loaded on first use, because few nodes have any. */
import { parseNatProperties } from "@wirelab/engine/devices/nat/index";
import { invalidRequest } from "../edge/errors.ts";

/**
 * @returns the hosts with the addresses that they get without one.
 * @throws ApiError 400 that names the invalid values under `body.properties`.
 */
export function readInternet(internet: unknown): unknown {
  const parsed = parseNatProperties({ internet });
  if (parsed.ok) return parsed.config.internet;
  throw invalidRequest(
    parsed.problems.map(({ path, message }) => ({
      path: ["body.properties", ...path].join("."),
      message,
    })),
  );
}
