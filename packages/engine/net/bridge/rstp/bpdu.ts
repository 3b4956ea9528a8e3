/**
 * Bridge protocol data units in 802.3 frames with an LLC header (IEEE 802.1D-2004, 9.3):
 *
 *     0        6        12       14         17         19       20     21      22 ...
 *     target   source   length   42 42 03   protocol   version  type   flags   vector and times
 */
import { readU16, readU32, writeU16, writeU32 } from "../../../base/bytes.ts";
import { readMac, writeMac } from "../../../wire/mac.ts";
import type { BridgeId, PriorityVector, Times } from "./vector.ts";

/** The group address of bridges (table 7-10). */
export const BRIDGE_GROUP_MAC = 0x0180_c200_0000;

export type BpduRole = "alternate" | "root" | "designated";

export type Bpdu =
  | { readonly kind: "tcn" }
  | {
      readonly kind: "config" | "rst";
      readonly vector: PriorityVector;
      readonly times: Times;
      readonly role: BpduRole;
      readonly topologyChange: boolean;
      readonly topologyChangeAck: boolean;
      readonly proposal: boolean;
      readonly agreement: boolean;
      readonly learning: boolean;
      readonly forwarding: boolean;
    };

const LLC_AT = 14;
const BPDU_AT = 17;
const LLC_BRIDGE = 0x42;
const LLC_UNNUMBERED = 0x03;
const TYPE = { config: 0x00, rst: 0x02, tcn: 0x80 } as const;
const BYTES = { tcn: 4, config: 35, rst: 36 } as const;
/** A frame without its check sequence (802.3, 4.2.3.3). */
const MIN_FRAME_BYTES = 60;

const TOPOLOGY_CHANGE = 0x01;
const PROPOSAL = 0x02;
const ROLE_SHIFT = 2;
const LEARNING = 0x10;
const FORWARDING = 0x20;
const AGREEMENT = 0x40;
const TOPOLOGY_CHANGE_ACK = 0x80;
const ROLES: Readonly<Record<BpduRole, number>> = { alternate: 1, root: 2, designated: 3 };

/** @param source the address of the port that sends. @returns a frame of 60 bytes. */
export function encodeBpdu(bpdu: Bpdu, source: number): Uint8Array {
  const frame = new Uint8Array(MIN_FRAME_BYTES);
  writeMac(frame, 0, BRIDGE_GROUP_MAC);
  writeMac(frame, 6, source);
  writeU16(frame, 12, BYTES[bpdu.kind] + BPDU_AT - LLC_AT);
  frame.set([LLC_BRIDGE, LLC_BRIDGE, LLC_UNNUMBERED], LLC_AT);
  frame[BPDU_AT + 2] = bpdu.kind === "rst" ? 2 : 0;
  frame[BPDU_AT + 3] = TYPE[bpdu.kind];
  if (bpdu.kind === "tcn") return frame;
  const { vector, times } = bpdu;
  frame[BPDU_AT + 4] = flagsOf(bpdu);
  writeBridge(frame, BPDU_AT + 5, vector.root);
  writeU32(frame, BPDU_AT + 13, vector.cost);
  writeBridge(frame, BPDU_AT + 17, vector.bridge);
  writeU16(frame, BPDU_AT + 25, vector.port);
  writeTime(frame, BPDU_AT + 27, times.messageAge);
  writeTime(frame, BPDU_AT + 29, times.maxAge);
  writeTime(frame, BPDU_AT + 31, times.helloTime);
  writeTime(frame, BPDU_AT + 33, times.forwardDelay);
  return frame;
}

/** @returns undefined for a frame that is no BPDU, or whose BPDU is invalid (9.3.4). */
export function decodeBpdu(frame: Uint8Array): Bpdu | undefined {
  if (frame[LLC_AT] !== LLC_BRIDGE || frame[LLC_AT + 1] !== LLC_BRIDGE) return undefined;
  if (frame[LLC_AT + 2] !== LLC_UNNUMBERED || readU16(frame, BPDU_AT) !== 0) return undefined;
  const bytes = Math.min(readU16(frame, 12) + LLC_AT, frame.length) - BPDU_AT;
  const type = frame[BPDU_AT + 3];
  if (type === TYPE.tcn && bytes >= BYTES.tcn) return { kind: "tcn" };
  const kind = type === TYPE.config ? "config" : type === TYPE.rst ? "rst" : undefined;
  if (kind === undefined || bytes < BYTES[kind]) return undefined;
  if (kind === "rst" && (frame[BPDU_AT + 2] as number) < 2) return undefined;
  const flags = frame[BPDU_AT + 4] as number;
  const role = kind === "config" ? "designated" : roleIn(flags);
  if (role === undefined) return undefined;
  const times = {
    messageAge: readTime(frame, BPDU_AT + 27),
    maxAge: readTime(frame, BPDU_AT + 29),
    helloTime: readTime(frame, BPDU_AT + 31),
    forwardDelay: readTime(frame, BPDU_AT + 33),
  };
  if (kind === "config" && times.messageAge >= times.maxAge) return undefined;
  const vector = {
    root: readBridge(frame, BPDU_AT + 5),
    cost: readU32(frame, BPDU_AT + 13),
    bridge: readBridge(frame, BPDU_AT + 17),
    port: readU16(frame, BPDU_AT + 25),
  };
  const isRapid = kind === "rst";
  return {
    kind,
    vector,
    times,
    role,
    topologyChange: (flags & TOPOLOGY_CHANGE) !== 0,
    topologyChangeAck: (flags & TOPOLOGY_CHANGE_ACK) !== 0,
    proposal: isRapid && (flags & PROPOSAL) !== 0,
    agreement: isRapid && (flags & AGREEMENT) !== 0,
    learning: isRapid && (flags & LEARNING) !== 0,
    forwarding: isRapid && (flags & FORWARDING) !== 0,
  };
}

function flagsOf(bpdu: Exclude<Bpdu, { kind: "tcn" }>): number {
  const change = bpdu.topologyChange ? TOPOLOGY_CHANGE : 0;
  if (bpdu.kind === "config") return change | (bpdu.topologyChangeAck ? TOPOLOGY_CHANGE_ACK : 0);
  return (
    change |
    (bpdu.proposal ? PROPOSAL : 0) |
    (ROLES[bpdu.role] << ROLE_SHIFT) |
    (bpdu.learning ? LEARNING : 0) |
    (bpdu.forwarding ? FORWARDING : 0) |
    (bpdu.agreement ? AGREEMENT : 0)
  );
}

const roleIn = (flags: number): BpduRole | undefined =>
  ([undefined, "alternate", "root", "designated"] as const)[(flags >> ROLE_SHIFT) & 3];

function writeBridge(frame: Uint8Array, at: number, { priority, mac }: BridgeId): void {
  writeU16(frame, at, priority);
  writeMac(frame, at + 2, mac);
}

const readBridge = (frame: Uint8Array, at: number): BridgeId => ({
  priority: readU16(frame, at),
  mac: readMac(frame, at + 2),
});

const writeTime = (frame: Uint8Array, at: number, seconds: number): void =>
  writeU16(frame, at, Math.round(seconds * 256));

const readTime = (frame: Uint8Array, at: number): number => readU16(frame, at) / 256;
