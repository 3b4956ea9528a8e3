/** The addresses that nodes have at a moment. */
import type { PcState } from "@wirelab/engine/devices/pc/index";
import type { RouterState } from "@wirelab/engine/devices/router/index";
import { addressesOf } from "@wirelab/engine/devices/router/read";
import { formatIpv4 } from "@wirelab/engine/wire/ipv4-address";
import type { LabModel, NodeModel } from "../model/lab-model.ts";

import type { LabState } from "./lab-state.ts";

/** @param to an address, which is returned as it is, or a node's name. @returns undefined for a node without an address. */
export function addressOfNode(model: LabModel, state: LabState, to: string): string | undefined {
  const node = model.nodes.find(({ name }) => name === to);
  return node === undefined ? to : addressesNow(node, state)[0];
}

/** All addresses of a node without prefix lengths, IPv4 first. */
export function addressesNow(node: NodeModel, state: LabState): readonly string[] {
  const device = state.nodes.get(node.name)?.state?.device;
  if (device === undefined) return node.addresses;
  if (node.spec.type === "router") return addressesOf((device as RouterState).running);
  if (node.spec.type !== "vpcs") return node.addresses;
  const { ipv4, ipv6 } = device as PcState;
  return [
    ...(ipv4.address === 0 ? [] : [formatIpv4(ipv4.address)]),
    ...(ipv6.global ? [ipv6.global.address] : []),
  ];
}

/** Finds the node that has an address. */
export const ownerOf = (model: LabModel, state: LabState, address: string): string | undefined =>
  model.nodes.find((node) => addressesNow(node, state).includes(address))?.name;
