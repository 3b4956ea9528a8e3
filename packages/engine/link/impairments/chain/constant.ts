/** Impairments without chance: a carrier that is down, a broken fibre, expressions, and the largest packet. */

import { packetOffset } from "../../../wire/vlan-tag.ts";
import type { PacketPredicate } from "../../filters/link-filter.ts";
import type { ImpairmentType } from "../report.ts";
import type { LargestPacket } from "../settings/direction-settings.ts";
import type { WirePacket } from "../wire-packet.ts";
import { DROP, PASS, type Stage } from "./stage.ts";

const constant = (type: ImpairmentType, drops: (packet: WirePacket) => boolean): Stage => ({
  type,
  decide: (packet) => (drops(packet) ? DROP : PASS),
  skip: () => {},
  saveState: () => undefined,
});

/** Drops everything. */
export const makeBlocked = (type: "carrier" | "broken"): Stage => constant(type, () => true);

export const makeDrop = (predicates: readonly PacketPredicate[]): Stage =>
  constant("drop", ({ data, wireLength }) => predicates.some((matches) => matches(data, wireLength)));

/** Drops frames whose network packet is larger than `bytes`: also those of senders that do not see the MTU. */
export const makeMtu = ({ bytes }: LargestPacket): Stage =>
  constant("mtu", ({ data, wireLength }) => wireLength - packetOffset(data) > bytes);
