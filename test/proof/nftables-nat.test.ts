/** Our gateway and the kernel's, with the same lists and translations, send the same packets, byte for byte. */

import { decodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isHeaderIntact4, isPayloadIntact4 } from "../../packages/engine/wire/intact.ts";
import { Draws } from "../helpers/nftables/draws.ts";
import {
  drawFlags,
  errorAbout,
  type Flow,
  framesOf,
  turned,
  upperOf,
  viewOf,
} from "../helpers/nftables/flow.ts";
import {
  FIRST_RANGE_PORT,
  FORWARD_PORT,
  NFT_GATEWAY,
  OUR_GATEWAY,
  STATIC_OUTSIDE,
} from "../helpers/nftables/gateway.ts";
import { ip } from "../helpers/nftables/ip.ts";
import { KernelRouter, nftablesObstacle, type Sent } from "../helpers/nftables/kernel-router.ts";
import { INSIDE_HOSTS, OUTSIDE_HOSTS, OWN_OUTSIDE } from "../helpers/nftables/network.ts";
import { OurRouter } from "../helpers/nftables/our-router.ts";
import type { Ends } from "../helpers/nftables/packets.ts";

const why = nftablesObstacle();
const PACKETS = 10_000;
/** The router tracks 1,024 connections. */
const MAX_FLOWS = 700;
/** Far enough from each other that ours, which gives a taken port's host the next one, takes none of these. */
const SOURCE_PORTS = [7, 50, 500, 1_023, 1_100, 3_000, 3_101, 40_000, 40_101, 65_535];
const TARGET_PORTS = [22, 53, 80, 443];
const ERRORS = [
  [3, 1],
  [3, 3],
  [3, 4],
  [11, 0],
  [12, 0],
  [5, 1],
] as const;

const draws = new Draws(process.env.WIRELAB_SEED);
const INSIDE = 0;
const OUTSIDE = 1;
const hosts = [INSIDE_HOSTS, OUTSIDE_HOSTS];

function drawFlow(): Flow {
  const kind = draws.below(10);
  const protocol = draws.pick([6, 6, 6, 17, 17, 17, 1, 1, 50]);
  const side = kind < 6 || kind === 9 ? INSIDE : OUTSIDE;
  const sourcePort = draws.pick(SOURCE_PORTS);
  const base = {
    source: draws.pick(hosts[side]!),
    sourcePort,
    targetPort: protocol === 1 ? sourcePort : draws.pick(TARGET_PORTS),
  };
  const ends =
    kind < 6 ? { ...base, target: draws.pick(OUTSIDE_HOSTS) } : drawInbound(base, protocol, kind === 9);
  const rest = {
    history: [],
    segments: 0,
    isLasting: draws.below(2) === 0,
    isEnding: false,
    isReopening: false,
    far: [],
    near: [],
    isRemapped: false,
  };
  return { protocol: protocolOf(ends, protocol), ends, side, ...rest };
}

/**
 * Draws a flow that begins where no other does. Two TCP flows compete for a port only if both last: the kernel gives the port of a
 * connection that has ended to the next one at once, ours keeps it for the time that RFC 5382 demands.
 */
function drawOtherThan(flows: readonly Flow[]): Flow {
  for (;;) {
    const flow = drawFlow();
    const { protocol, ends, isLasting } = flow;
    const rivals = flows.filter((other) => {
      const { sourcePort, target, targetPort } = other.ends;
      const isRival =
        target === ends.target && targetPort === ends.targetPort && sourcePort === ends.sourcePort;
      return isRival && other.protocol === protocol;
    });
    if (rivals.some((other) => other.ends.source === ends.source)) continue;
    if (protocol !== 6 || rivals.every((other) => isLasting && other.isLasting)) return flow;
  }
}

/** Forwarded ports have their own protocol, if inside hosts use them: the router would answer others itself. */
const protocolOf = ({ targetPort }: Ends, protocol: number): number =>
  targetPort === FORWARD_PORT
    ? 6
    : targetPort >= FIRST_RANGE_PORT && targetPort < FIRST_RANGE_PORT + 10
      ? 17
      : protocol;

function drawInbound(base: Omit<Ends, "target">, protocol: number, isHairpin: boolean): Ends {
  const fixed = { ...base, target: ip(STATIC_OUTSIDE) };
  const forward = { ...base, target: OWN_OUTSIDE, targetPort: FORWARD_PORT };
  const ranged = { ...base, target: OWN_OUTSIDE, targetPort: FIRST_RANGE_PORT + draws.below(10) };
  if (isHairpin) return draws.pick([fixed, forward, ranged]);
  const direct = { ...base, target: draws.pick(INSIDE_HOSTS) };
  const own = { ...base, target: OWN_OUTSIDE };
  return draws.pick(protocol === 1 ? [fixed, direct, own] : [fixed, forward, forward, ranged, direct, own]);
}

/** A frame without what differs for flows that both routers have given another port: ports, and checksums that are right. */
function masked(frame: Uint8Array): Uint8Array {
  const copy = frame.slice();
  mask(copy, 14, copy.length);
  return copy;
}

function mask(frame: Uint8Array, at: number, end: number): void {
  const upper = at + (frame[at]! & 15) * 4;
  const protocol = frame[at + 9]!;
  const blank = (offset: number, size: number) =>
    frame.fill(0, Math.min(upper + offset, end), Math.min(upper + offset + size, end));
  if (protocol === 1) {
    blank(2, 2);
    if (frame[upper] === 0 || frame[upper] === 8) blank(4, 2);
    else mask(frame, upper + 8, end);
  } else if (protocol === 6 || protocol === 17) {
    blank(0, 4);
    blank(protocol === 6 ? 16 : 6, 2);
  }
}

function isIntact({ frame }: Sent): boolean {
  const header = decodeIpv4(frame, 14)!;
  const isWhole = !header.moreFragments && header.fragmentOffset === 0;
  return isHeaderIntact4(frame, 14, header) && (!isWhole || isPayloadIntact4(frame, 14, header));
}

describe.skipIf(why !== undefined)(`translation and nftables${why ? ` (skipped: ${why})` : ""}`, () => {
  let kernel: KernelRouter;
  let ours: OurRouter;
  beforeAll(() => {
    console.log(`The seed is ${draws.seed}: WIRELAB_SEED=${draws.seed} repeats the test`);
    kernel = new KernelRouter([...INSIDE_HOSTS, ...OUTSIDE_HOSTS]);
    kernel.load(NFT_GATEWAY);
    // The kernel's tracking looks at windows and checksums, and takes up connections in the middle; ours does not.
    kernel.setTracking("tcp_be_liberal=1", "tcp_loose=0", "tcp_ignore_invalid_rst=1", "checksum=0");
    ours = new OurRouter(OUR_GATEWAY, [...INSIDE_HOSTS, ...OUTSIDE_HOSTS]);
  });
  afterAll(() => kernel?.end());

  test(`send the same for ${PACKETS} packets of connections, errors and fragments`, async () => {
    const flows: Flow[] = [];
    const counts = { packets: 0, passed: 0, errors: 0, fragments: 0, remapped: 0 };

    /** Sends a frame to each router. @returns what they send, which is the same. */
    const both = async (
      flow: Flow,
      side: number,
      frames: readonly Uint8Array[],
      what: string,
    ): Promise<readonly [Sent[], Sent[]]> => {
      const us = ours.exchange(side, frames[0]!);
      const them = await kernel.exchange(side, frames.at(-1)!);
      counts.packets += 1;
      counts.passed += them.length;
      const isNewlyRemapped =
        us.length > 0 && us.length === them.length && !flow.isRemapped && isRemapping(flow, us[0]!, them[0]!);
      if (isNewlyRemapped) {
        flow.isRemapped = true;
        counts.remapped += 1;
      }
      const shown = (sent: readonly Sent[]) =>
        sent.map((each) => ({
          side: each.side,
          intact: isIntact(each),
          frame: Buffer.from(flow.isRemapped ? masked(each.frame) : each.frame).toString("hex"),
        }));
      flow.history.push(`${what}: ${us.length} ${them.length}`);
      const about = { number: counts.packets, flow, side, frame: Buffer.from(frames[0]!).toString("hex") };
      expect(shown(us), JSON.stringify({ ...about, flow: { ...flow, near: [], far: [] } })).toEqual(
        shown(them),
      );
      return [us, them];
    };

    while (counts.packets < PACKETS) {
      const isNew = flows.length === 0 || (flows.length < MAX_FLOWS && draws.below(14) === 0);
      const flow = isNew ? drawOtherThan(flows) : draws.pick(flows);
      if (isNew) flows.push(flow);
      const choice = draws.below(10);
      if (isNew || choice < 4 || flow.far.length === 0) await goForth(flow);
      else if (choice < 8) await comeBack(flow);
      else await report(flow, draws.below(2) === 0 && flow.near.length > 0);
    }
    expect(counts.passed).toBeGreaterThan(PACKETS / 2);
    expect(counts.remapped).toBeLessThan(flows.length / 5);
    for (const kind of ["errors", "fragments", "remapped"] as const)
      expect([kind, counts[kind] > 10]).toEqual([kind, true]);

    async function goForth(flow: Flow): Promise<void> {
      const { protocol, ends, side } = flow;
      const flags = drawFlags(draws, flow, false);
      const [, payload] = upperOf(protocol, ends, false, flags, drawSize(protocol));
      const frames = framesOf(side, { ...ends, protocol, ...drawFields() }, payload, drawFragment(payload));
      counts.fragments += frames.length > 1 ? 1 : 0;
      for (const frame of frames) {
        const [us, them] = await both(flow, side, [frame], `forth, flags ${flags}`);
        if (us.length > 0 && frames.length === 1)
          flow.far = [us[0]!, them[0]!].map(({ side: to, frame: seen }) => viewOf(to, seen));
      }
      flow.segments += 1;
    }

    async function comeBack(flow: Flow): Promise<void> {
      const { protocol } = flow;
      const flags = drawFlags(draws, flow, true);
      const size = drawSize(protocol);
      const fields = drawFields();
      const fragmentBytes = draws.below(30) === 0 && protocol === 17 ? 8 * (1 + draws.below(60)) : undefined;
      const [us, them] = flow.far.map(({ side, ends }) => {
        const back = turned(ends);
        const [, payload] = upperOf(protocol, back, true, flags, size);
        return framesOf(side, { ...back, protocol, ...fields }, payload, fragmentBytes);
      });
      for (const [index, frame] of us!.entries()) {
        const sent = await both(flow, flow.far[0]!.side, [frame, them![index]!], `back, flags ${flags}`);
        if (sent[0].length > 0 && us!.length === 1)
          flow.near = sent.map(([each]) => viewOf(each!.side, each!.frame));
      }
      flow.segments += 1;
    }

    /** An error about what an end has seen. */
    async function report(flow: Flow, isNear: boolean): Promise<void> {
      const views = isNear ? flow.near : flow.far;
      const [first] = views;
      // The kernel hides the router that reports a flow whose port alone it has changed; ours leaves that router's address.
      const isOwn = draws.below(2) === 0 || (flow.isRemapped && flow.side === OUTSIDE);
      const from = isOwn ? first!.ends.target : draws.pick(hosts[first!.side]!);
      const [error, quoted, id] = [draws.pick(ERRORS), draws.pick([28, 40, 60, 548]), draws.below(65_536)];
      const frames = views.map((view) => errorAbout(view, from, error, quoted, id));
      const [us] = await both(flow, first!.side, frames, `error ${error}`);
      counts.errors += us.length;
    }
  });
});

/** Whether the routers chose different ports for a flow: of those that are free, the kernel takes one at random. */
function isRemapping({ protocol }: Flow, us: Sent, them: Sent): boolean {
  if (protocol === 50) return false;
  const ports = [us, them].map(({ side, frame }) => viewOf(side, frame).ends.sourcePort);
  return ports[0] !== ports[1];
}

const drawSize = (protocol: number): number => (protocol === 17 ? draws.below(1_200) : draws.below(100));

const drawFields = () => ({
  id: draws.below(65_536),
  ttl: 2 + draws.below(200),
  typeOfService: 4 * draws.below(64),
});

/** The data of each fragment; undefined for a datagram in one piece. */
const drawFragment = (payload: Uint8Array): number | undefined => {
  const size = 8 * (1 + draws.below(60));
  return draws.below(30) === 0 && payload.length > size ? size : undefined;
};
