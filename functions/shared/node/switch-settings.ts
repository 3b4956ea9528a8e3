/** The properties of a switch beside its ports; loaded on first use, because few switches have any. */
import type { SwitchPort } from "@wirelab/engine/devices/switch/index";
import { switchPropertiesOf } from "@wirelab/engine/devices/switch/settings/names";
import { parseSwitch } from "@wirelab/engine/devices/switch/settings/parse";
import { ETHERTYPE_VLAN } from "@wirelab/engine/wire/ethernet";
import { invalidRequest } from "../edge/errors.ts";
import type { Properties } from "./hardware.ts";

/** @throws ApiError 400 that names the invalid values under `body.properties`. */
export function checkSwitchSettings(properties: Properties): void {
  const mapping = properties.ports_mapping as (Pick<SwitchPort, "type" | "vlan"> & { name: string })[];
  const parsed = parseSwitch(switchPropertiesOf(properties), {
    // Nothing is made from the name that the checks see.
    name: "",
    ports: mapping.map(({ type, vlan }) => ({ type, vlan, etherType: ETHERTYPE_VLAN })),
    portNames: mapping.map(({ name }) => name),
  });
  if (parsed.ok) return;
  throw invalidRequest(
    parsed.problems.map(({ path, message }) => ({
      path: ["body.properties", ...path].join("."),
      message,
    })),
  );
}
