/** Chooses how a live lab sends and receives. */
import type { Outside, SocketAddress } from "@wirelab/lab/model/outside";
import { BatchNetwork } from "./batch/batch-network.ts";
import { loadLibc } from "./batch/libc.ts";
import { toSockaddr } from "./batch/sockaddr.ts";
import type { Network } from "./wires/network.ts";
import { makeNodeNetwork } from "./wires/node-network.ts";

/** Batches of datagrams where the system has them and all addresses are plain ones; else the sockets of Node. */
export async function openNetwork(outsides: readonly Outside[]): Promise<Network> {
  const arePlain = outsides.flatMap(addressesOf).every((address) => toSockaddr(address) !== undefined);
  const libc = arePlain ? await loadLibc() : undefined;
  return libc ? new BatchNetwork(libc) : makeNodeNetwork();
}

const addressesOf = (outside: Outside): SocketAddress[] =>
  "listen" in outside ? [outside.listen, outside.to] : [];
