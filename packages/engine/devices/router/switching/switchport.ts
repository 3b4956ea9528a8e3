/**
 * Switched ports: ports of the router that are switched together, as those of a switch. A switched port has no addresses: the
 * interface `vlanN` has those of its VLAN.
 *
 *     access   the frames of one VLAN, untagged
 *     trunk    the frames of the allowed VLANs, tagged, but for those of `vlan`, the native one
 */

import type { Path, PropertyReader } from "../../../settings/property-reader.ts";
import { ETHERTYPE_VLAN } from "../../../wire/ethernet.ts";
import { belongs, type SwitchPort } from "../../switch/ports.ts";
import { MAX_VLAN } from "../interfaces/spec.ts";
import { formatVlans, parseVlans } from "./vlan-list.ts";

export interface SwitchportSpec {
  readonly mode: "access" | "trunk";
  /** The VLAN of untagged frames. */
  readonly vlan: number;
  /** The VLANs of a trunk: `10,20,30-39`; absent for all. */
  readonly allowed?: string;
}

/** The settings with the names of the API's `properties`. */
export interface SwitchportProperties {
  mode?: string;
  vlan?: number;
  allowed?: string;
}

export const DEFAULT_VLAN = 1;

/** A switched port in the form that frames need. */
export interface Switchport {
  readonly port: SwitchPort;
  /** Undefined for all VLANs that the port can carry. */
  readonly allowed: ReadonlySet<number> | undefined;
}

export const makeSwitchport = ({ mode, vlan, allowed }: SwitchportSpec): Switchport => ({
  port: { type: mode === "access" ? "access" : "dot1q", vlan, etherType: ETHERTYPE_VLAN },
  allowed: allowed === undefined ? undefined : new Set(parseVlans(allowed)),
});

export const carriesVlan = ({ port, allowed }: Switchport, vlan: number): boolean =>
  belongs(port, vlan) && allowed?.has(vlan) !== false;

/** @returns undefined for an absent value, null for an invalid one. */
export const readSwitchport = (
  reader: PropertyReader,
  value: unknown,
  path: Path,
): SwitchportSpec | null | undefined =>
  reader.optional(value, (given) => {
    const { mode: type = "access", ...own } = reader.object(given, path, ["mode", "vlan", "allowed"]) ?? {};
    const mode =
      type === "access" || type === "trunk" ? type : reader.add([...path, "mode"], "must be access or trunk");
    const vlan = reader.integer(own.vlan ?? DEFAULT_VLAN, [...path, "vlan"], 1, MAX_VLAN);
    const allowed = reader.optional(own.allowed, (text) =>
      reader.parsed(text, [...path, "allowed"], parseVlans, "a list of VLANs (10,20,30-39)"),
    );
    if (allowed && mode === "access")
      reader.add([...path, "allowed"], "an access port carries its own VLAN only: set mode to trunk");
    if (mode === null || vlan === null || allowed === null) return null;
    return { mode, vlan, ...(allowed && { allowed: formatVlans(allowed) }) };
  });

export const formatSwitchport = ({ mode, vlan, allowed }: SwitchportSpec): SwitchportProperties => ({
  mode,
  vlan,
  ...(allowed !== undefined && { allowed }),
});

/** The command that makes a port a switched one. */
export function switchportLine(name: string, { mode, vlan, allowed }: SwitchportSpec): string {
  if (mode === "access") return `switchport ${name} access ${vlan}`;
  const native = vlan === DEFAULT_VLAN ? "" : ` native ${vlan}`;
  return `switchport ${name} trunk${native}${allowed === undefined ? "" : ` allowed ${allowed}`}`;
}
