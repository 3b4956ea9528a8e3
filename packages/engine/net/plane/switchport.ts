/** Switched ports in the form that frames need. */

import { ETHERTYPE_VLAN } from "../../wire/ethernet.ts";
import { belongs, type SwitchPort } from "../bridge/ports.ts";
import { parseVlans } from "./vlan-list.ts";

export interface SwitchportSpec {
  readonly mode: "access" | "trunk";
  /** The VLAN of untagged frames. */
  readonly vlan: number;
  /** A list of VLANs; absent for all. */
  readonly allowed?: string;
}

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
