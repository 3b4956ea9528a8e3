/** The PC's ARP (RFC 826): resolves a neighbour, detects a second owner of an address, answers requests. */
import { ARP_REPLY, ARP_REQUEST, encodeArp } from "../../../wire/arp.ts";
import { BROADCAST_MAC } from "../../../wire/mac.ts";
import type { Host, Progress, Received, ReceivedArp, Script } from "../host.ts";
import { type Notes, nextTurn, once, pause, turnsOf } from "../notes.ts";
import { findArp } from "./arp-table.ts";

const TRIES = 3;
const RETRY_US = 1_000_000;
/** VPCS pads requests to the minimum frame, including the frame check sequence (docs/interface.md, section 9.5). */
const REQUEST_FRAME_BYTES = 64;

/** Returns a neighbour's MAC from the table or by requests; undefined 3 s after the first of three requests. */
export function* resolveArp(host: Host, address: number, notes: Notes): Script<number | undefined> {
  const find = (): number | undefined => findArp(host.state, address, host.world.nowUs);
  const ask = (): boolean => {
    if (find() !== undefined) return false;
    sendRequest(host, host.state.ipv4.address, address);
    return true;
  };
  const accept = ({ kind }: Received): boolean => kind === "arp" && find() !== undefined;
  for (const tries = turnsOf(notes, "tries"); tries.number < TRIES; nextTurn(tries)) {
    if (!once(tries.notes, "asked", ask)) break;
    yield* pause(tries.notes, "answer", { timeoutUs: RETRY_US, accept });
  }
  return find();
}

/** Returns the MAC of another owner of an address as soon as it answers; undefined 3 s after the first of three requests. */
export function* probeDuplicateArp(
  host: Host,
  address: number,
  progress: Pick<Progress, "steps">,
  notes: Notes,
): Script<number | undefined> {
  const known = once(notes, "known", () => findArp(host.state, address, host.world.nowUs));
  if (known !== undefined) return known;
  const accept = (packet: Received): boolean => isReplyOfOther(host, packet, address);
  for (const tries = turnsOf(notes, "tries", progress.steps); tries.number < TRIES; nextTurn(tries)) {
    once(tries.notes, "asked", () => sendRequest(host, address, address));
    const reply = yield* pause(tries.notes, "answer", { timeoutUs: RETRY_US, accept });
    if (reply?.kind === "arp") return reply.arp.senderMac;
    progress.steps = tries.number + 1;
  }
  return undefined;
}

const isReplyOfOther = (host: Host, packet: Received, address: number): boolean =>
  packet.kind === "arp" &&
  packet.arp.opcode === ARP_REPLY &&
  packet.arp.senderIp === address &&
  packet.arp.senderMac !== host.mac;

/** Sets the target's MAC to all ones; other hosts send zeros. */
function sendRequest(host: Host, senderIp: number, targetIp: number): void {
  const arp = {
    opcode: ARP_REQUEST,
    senderMac: host.mac,
    senderIp,
    targetMac: BROADCAST_MAC,
    targetIp,
  };
  host.sendFrame(encodeArp(BROADCAST_MAC, host.mac, arp, REQUEST_FRAME_BYTES));
}

/** Answers a request for the own address, in a frame as long as the request. */
export function answerArp(host: Host, { arp, frame, sourceMac }: ReceivedArp): void {
  const { address } = host.state.ipv4;
  if (arp.opcode !== ARP_REQUEST || address === 0 || arp.targetIp !== address) return;
  const reply = {
    opcode: ARP_REPLY,
    senderMac: host.mac,
    senderIp: address,
    targetMac: arp.senderMac,
    targetIp: arp.senderIp,
  };
  host.sendFrame(encodeArp(sourceMac, host.mac, reply, frame.length));
}
