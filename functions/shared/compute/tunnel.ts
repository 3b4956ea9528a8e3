/** Links between nodes of computes: a UDP tunnel, whose ends are NIOs of the nodes' ports. */
import { isIP } from "node:net";
import { failureOf } from "../edge/errors.ts";
import { CALL_ERRORS } from "../edge/own-errors/call.ts";
import type { LinkEnd } from "../schemas/link.ts";
import type { LinkDocument, TunnelEnd } from "../store/lab/link.ts";
import type { NodeItem } from "../store/lab/node.ts";
import { callCompute } from "./call.ts";
import { computeTypeOf } from "./compute-types.ts";
import { filteringEnd } from "./filtering.ts";
import { portPath, projectPath } from "./paths.ts";
import type { Call, Peer } from "./peer.ts";
import { createProject, isCode, isForgotten } from "./there.ts";

export interface End {
  readonly node: NodeItem;
  readonly side: LinkEnd;
  readonly peer: Peer;
}
export type Ends = readonly [End, End];

/** Makes a forgotten node again. */
type Restore = (end: End) => Promise<void>;

const DROPS_EVERYTHING = { frequency_drop: [-1] };

const isLoopback = (host: string): boolean => /^(127\.|localhost$|\[?::1\]?$)/.test(host);

/** Returns where each end sends: to the host of the other end's compute, or to an address that both computes can reach. */
async function hostsOf([a, b]: Ends): Promise<readonly [string, string]> {
  const same = a.node.document.compute_id === b.node.document.compute_id;
  // Two computes on the loopback interface are on one machine.
  if (same || isLoopback(a.peer.host) === isLoopback(b.peer.host)) return [b.peer.host, a.peer.host];
  const [ofA, ofB] = await Promise.all([interfacesOf(a.peer), interfacesOf(b.peer)]);
  for (const one of ofA) {
    for (const other of ofB) {
      if (networkOf(one) === networkOf({ ...other, netmask: one.netmask })) {
        return [other.ip_address, one.ip_address];
      }
    }
  }
  throw failureOf(CALL_ERRORS, "compute.no-common-subnet", { first: a.peer.name, second: b.peer.name });
}

interface Interface {
  readonly ip_address: string;
  readonly netmask: string;
  readonly special?: boolean;
}

async function interfacesOf(peer: Peer): Promise<Interface[]> {
  const all = (await callCompute(peer, { method: "GET", path: "/network/interfaces" })) as Interface[];
  return all.filter(
    ({ ip_address, netmask, special }) => isIP(ip_address) === 4 && isIP(netmask) === 4 && !special,
  );
}

const toNumber = (address: string): number =>
  address.split(".").reduce((sum, part) => (sum << 8) | Number(part), 0);
const networkOf = ({ ip_address, netmask }: Interface): number => toNumber(ip_address) & toNumber(netmask);

async function takeUdpPort(end: End): Promise<number> {
  const { project_id } = end.node;
  const call: Call = { method: "POST", path: `${projectPath(project_id)}/ports/udp` };
  let answer: unknown;
  try {
    answer = await callCompute(end.peer, call);
  } catch (error) {
    if (!isForgotten(error)) throw error;
    await createProject(end.peer, project_id);
    answer = await callCompute(end.peer, call);
  }
  return (answer as { udp_port: number }).udp_port;
}

/** Returns the body of an NIO. */
function nioOf(ends: Ends, index: number, tunnel: readonly TunnelEnd[], link: LinkDocument): object {
  const active = link.suspend ? DROPS_EVERYTHING : link.filters;
  return {
    type: "nio_udp",
    ...tunnel[index],
    filters: filteringEnd(ends.map(({ node }) => node)) === index ? active : {},
    suspend: link.suspend,
  };
}

const nioPath = ({ node, side }: End): string => `${portPath(node, side)}/nio`;

/**
 * Connects two ports; NIOs of earlier attempts are replaced.
 * @returns the ends of the tunnel. If it throws, it has removed what it made, where the computes answered.
 */
export async function connectThere(ends: Ends, link: LinkDocument, restore: Restore): Promise<TunnelEnd[]> {
  const [atA, atB] = await hostsOf(ends);
  const portA = await takeUdpPort(ends[0]);
  const portB = await takeUdpPort(ends[1]);
  const tunnel = [
    { lport: portA, rhost: atA, rport: portB },
    { lport: portB, rhost: atB, rport: portA },
  ];
  try {
    for (const [index, end] of ends.entries()) {
      await replaceNio(end, nioOf(ends, index, tunnel, link), restore);
    }
  } catch (error) {
    await disconnectThere(ends).catch(() => {});
    throw error;
  }
  return tunnel;
}

async function replaceNio(end: End, body: object, restore: Restore): Promise<void> {
  const call: Call = { method: "POST", path: nioPath(end), body };
  try {
    await callCompute(end.peer, call);
  } catch (error) {
    if (isForgotten(error)) await restore(end);
    // Another NIO is on the port: of an earlier attempt, or of a link that was deleted while the compute was away.
    else if (isCode(error, "compute.refused")) await removeNio(end);
    else throw error;
    await callCompute(end.peer, call);
  }
}

async function removeNio(end: End): Promise<void> {
  try {
    await callCompute(end.peer, { method: "DELETE", path: nioPath(end) });
  } catch (error) {
    // The compute says that the port is not connected, or has no such node.
    if (!isCode(error, "compute.missing", "compute.refused")) throw error;
  }
}

/** Removes both NIOs; those that are not there are removed. */
export async function disconnectThere(ends: readonly End[]): Promise<void> {
  for (const end of ends) await removeNio(end);
}

/** Sends filters and suspension. If an end refuses, the ends before it get the settings of `before` again. */
export async function tuneThere(
  ends: Ends,
  tunnel: readonly TunnelEnd[],
  after: LinkDocument,
  before: LinkDocument,
): Promise<void> {
  const changeable = [...ends.entries()].filter(
    ([, { node }]) => !computeTypeOf(node.document.node_type).hasFixedNios,
  );
  const done: typeof changeable = [];
  const send = (link: LinkDocument, [index, end]: (typeof changeable)[number]) =>
    callCompute(end.peer, { method: "PUT", path: nioPath(end), body: nioOf(ends, index, tunnel, link) });
  try {
    for (const each of changeable) {
      done.push(each);
      await send(after, each);
    }
  } catch (error) {
    for (const each of done) await send(before, each).catch(() => {});
    throw error;
  }
}
