/** Where a registered compute has a WebSocket. */
import { isIPv6, type LookupFunction } from "node:net";
import { addressesOf, basic } from "./call.ts";
import type { Peer } from "./peer.ts";

/** How to open a WebSocket of a compute. */
export interface SocketTarget {
  /** `ws:` or `wss:` */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Resolves the host's name, and refuses addresses that the service does not call. */
  readonly lookup?: LookupFunction;
  /** The compute's name, for messages. */
  readonly name: string;
}

/** @param path follows `/v2/compute`. @throws ApiError `compute.address-refused`, `compute.unreachable` */
export async function socketTarget(peer: Peer, path: string): Promise<SocketTarget> {
  const addresses = await addressesOf(peer);
  const lookup: LookupFunction = (_host, _options, done) => done(null, addresses);
  const scheme = peer.protocol === "https" ? "wss" : "ws";
  const host = isIPv6(peer.host) ? `[${peer.host}]` : peer.host;
  const url = `${scheme}://${host}:${peer.port}/v2/compute${path}`;
  return { url, headers: basic(peer), lookup, name: peer.name };
}
