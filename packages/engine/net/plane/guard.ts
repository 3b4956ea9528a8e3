/** What looks at packets on their way through: access lists, connections, translation. A plane without any lets all pass. */
import type { Ipv4Header } from "../../wire/ipv4.ts";
import type { Ipv6Header } from "../../wire/ipv6.ts";
import type { Fields } from "../packet/fields.ts";
import type { RouterPort } from "./tables.ts";

/** Reports a packet to its sender as administratively prohibited. */
export type Prohibit4 = (port: RouterPort, frame: Uint8Array, header: Ipv4Header) => void;

export type Prohibit6 = (port: RouterPort, frame: Uint8Array, header: Ipv6Header) => void;

interface Packet4 {
  readonly frame: Uint8Array;
  readonly header: Ipv4Header;
}

/** A packet that may pass, with its target translated. */
export interface Passage4 extends Packet4 {
  /** The packet as its sender sent it, for errors about it. */
  readonly sent: Packet4;
  /** The size of its largest fragment if it arrived in fragments: it leaves in such ones. */
  readonly fragmentBytes: number | undefined;
}

export interface Guard4 {
  /** Whether packets have to be looked at. */
  readonly isOn: boolean;
  /** A packet arrives. @returns undefined if it is dropped, or waits for its other fragments. */
  enter(port: RouterPort, frame: Uint8Array, header: Ipv4Header, toAll: boolean): Passage4 | undefined;
  /** The packet is for the router itself. @returns false if it is dropped. */
  arrive(passage: Passage4): boolean;
  /** The packet leaves by a port. @param copy the frame that leaves. @returns false if it is dropped. */
  leave(passage: Passage4, port: RouterPort, out: RouterPort, copy: Uint8Array): boolean;
  /** A packet of the router itself leaves. */
  depart(frame: Uint8Array): void;
  /** @returns a packet that the router has sent as it was before its translation; undefined if it was not translated. */
  restore(frame: Uint8Array): Packet4 | undefined;
  /** Whether the router answers for an address on a link that is not its own. */
  isAlias(port: number, address: number): boolean;
  /** What waits in the middle of a run. */
  freeze(): unknown;
  thaw(held: unknown): void;
}

export interface Passage6 {
  readonly packet: Fields<bigint>;
}

export interface Guard6 {
  readonly isOn: boolean;
  enter(port: RouterPort, frame: Uint8Array, header: Ipv6Header): Passage6 | undefined;
  arrive(passage: Passage6): boolean;
  /** @param frame as it arrived. */
  leave(passage: Passage6, port: RouterPort, out: RouterPort, frame: Uint8Array, header: Ipv6Header): boolean;
  depart(frame: Uint8Array): void;
}

const off = { isOn: false, arrive: () => true, leave: () => true, depart() {} } as const;
/** Of a plane that looks at nothing. */
export const NO_GUARD4: Guard4 = {
  ...off,
  enter: () => undefined,
  restore: () => undefined,
  isAlias: () => false,
  freeze: () => undefined,
  thaw() {},
};
export const NO_GUARD6: Guard6 = { ...off, enter: () => undefined };
