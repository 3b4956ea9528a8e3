/** What a copy of a device is made of. */
import type { Node } from "../api/types.ts";
import { newNode } from "./recreate.ts";

/** How far from the original a copy lies, in pixels of the canvas. */
export const OFFSET = 60;

/** The file with which a device of this type starts, if it has one. Linux nodes have their files as a setting. */
export const STARTUP_FILES: Readonly<Record<string, string>> = {
  vpcs: "startup.vpc",
  router: "startup-config.json",
};

/** A MAC address belongs to one device: the copy gets another one. */
const withoutMac = <T extends object>(settings: T): object =>
  Object.fromEntries(
    Object.entries(settings).filter(([name]) => name !== "mac_address" && name !== "mac_addr"),
  );

/** What makes a copy of a device. */
export function copiedNode(node: Node): object {
  const { node_id, name, properties, custom_adapters, locked, x, y, ...rest } = newNode(node);
  return {
    ...rest,
    name: `${name.replace(/\d+$/, "")}{0}`,
    properties: withoutMac(properties),
    custom_adapters: custom_adapters.map(withoutMac),
    x: x + OFFSET,
    y: y + OFFSET,
  };
}
