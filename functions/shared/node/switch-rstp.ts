/** The property `rstp` of a switch; loaded on first use, because few switches have it. */
import { parseRstp } from "@wirelab/engine/devices/switch/rstp/parse-settings";
import { invalidRequest } from "../edge/errors.ts";
import type { Properties } from "./hardware.ts";

/** @throws ApiError 400 that names the invalid values under `body.properties.rstp`. */
export function checkRstp({ rstp, ports_mapping }: Properties): void {
  // The address that is made from the name is not part of the properties.
  const parsed = parseRstp(rstp, "", (ports_mapping as unknown[]).length);
  if (parsed.ok) return;
  throw invalidRequest(
    parsed.problems.map(({ path, message }) => ({
      path: ["body.properties.rstp", ...path].join("."),
      message,
    })),
  );
}
