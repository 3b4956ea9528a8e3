/** The name of a switched virtual interface says its VLAN: `vlan10`. */
import { MAX_VLAN } from "../address/network-kinds.ts";

/** Undefined if it is not the name of one. */
export function vlanOfSvi(name: string): number | undefined {
  const vlan = Number(/^vlan([1-9]\d{0,3})$/i.exec(name)?.[1] ?? Number.NaN);
  return vlan <= MAX_VLAN ? vlan : undefined;
}
