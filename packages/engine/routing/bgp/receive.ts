/** What a neighbour's messages do (RFC 4271, section 8). */
import {
  AFI,
  BGP,
  type BgpNotification,
  CEASE,
  decodeNotification,
  decodeRouteRefresh,
  ERROR,
  encodeKeepalive,
  SAFI_UNICAST,
} from "../../wire/bgp.ts";
import { decodeOpen } from "../../wire/bgp-open.ts";
import { decodeUpdate } from "../../wire/bgp-read-update.ts";
import { type BgpMessage, takeMessages } from "../../wire/bgp-stream.ts";
import { notificationText } from "../../wire/bgp-text.ts";
import { takeUpdate } from "./adj-in.ts";
import { formOf, repeatAll } from "./advertise.ts";
import { cease, notification, UNEXPECTED_MESSAGE } from "./notifications.ts";
import { flawOf, systemOf } from "./open.ts";
import { changing, drop, end, establish, expectMessage, fail, scheduleKeepalive, send } from "./session.ts";
import type { Bgp, Link, Neighbour } from "./state.ts";

/** Takes bytes of a connection. */
export function receive(bgp: Bgp, neighbour: Neighbour, link: Link, bytes: Uint8Array): void {
  const { messages, error } = takeMessages(link.stream, bytes);
  for (const message of messages) {
    if (!neighbour.links.includes(link)) return;
    takeMessage(bgp, neighbour, link, message);
  }
  if (error !== undefined && neighbour.links.includes(link)) reject(bgp, neighbour, link, error);
}

function takeMessage(bgp: Bgp, neighbour: Neighbour, link: Link, { type, body }: BgpMessage): void {
  neighbour.counters.received += 1;
  if (type === BGP.notification) takeNotification(bgp, neighbour, link, body);
  else if (type === BGP.open && link.state === "OpenSent") takeOpen(bgp, neighbour, link, body);
  else if (type === BGP.keepalive && link.state === "OpenConfirm") establish(bgp, neighbour, link);
  else if (link.state !== "Established" || type === BGP.open) rejectUnexpected(bgp, neighbour, link);
  else {
    expectMessage(bgp, neighbour);
    if (type === BGP.update) update(bgp, neighbour, link, body);
    else if (type === BGP.routeRefresh) refresh(bgp, neighbour, link, body);
  }
}

function reject(bgp: Bgp, neighbour: Neighbour, link: Link, error: BgpNotification): void {
  fail(bgp, neighbour, link, notificationText(error), error);
}

function rejectUnexpected(bgp: Bgp, neighbour: Neighbour, link: Link): void {
  const subcode = link.state === "Connect" ? 0 : UNEXPECTED_MESSAGE[link.state];
  reject(bgp, neighbour, link, notification(ERROR.stateMachine, subcode));
}

function takeNotification(bgp: Bgp, neighbour: Neighbour, link: Link, body: Uint8Array): void {
  const received = decodeNotification(body);
  if (received !== null) neighbour.lastNotification = { isSent: false, notification: received };
  const words = received === null ? "malformed" : notificationText(received);
  fail(bgp, neighbour, link, `Notification received (${words})`);
}

function takeOpen(bgp: Bgp, neighbour: Neighbour, link: Link, body: Uint8Array): void {
  const result = decodeOpen(body);
  if ("error" in result) {
    reject(bgp, neighbour, link, result.error);
    return;
  }
  const { open } = result;
  const flaw = flawOf(open, bgp.config, neighbour.config);
  if (flaw !== undefined) {
    reject(bgp, neighbour, link, flaw);
    return;
  }
  if (!winsCollision(bgp, neighbour, link, open.identifier)) return;
  changing(bgp, neighbour, "OPEN received", () => {
    neighbour.remoteAs = systemOf(open);
    neighbour.identifier = open.identifier;
    neighbour.hasAs4 = open.capabilities.some(({ kind }) => kind === "as4");
    neighbour.takesRefresh = open.capabilities.some(({ kind }) => kind === "route-refresh");
    neighbour.holdSeconds = Math.min(neighbour.config.holdSeconds, open.holdSeconds);
    neighbour.keepaliveSeconds = keepaliveOf(neighbour);
    link.state = "OpenConfirm";
    send(bgp, neighbour, link, encodeKeepalive());
    scheduleKeepalive(bgp, neighbour);
    expectMessage(bgp, neighbour);
  });
}

const keepaliveOf = ({ config, holdSeconds }: Neighbour): number =>
  holdSeconds === 0 ? 0 : Math.max(1, Math.min(config.keepaliveSeconds, Math.floor(holdSeconds / 3)));

/**
 * Both ends have connected at once: the connection of the end with the higher id stays (RFC 4271, section 6.8).
 * @returns whether this connection stays.
 */
function winsCollision(bgp: Bgp, neighbour: Neighbour, link: Link, identifier: number): boolean {
  const others = neighbour.links.filter((each) => each !== link && each.state !== "Connect");
  if (others.length === 0) return true;
  const isHigher = bgp.config.routerId > identifier;
  const loses = others.some(({ state }) => state === "Established") || link.isOutgoing !== isHigher;
  changing(bgp, neighbour, "collision", () => {
    for (const each of loses ? [link] : others) drop(bgp, neighbour, each, cease(CEASE.collision));
  });
  return !loses;
}

function update(bgp: Bgp, neighbour: Neighbour, link: Link, body: Uint8Array): void {
  neighbour.counters.updatesReceived += 1;
  const result = decodeUpdate(body, formOf(neighbour));
  if ("error" in result) {
    reject(bgp, neighbour, link, result.error);
    return;
  }
  for (const { text, action } of result.faults) bgp.host.warn(`UPDATE message: ${text} (${action})`);
  const excess = takeUpdate(bgp, neighbour, result.update);
  if (excess === undefined) return;
  neighbour.isOverLimit = true;
  end(bgp, neighbour, notificationText(excess), { notification: excess, isFinal: true });
}

function refresh(bgp: Bgp, neighbour: Neighbour, link: Link, body: Uint8Array): void {
  const result = decodeRouteRefresh(body);
  if ("error" in result) reject(bgp, neighbour, link, result.error);
  else if (result.refresh.afi === AFI.ipv4 && result.refresh.safi === SAFI_UNICAST) repeatAll(bgp, neighbour);
}
