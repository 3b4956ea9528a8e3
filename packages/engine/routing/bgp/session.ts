/**
 * The states of a neighbour (RFC 4271, section 8): when it is connected to, and how its session begins and ends.
 *
 *     Idle --start--> Connect --TCP--> OpenSent --OPEN--> OpenConfirm --KEEPALIVE--> Established
 *                        +--failed--> Active --connect retry--> Connect
 *
 * A failed session is Idle for a second, after errors longer.
 */
import { type BgpNotification, CEASE, encodeKeepalive, encodeNotification } from "../../wire/bgp.ts";
import { encodeOpen } from "../../wire/bgp-open.ts";
import { notificationText } from "../../wire/bgp-text.ts";
import { forgetRoutes } from "./adj-in.ts";
import { advertiseAll } from "./advertise.ts";
import { cease } from "./notifications.ts";
import { ownOpen } from "./open.ts";
import {
  type Bgp,
  FIRST_BACKOFF_SECONDS,
  type Link,
  type Neighbour,
  type NeighbourState,
  newLink,
  stateOf,
} from "./state.ts";

const SECOND_US = 1_000_000;
/** FRR's time from the configuration of a neighbour to the first attempt, and the most after errors. */
const START_SECONDS = 1;
const MOST_BACKOFF_SECONDS = 60;
/** RFC 4271, section 8.2.2: until the OPEN message of a neighbour has come. */
export const OPEN_HOLD_SECONDS = 240;

const isEnabled = ({ config, isOverLimit }: Neighbour): boolean =>
  !config.isShutDown && config.isActive && !isOverLimit;

/** Changes a neighbour, and reports the state that it has then. */
export function changing(bgp: Bgp, neighbour: Neighbour, why: string, change: () => void): void {
  const from = stateOf(neighbour);
  change();
  report(bgp, neighbour, from, why);
}

function report({ host }: Bgp, neighbour: Neighbour, from: NeighbourState, why: string): void {
  const to = stateOf(neighbour);
  if (from !== to) host.neighbourChanged({ address: neighbour.config.address, from, to, why });
}

/** Lets a neighbour begin soon. */
export function scheduleStart({ timers, host }: Bgp, neighbour: Neighbour, seconds = START_SECONDS): void {
  if (!isEnabled(neighbour)) return;
  timers.set("start", neighbour.config.address, host.nowUs + seconds * SECOND_US, neighbour.failures === 0);
}

/** Connects to a neighbour, unless it has a connection. */
export function connect(bgp: Bgp, neighbour: Neighbour): void {
  const { host, timers } = bgp;
  const { config } = neighbour;
  if (!isEnabled(neighbour) || neighbour.links.length > 0) return;
  changing(bgp, neighbour, "start", () => {
    neighbour.waiting = "Active";
    if (config.isPassive) return;
    timers.set("connect", config.address, host.nowUs + config.connectSeconds * SECOND_US);
    const way = host.resolve(config.address, () => true);
    if (way === undefined || (config.mustBeConnected && !way.isConnected)) {
      neighbour.lastReset ??= "Waiting for NHT";
      return;
    }
    const connection = host.connect(config, neighbour.failures === 0);
    if (typeof connection === "string") neighbour.lastReset = connection;
    else neighbour.links.push(newLink(connection, true));
  });
}

/** The time of an attempt is over. */
export function retryConnect(bgp: Bgp, neighbour: Neighbour): void {
  for (const link of neighbour.links.filter(({ state }) => state === "Connect")) {
    bgp.host.abort(link.connection);
    neighbour.links = neighbour.links.filter((each) => each !== link);
    neighbour.failures += 1;
  }
  connect(bgp, neighbour);
}

/** @returns whether the connection that a neighbour has opened is taken. */
export function accept(bgp: Bgp, neighbour: Neighbour, connection: number): boolean {
  if (!isEnabled(neighbour)) return false;
  const earlier = neighbour.links.find(({ isOutgoing, state }) => !isOutgoing && state !== "Established");
  if (earlier === undefined && neighbour.links.length > 1) return false;
  changing(bgp, neighbour, "connection accepted", () => {
    if (earlier !== undefined) drop(bgp, neighbour, earlier, undefined);
    bgp.timers.clear("start", neighbour.config.address);
    const link = newLink(connection, false);
    neighbour.links.push(link);
    sendOpen(bgp, neighbour, link);
  });
  return true;
}

/** TCP has connected. */
export function opened(bgp: Bgp, neighbour: Neighbour, link: Link): void {
  changing(bgp, neighbour, "connection opened", () => {
    link.state = "OpenSent";
    sendOpen(bgp, neighbour, link);
  });
}

function sendOpen(bgp: Bgp, neighbour: Neighbour, link: Link): void {
  const { timers, host } = bgp;
  const { address } = neighbour.config;
  timers.clear("connect", address);
  send(bgp, neighbour, link, encodeOpen(ownOpen(bgp.config, neighbour.config)));
  if (!neighbour.links.some(({ state }) => state === "Established"))
    timers.set("hold", address, host.nowUs + OPEN_HOLD_SECONDS * SECOND_US);
}

export function send({ host }: Bgp, { counters }: Neighbour, link: Link, message: Uint8Array): void {
  counters.sent += 1;
  host.send(link.connection, message);
}

/** The session is up. */
export function establish(bgp: Bgp, neighbour: Neighbour, link: Link): void {
  const { host } = bgp;
  changing(bgp, neighbour, "OPEN and KEEPALIVE received", () => {
    for (const other of neighbour.links.filter((each) => each !== link))
      drop(bgp, neighbour, other, other.state === "Connect" ? undefined : cease(CEASE.collision));
    link.state = "Established";
    neighbour.waiting = "Idle";
    neighbour.failures = 0;
    neighbour.backoffSeconds = FIRST_BACKOFF_SECONDS;
    neighbour.sinceUs = host.nowUs;
    neighbour.counters.established += 1;
    neighbour.hasWarnedOfLimit = false;
    scheduleKeepalive(bgp, neighbour);
    expectMessage(bgp, neighbour);
  });
  advertiseAll(bgp, neighbour);
}

export function scheduleKeepalive({ timers, host }: Bgp, { config, keepaliveSeconds }: Neighbour): void {
  if (keepaliveSeconds > 0)
    timers.set("keepalive", config.address, host.nowUs + keepaliveSeconds * SECOND_US);
}

export function sendKeepalive(bgp: Bgp, neighbour: Neighbour): void {
  for (const link of neighbour.links)
    if (link.state === "Established" || link.state === "OpenConfirm")
      send(bgp, neighbour, link, encodeKeepalive());
  scheduleKeepalive(bgp, neighbour);
}

/** The neighbour has sent something: the hold time begins anew. */
export function expectMessage({ timers, host }: Bgp, { config, holdSeconds }: Neighbour): void {
  if (holdSeconds > 0) timers.set("hold", config.address, host.nowUs + holdSeconds * SECOND_US);
  else timers.clear("hold", config.address);
}

/** Closes one connection. */
export function drop(
  bgp: Bgp,
  neighbour: Neighbour,
  link: Link,
  notification: BgpNotification | undefined,
): void {
  neighbour.links = neighbour.links.filter((each) => each !== link);
  if (link.state === "Connect") bgp.host.abort(link.connection);
  else {
    if (notification !== undefined) {
      send(bgp, neighbour, link, encodeNotification(notification));
      neighbour.lastNotification = { isSent: true, notification };
    }
    bgp.host.close(link.connection);
  }
}

/** One of two connections has an error, or is closed: the other one goes on. */
export function fail(
  bgp: Bgp,
  neighbour: Neighbour,
  link: Link,
  why: string,
  notification?: BgpNotification,
): void {
  if (neighbour.links.length > 1 && link.state !== "Established") drop(bgp, neighbour, link, notification);
  else end(bgp, neighbour, why, { notification, isError: notification !== undefined });
}

/** TCP could not connect. */
export function refused(bgp: Bgp, neighbour: Neighbour, link: Link, why: string): void {
  changing(bgp, neighbour, why, () => {
    neighbour.links = neighbour.links.filter((each) => each !== link);
    neighbour.failures += 1;
    if (neighbour.links.length === 0) neighbour.lastReset = why;
  });
}

interface End {
  readonly notification?: BgpNotification | undefined;
  /** The next attempts wait longer and longer. */
  readonly isError?: boolean;
  /** Nothing follows. */
  readonly isFinal?: boolean;
}

/** Ends the session, and what is on its way to one. */
export function end(bgp: Bgp, neighbour: Neighbour, why: string, how: End = {}): void {
  const { host, timers } = bgp;
  const { address } = neighbour.config;
  changing(bgp, neighbour, why, () => {
    const isLost = neighbour.links.some(({ state }) => state === "Established");
    const hadLinks = neighbour.links.length > 0;
    for (const link of [...neighbour.links]) drop(bgp, neighbour, link, how.notification);
    timers.clearAll(address);
    neighbour.waiting = "Idle";
    if (hadLinks)
      neighbour.lastReset = how.notification
        ? `Notification sent (${notificationText(how.notification)})`
        : why;
    if (isLost) {
      neighbour.sinceUs = host.nowUs;
      neighbour.counters.dropped += 1;
    }
    neighbour.failures += 1;
    forgetRoutes(bgp, neighbour);
    neighbour.sent.clear();
    neighbour.pending.clear();
    if (how.isFinal) return;
    if (how.isError) neighbour.backoffSeconds = Math.min(MOST_BACKOFF_SECONDS, 2 * neighbour.backoffSeconds);
    scheduleStart(bgp, neighbour, neighbour.backoffSeconds);
  });
}

/** A user, or another configuration, lets the neighbour begin anew. */
export function restart(bgp: Bgp, neighbour: Neighbour, subcode: number, why: string): void {
  end(bgp, neighbour, why, { notification: cease(subcode), isFinal: true });
  neighbour.isOverLimit = false;
  neighbour.failures = 0;
  neighbour.backoffSeconds = FIRST_BACKOFF_SECONDS;
  scheduleStart(bgp, neighbour);
}
