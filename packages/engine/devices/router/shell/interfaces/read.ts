/** Reads `properties.interfaces`: the shape of each value. */
import type { PropertyReader } from "../../../../settings/property-reader.ts";
import type { DraftOf } from "../../../../settings/shape.ts";
import type { PortDraft } from "../../services/base/property-drafts.ts";
import type { VXLAN } from "../../services/vxlan/settings.ts";
import { PORT } from "../port-shape.ts";
import { readPort } from "../read-port.ts";
import { defaultMtuOf, INTERFACE_TYPES, KIND_KEYS, KINDS, MAX_INTERFACES, TYPE } from "./spec.ts";

/** Null stands for an invalid value, undefined for an absent one. */
export type InterfaceDraft = PortDraft &
  DraftOf<{ readonly type: typeof TYPE } & (typeof KINDS)["vlan"] & (typeof KINDS)["gre"]> &
  Pick<DraftOf<typeof VXLAN>, "vni" | "remotes" | "members">;

export function readInterfaces(reader: PropertyReader, value: unknown): readonly InterfaceDraft[] {
  const interfaces = value === undefined ? [] : reader.array(value, ["interfaces"], 0, MAX_INTERFACES);
  return Array.from(interfaces ?? [], (each, index) => {
    const { type: given = "vlan", key }: { readonly type?: unknown; readonly key?: unknown } = each ?? {};
    const type = INTERFACE_TYPES.find((known) => known === given);
    const mtu = { ...PORT.mtu, otherwise: defaultMtuOf(type, key !== undefined) };
    const shape = { ...PORT, mtu, type: TYPE, ...(type && KINDS[type]) };
    return readPort(reader, each, ["interfaces", index], shape, type ? [] : KIND_KEYS) as InterfaceDraft;
  });
}
