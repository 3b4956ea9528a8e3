/**
 * The PC as its commands see it: state, packets out, and waiting for packets in.
 *
 * Every operation that takes time is a script, a generator that yields each wait:
 *
 *     const reply = yield { timeoutUs: 1_000_000, accept: (packet) => isReply(packet) };   // the packet, or undefined
 *     yield { timeoutUs: 500_000 };                                                        // a pause
 *
 * A run may be saved in the middle of a script: notes.ts.
 */
import type { Arp } from "../../wire/arp.ts";
import type { Ipv4Fields, Ipv4Header } from "../../wire/ipv4.ts";
import type { Ipv6Fields, Ipv6Header } from "../../wire/ipv6.ts";
import type { World } from "../device.ts";
import type { PcState } from "./state.ts";

/** A packet for this PC: sent to its MAC, to the broadcast address, or to a multicast group that it listens to. */
export type Received = ReceivedArp | ReceivedIpv4 | ReceivedIpv6;

interface ReceivedFrame {
  readonly frame: Uint8Array;
  readonly sourceMac: number;
  readonly targetMac: number;
}

export interface ReceivedArp extends ReceivedFrame {
  readonly kind: "arp";
  readonly arp: Arp;
}

/** A whole datagram; fragments are already reassembled. */
export interface ReceivedIpv4 extends ReceivedFrame {
  readonly kind: "ipv4";
  readonly header: Ipv4Header;
  readonly payload: Uint8Array;
  /** Size of the whole datagram with its header, in bytes. */
  readonly totalBytes: number;
}

export interface ReceivedIpv6 extends ReceivedFrame {
  readonly kind: "ipv6";
  readonly header: Ipv6Header;
  readonly payload: Uint8Array;
}

/** A script's wait for a packet that it accepts, or until `timeoutUs` is over (an integer; Infinity waits for a packet only). */
export interface Wait {
  readonly timeoutUs: number;
  /**
   * Called with every packet for this PC before the PC answers it. `true` consumes the packet: neither another script nor the
   * PC sees it. The PC has already learned from ARP and neighbour discovery. An ARP packet is not consumed: every script that
   * accepts it resumes, and the PC also answers it.
   */
  readonly accept?: (packet: Received) => boolean;
  /** The wait does not keep the run going (see TimerKind). */
  readonly background?: boolean;
}

/** Resumes with the accepted packet, or with undefined when the time is over. */
export type Script<T = void> = Generator<Wait, T, Received | undefined>;

/** What a script has behind it, as plain data (notes.ts). */
export type Notes = Record<string, unknown>;

/** The progress of a command. The PC keeps it between runs if the command is a line of the start-up script. */
export interface Progress {
  /** Lab time when the command began. */
  readonly begunUs: number;
  /** Completed steps, counted by a command that need not repeat them. */
  steps?: number | undefined;
}

export interface Host {
  readonly world: World;
  readonly state: PcState;
  readonly mac: number;
  /** fe80::/64 with the identifier of the MAC. */
  readonly linkLocal: bigint;
  /** The address that the user or a router set; undefined if there is none. */
  readonly global: bigint | undefined;
  /** MACs of the IPv6 groups that the PC listens to: all nodes, and the solicited-node groups of its addresses. */
  readonly groupMacs: readonly number[];

  /** Sends a frame, and prints it on the console if `set dump` is on. */
  sendFrame(frame: Uint8Array): void;
  /**
   * Returns the size of the largest IP packet that reaches a host without fragmentation: the path MTU if known, limited to the
   * link's MTU (`linkMtuBytes`; the state's MTU if absent).
   */
  mtuTo(target: number | bigint, linkMtuBytes?: number): number;
  /** Sends a datagram, in fragments if it is larger than `mtuBytes` (default: `mtuTo` its target). */
  sendIpv4(targetMac: number, fields: Ipv4Fields, payload: Uint8Array, mtuBytes?: number): void;
  /** Same as `sendIpv4`; also fills in the checksum of a TCP, UDP or ICMPv6 payload. */
  sendIpv6(targetMac: number, fields: Ipv6Fields, payload: Uint8Array, mtuBytes?: number): void;

  /** Returns the next hop to `target`: the target itself or the gateway; undefined if there is no gateway. */
  nextHop(target: number): number | undefined;
  /** Resolves a neighbour's MAC with up to three requests, a second apart; undefined if the neighbour does not answer. */
  resolve(address: number, notes: Notes): Script<number | undefined>;
  /**
   * Sends three gratuitous ARP requests, a second apart. Returns the MAC of another host that has the address, or undefined.
   * Sends nothing if the ARP table already has an entry. `progress` counts the requests that stayed unanswered for a second;
   * they are not sent again.
   */
  probeDuplicate(
    address: number,
    progress: Pick<Progress, "steps">,
    notes: Notes,
  ): Script<number | undefined>;

  /** Whole seconds of the lab's clock. */
  readonly clockSeconds: number;
  /** Returns a number below `bound` from the device's random stream. */
  below(bound: number): number;

  /**
   * Starts a script in parallel to the running ones. @param kind of `SCRIPTS`, or one that a part of the PC has defined.
   * @param notes what the script begins with. @returns a handle that stops it.
   */
  spawn(kind: string, notes: Notes): { stop(): void };
}
