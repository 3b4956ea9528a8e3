/**
 * Renews a leased address (RFC 2131 section 4.4.5) in the background. Prints nothing on the console.
 *
 *     obtained      renew                 rebind             end
 *     |-------------|---------------------|------------------|
 *                   asks the server       broadcasts         drops the address
 */
import { DHCP_ACK, DHCP_NAK, messageType } from "../../../wire/dhcp.ts";
import type { Host, Received, ReceivedIpv4, Script } from "../host.ts";
import { type Notes, nextTurn, notesOf, once, pause, sub, turnsOf } from "../notes.ts";
import type { Lease } from "../state.ts";
import { type Destination, makeRenewal, readReply, sendDhcp, TO_EVERYBODY, toServer } from "./messages.ts";
import { applyReply, type DhcpReply, INFINITE_SECONDS, leaseOf } from "./offer.ts";

/** The minimum time between two requests (RFC 2131, 4.4.5). */
const RETRY_MIN_US = 60_000_000;
/** Longer waits are split, because a timer counts nanoseconds. */
const WAIT_MAX_US = 86_400_000_000;

/** Starts to renew the lease in the state. Drops the lease and its address if the lease has expired. */
export function resumeLease(host: Host): void {
  const { lease, ipv4 } = host.state;
  if (lease === undefined || ipv4.address === 0 || lease.leaseSeconds === INFINITE_SECONDS) return;
  if (host.world.nowUs >= endOf(lease)) loseAddress(host);
  else host.spawn("lease", { lease });
}

/** Asks the server at once whether the lease still holds, as a client does when its link is back (RFC 2131, section 3.7). */
export function verifyLease(host: Host): void {
  const { lease } = host.state;
  if (lease === undefined) return;
  const heldSeconds = Math.floor((host.world.nowUs - lease.obtainedUs) / 1_000_000);
  // Another object: the renewal of the lease before it ends.
  host.state.lease = { ...lease, renewSeconds: Math.min(lease.renewSeconds, heldSeconds) };
  resumeLease(host);
}

const endOf = (lease: Lease): number => lease.obtainedUs + lease.leaseSeconds * 1_000_000;

function loseAddress({ state }: Host): void {
  state.ipv4 = { address: 0, prefixLength: 0, gateway: 0 };
  state.lease = undefined;
}

export function* keepLease(host: Host, notes: Notes): Script {
  const lease = notes.lease as Lease;
  const address = once(notes, "address", () => host.state.ipv4.address);
  // Another command may have set another lease or a static address.
  const isInUse = (): boolean => host.state.lease === lease && host.state.ipv4.address === address;
  const rebindUs = lease.obtainedUs + lease.rebindSeconds * 1_000_000;

  const renewUs = lease.obtainedUs + lease.renewSeconds * 1_000_000;
  yield* sub(notes, "slept", (own) => sleepUntil(host, renewUs, isInUse, own));
  const toAll = (): Destination => ({ ...TO_EVERYBODY, source: address });
  const reply =
    (yield* sub(notes, "asked", (own) => ask(host, () => toServer(host, lease), rebindUs, isInUse, own))) ??
    (yield* ask(host, toAll, endOf(lease), isInUse, notesOf(notes, "askedAll")));
  if (!isInUse()) return;
  if (reply === undefined || messageType(reply.message) === DHCP_NAK) return loseAddress(host);
  applyReply(host, reply);
  host.state.lease = leaseOf(reply, host.world.nowUs);
  resumeLease(host);
}

function* sleepUntil(host: Host, timeUs: number, isInUse: () => boolean, notes: Notes): Script {
  // Wait at least once, so that the client sends nothing while devices are still joining a run.
  for (const waits = turnsOf(notes, "waits"); ; nextTurn(waits)) {
    const leftUs = Math.max(timeUs - host.world.nowUs, 0);
    yield* pause(waits.notes, "wait", { timeoutUs: Math.min(leftUs, WAIT_MAX_US), background: true });
    if (!isInUse() || host.world.nowUs >= timeUs) return;
  }
}

/** Repeats the request until `endUs`. Returns the server's answer, which may be a refusal. */
function* ask(
  host: Host,
  destination: () => Destination,
  endUs: number,
  isInUse: () => boolean,
  notes: Notes,
): Script<DhcpReply | undefined> {
  const send = (): { xid: number; nextUs: number } | undefined => {
    if (!isInUse() || host.world.nowUs >= endUs) return undefined;
    const xid = host.below(0xffff_ffff);
    sendDhcp(host, destination(), makeRenewal(host, xid));
    const leftUs = endUs - host.world.nowUs;
    return {
      xid,
      nextUs: host.world.nowUs + Math.min(Math.max(Math.floor(leftUs / 2), RETRY_MIN_US), leftUs),
    };
  };
  for (const requests = turnsOf(notes, "requests"); ; nextTurn(requests)) {
    const sent = once(requests.notes, "sent", send);
    if (sent === undefined) return undefined;
    const reply = yield* answerBefore(
      host,
      sent.xid,
      sent.nextUs,
      isInUse,
      notesOf(requests.notes, "answer"),
    );
    if (reply) return reply;
  }
}

function* answerBefore(
  host: Host,
  xid: number,
  endUs: number,
  isInUse: () => boolean,
  notes: Notes,
): Script<DhcpReply | undefined> {
  const address = once(notes, "address", () => host.state.ipv4.address);
  const accept = (packet: Received): boolean => {
    const message = readReply(packet, xid);
    if (message === undefined) return false;
    const type = messageType(message);
    return type === DHCP_NAK || (type === DHCP_ACK && message.yourIp === address);
  };
  const waits = turnsOf(notes, "waits");
  for (; once(waits.notes, "goesOn", () => isInUse() && host.world.nowUs < endUs); nextTurn(waits)) {
    const timeoutUs = Math.min(endUs - host.world.nowUs, WAIT_MAX_US);
    const packet = yield* pause(waits.notes, "wait", { timeoutUs, accept, background: true });
    const message = packet && readReply(packet, xid);
    if (message) return { message, packet: packet as ReceivedIpv4 };
  }
  return undefined;
}
