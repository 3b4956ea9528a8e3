/**
 * Switched ports: ports of the router that are switched together, as those of a switch. A switched port has no addresses: the
 * interface `vlanN` has those of its VLAN.
 *
 *     access   the frames of one VLAN, untagged
 *     trunk    the frames of the allowed VLANs, tagged, but for those of `vlan`, the native one
 */

import { vlanId } from "../../../../net/address/network-kinds.ts";
import { formatVlans, parseVlans } from "../../../../net/plane/vlan-list.ts";
import { choice, type Kind, spelled } from "../../../../settings/kind.ts";
import { optional, type PropertiesOf, type SpecOf, setting } from "../../../../settings/shape.ts";
import { edited, record, syntaxOf, wordsOf } from "../../../../settings/words.ts";

const DEFAULT_VLAN = 1;

const mode: Kind<"access" | "trunk"> = {
  ...choice("access", "trunk"),
  read: (reader, value, path) =>
    value === "access" || value === "trunk" ? value : reader.add(path, "must be access or trunk"),
};
const vlans = spelled(
  "a list of VLANs (10,20,30-39)",
  (text) => {
    const parsed = parseVlans(text);
    return parsed && formatVlans(parsed);
  },
  { placeholder: "LIST" },
);

const TRUNK = {
  vlan: setting({ ...vlanId, placeholder: "VLAN" }, DEFAULT_VLAN, {
    about: "the VLAN of untagged frames",
    line: "native",
  }),
  allowed: optional(vlans, { about: "the VLANs of a trunk; absent for all" }),
} as const;
const SHAPE = { mode: setting(mode, "access"), ...TRUNK } as const;

type SwitchportSpec = SpecOf<typeof SHAPE>;
export type SwitchportProperties = PropertiesOf<typeof SHAPE>;

export const TRUNK_SYNTAX = syntaxOf(TRUNK);

export const switchport: Kind<SwitchportSpec> = {
  ...record(SHAPE, (draft, reader, path) => {
    if (draft.allowed && draft.mode === "access")
      reader.add([...path, "allowed"], "an access port carries its own VLAN only: set mode to trunk");
  }),
  placeholder: `access VLAN | trunk ${TRUNK_SYNTAX}`,
  words: (own) =>
    own.mode === "access" ? `access ${own.vlan}` : ["trunk", ...wordsOf(TRUNK, own)].join(" "),
  parse([given, ...words]) {
    if (given === "trunk") return edited(TRUNK, { mode: given }, words);
    const vlan = given === "access" ? vlanId.parse(words) : undefined;
    return vlan === undefined ? undefined : { mode: given, vlan };
  },
};

declare module "../base/config.ts" {
  interface PortProperties {
    switchport?: SwitchportProperties;
  }
}
