/** `ip dhcp`: requests an address; `-r` requests the previous one again, `-x` releases the address. */
import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import { formatMac } from "../../../wire/mac.ts";
import type { Host, Script } from "../host.ts";
import { type Notes, nextTurn, notesOf, once, pause, sub, turnsOf } from "../notes.ts";
import { discover, type Hint, request, type Show, showLetters, showMessages } from "./exchange.ts";
import { makeDecline, makeRelease, sendDhcp, TO_EVERYBODY, toServer } from "./messages.ts";
import { applyReply, leaseOf, serverOf } from "./offer.ts";
import { resumeLease } from "./renewal.ts";

/**
 * @param words the words after `ip dhcp`: `-d` prints messages instead of letters; `-r` and `-x` are executed in their order.
 * The caller rejects all other words.
 */
export function* dhcpCommand(host: Host, words: readonly string[], notes: Notes): Script {
  const isDetailed = words.includes("-d");
  const show = (isDetailed ? showMessages : showLetters)(host);
  const lineEnd = isDetailed ? "" : "\n";
  const hint = once(notes, "hint", () => lastLease(host));
  const steps = words.filter((word) => word === "-r" || word === "-x");
  if (steps.length === 0) yield* obtain(host, show, lineEnd, undefined, notes);
  for (const [index, step] of steps.entries()) {
    const key = `step ${index}`;
    if (step === "-r") yield* sub(notes, key, (own) => obtain(host, show, lineEnd, hint, own));
    else once(notes, key, () => release(host, isDetailed ? show : undefined));
  }
}

function lastLease({ state }: Host): Hint | undefined {
  return (
    state.lease && { address: state.lease.released ?? state.ipv4.address, serverMac: state.lease.serverMac }
  );
}

/** The command gives up after it has declined this many addresses that other hosts have. */
const ATTEMPTS = 3;
/** The minimum time between a decline and the next discover (RFC 2131, section 3.1, step 5). */
const RESTART_PAUSE_US = 10_000_000;

function* obtain(host: Host, show: Show, lineEnd: string, hint: Hint | undefined, notes: Notes): Script {
  for (const attempts = turnsOf(notes, "attempts", 1); ; nextTurn(attempts)) {
    const { number, notes: turn } = attempts;
    const lastHint = number === 1 ? hint : undefined;
    const isDeclined = yield* sub(turn, "exchange", (own) => tryExchange(host, show, lineEnd, lastHint, own));
    if (!isDeclined || number === ATTEMPTS) return;
    yield* pause(turn, "pause", { timeoutUs: RESTART_PAUSE_US });
  }
}

/** Runs one exchange with a server. @returns true if another host has the address: it is declined, and the caller may retry. */
function* tryExchange(
  host: Host,
  show: Show,
  lineEnd: string,
  hint: Hint | undefined,
  notes: Notes,
): Script<boolean> {
  const { world, state } = host;
  const xid = once(notes, "xid", () => host.below(0xffff_ffff));
  const offer = yield* sub(notes, "offer", (own) => discover(host, show, xid, hint, own));
  if (offer === undefined) return fail(host, `${lineEnd}Can't find dhcp server\n`);
  const acknowledged = yield* sub(notes, "acknowledged", (own) => request(host, show, xid, offer, own));
  if (acknowledged === undefined) return fail(host, `${lineEnd}Can't get ip address from dhcp server\n`);
  const address = acknowledged.message.yourIp;
  const progress = once(notes, "progress", () => ({}));
  const owner = yield* host.probeDuplicate(address, progress, notesOf(notes, "probe"));
  if (owner !== undefined) {
    forgetAddress(host);
    state.lease = undefined;
    world.print(`${formatMac(owner)} use my ip ${formatIpv4(address)}\n`);
    const decline = makeDecline(host, xid, serverOf(acknowledged), address);
    show("", decline);
    sendDhcp(host, TO_EVERYBODY, decline);
    return true;
  }
  applyReply(host, acknowledged);
  // The lease counts from now, not from the request, as in VPCS: right after the command the full lease time is left.
  state.lease = leaseOf(acknowledged, world.nowUs);
  resumeLease(host);
  world.print(resultLine(host));
  return false;
}

function fail({ world }: Host, text: string): false {
  world.print(text);
  return false;
}

function resultLine({ state: { ipv4 } }: Host): string {
  const gateway = ipv4.gateway === 0 ? "" : ` GW ${formatIpv4(ipv4.gateway)}`;
  return ` IP ${formatIpv4(ipv4.address)}/${ipv4.prefixLength}${gateway}\n`;
}

/** Ends the lease and keeps the server listed. Prints nothing unless messages are shown. */
function release(host: Host, show: Show | undefined): void {
  const { lease, ipv4 } = host.state;
  if (lease === undefined || ipv4.address === 0) return;
  const released = ipv4.address;
  const message = makeRelease(host, lease);
  show?.("", message);
  sendDhcp(host, toServer(host, lease), message);
  forgetAddress(host);
  host.state.lease = { ...lease, released, leaseSeconds: 0, renewSeconds: 0, rebindSeconds: 0 };
}

function forgetAddress({ state }: Host): void {
  state.ipv4 = { address: 0, prefixLength: 0, gateway: 0 };
}
