/** The rules of a VXLAN interface: its ends, and the interfaces that are bridged with it. */

import { contains4, formatPrefix4 } from "../../../../net/address/prefix.ts";
import type { PropertyReader } from "../../../../settings/property-reader.ts";
import type { DraftOf } from "../../../../settings/shape.ts";
import { formatIpv4, parseIpv4 } from "../../../../wire/ipv4-address.ts";
import type { PortDraft } from "../base/property-drafts.ts";
import type { VXLAN } from "./settings.ts";

type VxlanDraft = DraftOf<typeof VXLAN>;

/** An interface with its type; a port has none. */
export type Candidate = PortDraft & { readonly type?: string | null };

/** What other interfaces have taken: VNIs and members, with the interface's name. */
export interface VxlanTaken {
  readonly vnis: Map<number, string>;
  readonly members: Map<string, string>;
}

/** Why an interface with addresses or hosts of its own cannot be a member. */
const OWN: readonly (readonly [key: keyof PortDraft, what: string])[] = [
  ["ipv4", "an IPv4 address"],
  ["ipv6", "an IPv6 address"],
  ["dhcp", "a DHCP server"],
  ["vrrp", "virtual routers"],
  ["vrf", "a VRF"],
  ["acls", "access lists"],
  ["pbr", "a PBR map"],
  ["switchport", "a switchport"],
];

/**
 * @param underlay the interfaces whose addresses outer packets can have; null if the list of ports is invalid.
 * @param others ports and other interfaces; null if the list of ports is invalid.
 */
export function checkVxlan(
  draft: PortDraft & VxlanDraft,
  index: number,
  underlay: readonly PortDraft[] | null,
  others: readonly Candidate[] | null,
  taken: VxlanTaken,
  reader: PropertyReader,
): void {
  const add = (message: string, ...of: (string | number)[]): null =>
    reader.add(["interfaces", index, ...of], message);
  const name = draft.name ?? String(index);
  const other = draft.vni == null ? undefined : taken.vnis.get(draft.vni);
  if (other !== undefined) add(`${draft.vni} is the VNI of ${other}`, "vni");
  else if (draft.vni != null) taken.vnis.set(draft.vni, name);
  checkEnds(draft, underlay, add);
  if (others !== null) checkMembers(draft, name, others, taken, add);
}

type Add = (message: string, ...of: (string | number)[]) => null;

function checkEnds(
  { local, remotes, ipv4, vrf }: PortDraft & VxlanDraft,
  underlay: readonly PortDraft[] | null,
  add: Add,
): void {
  const isOwn = (address: string): boolean =>
    underlay?.some((each) => each.ipv4 && formatIpv4(each.ipv4.address) === address) ?? false;
  const isKnown = underlay?.every((each) => each.ipv4 !== null) ?? false;
  if (local && isKnown && !isOwn(local))
    add(`${local} is not the address of a port, subinterface or loopback interface`, "local");
  for (const [at, remote] of (remotes ?? []).entries()) {
    if (isOwn(remote)) add(`${remote} is the router's own address`, "remotes", at);
    // Packets to the remote end would take the segment, in packets to the remote end.
    if (ipv4 && vrf === undefined && contains4(ipv4, parseIpv4(remote)!))
      add(`${remote} is in the segment's own subnet ${formatPrefix4(ipv4)}`, "remotes", at);
    if (remotes!.indexOf(remote) < at) add(`${remote} is there already`, "remotes", at);
  }
}

function checkMembers(
  { members }: VxlanDraft,
  name: string,
  others: readonly Candidate[],
  taken: VxlanTaken,
  add: Add,
): void {
  for (const [at, member] of (members ?? []).entries()) {
    const own = member.toLowerCase();
    const found = others.find((each) => each.name?.toLowerCase() === own);
    const other = taken.members.get(own);
    if (found === undefined || (found.type !== undefined && found.type !== "vlan")) {
      add(`${member} is not a port or subinterface of the router`, "members", at);
      continue;
    }
    const has = OWN.find(([key]) => found[key] != null);
    if (has) add(`${member} has ${has[1]}: a bridged interface has none`, "members", at);
    if (other !== undefined) add(`${member} is bridged with ${other} already`, "members", at);
    else taken.members.set(own, name);
  }
}
