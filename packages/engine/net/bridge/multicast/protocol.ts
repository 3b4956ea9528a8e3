/** What distinguishes IGMP and MLD for a switch: addresses, and where frames have what. */
import type { GroupMessage, GroupQuery } from "../../../wire/igmp.ts";

/** @typeParam A an address. @typeParam S its saved form, plain JSON data. */
export interface GroupProtocol<A extends number | bigint, S extends number | string> {
  /** The unspecified address. */
  readonly none: A;
  readonly save: (address: A) => S;
  readonly restore: (saved: S) => A;
  readonly format: (address: A) => string;
  /** Whether hosts answer queries from the unspecified address, which those of a switch that is not the querier have. */
  readonly asksWithoutAddress: boolean;
  /** The version of queries of a switch without a querier. */
  readonly version: number;
  /**
   * @param frame of at least 14 bytes, to a group, without the tag of its VLAN.
   * @returns undefined for a frame of another family.
   */
  readonly read: (frame: Uint8Array) => GroupFrame<A> | undefined;
  /** @param mac of the sender. */
  readonly encodeQuery: (query: GroupQuery<A>, mac: number) => Uint8Array;
}

export interface GroupFrame<A> {
  readonly group: A;
  readonly source: A;
  /** A protocol of routers has sent it. */
  readonly isOfRouter: boolean;
  /** Frames to the group go to all ports: no host must report it. */
  readonly isForAll: boolean;
  readonly message: GroupMessage<A> | undefined;
}
