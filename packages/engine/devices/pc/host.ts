/**
 * The PC as its commands see it: state, packets out, and waiting for packets in.
 *
 * Whatever takes time is a script, a generator that yields what it waits for:
 *
 *     const reply = yield { timeoutUs: 1_000_000, accept: (packet) => isReply(packet) };   // the packet, or undefined
 *     yield { timeoutUs: 500_000 };                                                        // a pause
 */
import type { Arp } from "../../wire/arp.ts";
import type { Ipv4Fields, Ipv4Header } from "../../wire/ipv4.ts";
import type { Ipv6Fields, Ipv6Header } from "../../wire/ipv6.ts";
import type { World } from "../device.ts";
import type { PcState } from "./state.ts";

/** A packet for this PC: to its MAC, a broadcast, or a multicast group it listens to. */
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

/** A whole datagram: fragments are joined before. */
export interface ReceivedIpv4 extends ReceivedFrame {
  readonly kind: "ipv4";
  readonly header: Ipv4Header;
  readonly payload: Uint8Array;
  /** Of the whole datagram, header included. */
  readonly totalBytes: number;
}

export interface ReceivedIpv6 extends ReceivedFrame {
  readonly kind: "ipv6";
  readonly header: Ipv6Header;
  readonly payload: Uint8Array;
}

/** What a script waits for: a packet it accepts, at most `timeoutUs` (an integer; Infinity waits for a packet only). */
export interface Wait {
  readonly timeoutUs: number;
  /**
   * Asked about every packet for this PC before the PC itself answers it; true takes the packet, so that nobody else
   * sees it. ARP and neighbour discovery are learned from before. An ARP packet is for all: every script that accepts it
   * goes on, and the PC answers it nevertheless.
   */
  readonly accept?: (packet: Received) => boolean;
  /** The wait does not keep the run going (see TimerKind). */
  readonly background?: boolean;
}

/** Resumed with the accepted packet, or undefined when the time is over. */
export type Script<T = void> = Generator<Wait, T, Received | undefined>;

/** How far a command is. Kept from run to run when it is a line of the start-up script. */
export interface Progress {
  /** When it was begun. */
  readonly begunUs: number;
  /** How many steps are done, counted by what need not repeat them. */
  steps?: number | undefined;
}

export interface Host {
  readonly world: World;
  readonly state: PcState;
  readonly mac: number;
  /** fe80::/64 with the identifier of the MAC. */
  readonly linkLocal: bigint;
  /** The address that the user or a router gave; undefined when there is none. */
  readonly global: bigint | undefined;
  /** The MACs of the IPv6 groups that the PC listens to: all nodes, and those of solicitations for its addresses. */
  readonly groupMacs: readonly number[];

  /** Sends a frame, and dumps it to the console when `set dump` says so. */
  sendFrame(frame: Uint8Array): void;
  /**
   * The size of the largest IP packet to a host that need not be cut: the path's MTU if it is known, but no more than the
   * link's (`linkMtuBytes`, the state's when absent).
   */
  mtuTo(target: number | bigint, linkMtuBytes?: number): number;
  /** A datagram, cut to fragments where it is larger than `mtuBytes` (that of the way to its target when absent). */
  sendIpv4(targetMac: number, fields: Ipv4Fields, payload: Uint8Array, mtuBytes?: number): void;
  /** A packet with the checksum of its TCP, UDP or ICMPv6 payload, likewise. */
  sendIpv6(targetMac: number, fields: Ipv6Fields, payload: Uint8Array, mtuBytes?: number): void;

  /** Where a datagram to `target` goes first: the target itself, the gateway, or undefined when there is none. */
  nextHop(target: number): number | undefined;
  /** The MAC of a neighbour, asked for up to three times, a second apart; undefined when it does not answer. */
  resolve(address: number): Script<number | undefined>;
  /**
   * Three gratuitous requests, a second apart; the MAC of whoever has the address, or undefined. Nothing is sent when the
   * ARP table knows already. `progress` counts the requests that were not answered for a second: they are not sent again.
   */
  probeDuplicate(address: number, progress?: Pick<Progress, "steps">): Script<number | undefined>;

  /** Whole seconds of the lab's clock. */
  readonly clockSeconds: number;
  /** A number below `bound`, from the device's stream. */
  below(bound: number): number;

  /** Starts a script beside those that run. @returns what stops it. */
  spawn(script: Script<unknown>): { stop(): void };
}
