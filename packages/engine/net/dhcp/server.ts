/**
 * The DHCP server of a port (RFC 2131). The key of a client is its identifier (option 61), or its MAC if it sends none. A client gets its
 * former address, else the one that it requests, else the lowest free one. The server probes an address before it offers it, unless
 * the client has a lease of it; if the address is in use, the server excludes it and tries the next one. Leases expire when a request
 * reads them, without a timer.
 *
 * Requests that a relay has passed on (RFC 2131, section 4.1) get an address of the pool for the relay's subnet, without a probe. The
 * reply goes to the relay, and renewals of such clients are answered directly.
 *
 * After a restart the server knows no leases. It then accepts the address of a renewing client, unless another client has
 * it, because no other server has the pool.
 */
import {
  DHCP_ACK,
  DHCP_CLIENT_PORT,
  DHCP_DECLINE,
  DHCP_DISCOVER,
  DHCP_INFORM,
  DHCP_NAK,
  DHCP_OFFER,
  DHCP_RELEASE,
  DHCP_REQUEST,
  DHCP_SERVER_PORT,
  type Dhcp,
  decodeDhcp,
  dhcpNumber,
  dhcpOption,
  encodeDhcp,
  messageType,
  OPTION_CLIENT_ID,
  OPTION_HOST_NAME,
  OPTION_LEASE_TIME,
  OPTION_REQUESTED_ADDRESS,
  OPTION_SERVER,
} from "../../wire/dhcp.ts";
import { PROTOCOL_UDP } from "../../wire/ipv4.ts";
import { formatIpv4 } from "../../wire/ipv4-address.ts";
import { formatMac, isGroupMac } from "../../wire/mac.ts";
import { encodeUdp4 } from "../../wire/udp.ts";
import { contains4 } from "../address/prefix.ts";
import { type Core, OWN_TTL } from "../plane/core.ts";
import type { Ipv4 } from "../plane/ipv4.ts";
import type { NeighbourTable } from "../plane/neighbours.ts";
import type { Interface4, RouterPort } from "../plane/tables.ts";
import type { Lease, LeaseTable } from "./leases.ts";
import type { Pool, Pools, RemotePool } from "./pool.ts";
import { AddressProbe } from "./probe.ts";
import { FLAG_BROADCAST, frameReply, leaseOptions, makeReply, networkOptions } from "./reply.ts";
import { isOfPool, mayLease } from "./reservations.ts";

const OFFER_SECONDS = 60;
const SHORTEST_LEASE_SECONDS = 60;
const HOST_NAME_MAX_CHARACTERS = 63;
const BOOT_REQUEST = 1;
/** RFC 5424, section 6.2.1. */
const INFORMATIONAL = 6;

/** A message, its sender's key and its port. */
interface Request {
  readonly message: Dhcp;
  readonly client: string;
  readonly port: RouterPort;
  readonly server: Interface4;
  readonly pool: Pool;
  /** The message was a broadcast: other servers received it, too. */
  readonly toAll: boolean;
  /** For a request from another subnet: the key of its leases, and the gateway there. */
  readonly remote?: RemotePool | undefined;
}

interface Probing {
  request: Request;
  readonly address: number;
  readonly probe: AddressProbe;
}

export class DhcpServer {
  readonly #core: Core;
  readonly #ipv4: Ipv4;
  readonly #arp: NeighbourTable<number>;
  readonly leases: LeaseTable;
  readonly #pools: Pools;
  /** The last message of each client whose offer waits for a probe. */
  readonly #probing = new Map<string, Probing>();

  constructor(core: Core, ipv4: Ipv4, arp: NeighbourTable<number>, leases: LeaseTable, pools: Pools) {
    this.#core = core;
    this.#ipv4 = ipv4;
    this.#arp = arp;
    this.leases = leases;
    this.#pools = pools;
  }

  /** @returns false if the port has no server. */
  receive(port: RouterPort, data: Uint8Array, toAll: boolean): boolean {
    const { ipv4: server } = port;
    const pool = this.#pools.at(port.index);
    const message = decodeDhcp(data);
    if (message !== null && server !== undefined && !toAll && this.#takeRemote(message, port, server))
      return true;
    if (server === undefined || pool === undefined) return false;
    if (message === null || !isServed(message)) this.#core.drop("malformed");
    else this.#take({ message, client: clientOf(message), port, server, pool, toAll });
    return true;
  }

  /** @returns whether the message is of a client in the subnet of a remote pool. */
  #takeRemote(message: Dhcp, port: RouterPort, server: Interface4): boolean {
    const { op, relayIp, clientIp, clientMac } = message;
    if (op !== BOOT_REQUEST || clientMac === 0 || isGroupMac(clientMac)) return false;
    const remote = this.#pools.behind(relayIp || clientIp);
    if (remote === undefined) return false;
    this.#take({ message, client: clientOf(message), port, server, pool: remote.pool, toAll: false, remote });
    return true;
  }

  #take(request: Request): void {
    switch (messageType(request.message)) {
      case DHCP_DISCOVER:
        this.#offer(request);
        break;
      case DHCP_REQUEST:
        this.#takeRequest(request);
        break;
      case DHCP_DECLINE:
        this.#takeBack(request, dhcpNumber(request.message, OPTION_REQUESTED_ADDRESS), (lease) =>
          this.leases.setAside(lease, this.#core.world.nowUs),
        );
        break;
      case DHCP_RELEASE:
        this.#takeBack(request, request.message.clientIp, (lease) =>
          this.leases.release(lease, this.#core.world.nowUs),
        );
        break;
      case DHCP_INFORM:
        if (request.message.clientIp !== 0) this.#reply(request, DHCP_ACK, 0);
    }
  }

  /** Sends nothing if the pool is exhausted: another server may have an address. */
  #offer(request: Request): void {
    const key = `${indexOf(request)} ${request.client}`;
    const before = this.#probing.get(key);
    if (before !== undefined) {
      before.request = request;
      return;
    }
    const address = this.#chooseAddress(request);
    if (address === undefined) return;
    const isHeld = request.remote !== undefined || this.#holds(request, address);
    this.#lend(request, address, true);
    if (isHeld) {
      this.#reply(request, DHCP_OFFER, address);
      return;
    }
    const { port, server, message } = request;
    const end = (isTaken: boolean): void => this.#probed(key, address, isTaken);
    const probe = AddressProbe.begin(this.#core, this.#arp, port, server, address, message.clientMac, end);
    this.#probing.set(key, { request, address, probe });
  }

  #probed(key: string, address: number, isTaken: boolean): void {
    const { request } = this.#probing.get(key)!;
    this.#probing.delete(key);
    this.#endProbe(request, address, isTaken);
  }

  freeze() {
    return [...this.#probing].map(([key, { request, address, probe }]) => {
      const { port, ...others } = request;
      return { key, request: { ...others, port: port.index }, address, probe: probe.freeze() };
    });
  }

  thaw(frozen: ReturnType<DhcpServer["freeze"]>): void {
    for (const { key, request, address, probe } of frozen) {
      const port = this.#core.tables.ports[request.port]!;
      const end = (isTaken: boolean): void => this.#probed(key, address, isTaken);
      const again = AddressProbe.thaw(this.#core, this.#arp, probe, end);
      this.#probing.set(key, { request: { ...request, port }, address, probe: again });
    }
  }

  /** During the probe the client may have chosen another server, or the pool may have been removed. */
  #endProbe(request: Request, address: number, isTaken: boolean): void {
    const lease = this.#leaseOf(request);
    if (lease === undefined || !this.#holds(request, address)) return;
    if (!isTaken) this.#reply(request, DHCP_OFFER, address);
    else {
      this.leases.setAside(lease, this.#core.world.nowUs);
      this.#offer(request);
    }
  }

  /** Whether the client has a lease or an offer of the address. */
  #holds(request: Request, address: number): boolean {
    const lease = this.#leaseOf(request);
    return lease?.address === address && lease.expiresUs > this.#core.world.nowUs;
  }

  #takeRequest(request: Request): void {
    const { message, server } = request;
    const chosen = dhcpNumber(message, OPTION_SERVER);
    const wanted = dhcpNumber(message, OPTION_REQUESTED_ADDRESS) ?? message.clientIp;
    if (chosen !== undefined && chosen !== server.address) this.#forgetOffer(request);
    else if (chosen === undefined && this.#isAnothers(request, wanted)) return;
    else if (!this.#mayHave(request, wanted)) this.#reply(request, DHCP_NAK, 0);
    else if (this.#lend(request, wanted, false)) {
      this.#reply(request, DHCP_ACK, wanted);
      const text = `${formatIpv4(wanted)} to ${formatMac(message.clientMac)} for ${leaseSeconds(request)} s`;
      this.#core.onEvent?.({ severity: INFORMATIONAL, id: "DHCP_LEASE", text });
    }
  }

  /**
   * Whether a client without a lease here may have its address from another server (section 4.3.2): one that reboots
   * with an address of this subnet, or one that broadcasts a request for an address outside this pool.
   */
  #isAnothers(request: Request, address: number): boolean {
    const { message, server, pool, toAll } = request;
    const subnet = request.remote?.gateway ?? server;
    if (this.#leaseOf(request) !== undefined || !contains4(subnet, address)) return false;
    return message.clientIp === 0 || (toAll && !isOfPool(pool, address));
  }

  /** The client took another server's offer. */
  #forgetOffer(request: Request): void {
    const lease = this.#leaseOf(request);
    if (lease?.offered) this.leases.release(lease, this.#core.world.nowUs);
  }

  /** Releases a lease if it is the client's and the message is for this server. */
  #takeBack(request: Request, address: number | undefined, give: (lease: Lease) => void): void {
    const lease = this.#leaseOf(request);
    const isForUs =
      (dhcpNumber(request.message, OPTION_SERVER) ?? request.server.address) === request.server.address;
    if (isForUs && lease !== undefined && lease.address === address) give(lease);
  }

  #leaseOf(request: Request): Lease | undefined {
    return this.leases.ofClient(indexOf(request), request.client);
  }

  #chooseAddress(request: Request): number | undefined {
    const { pool, message } = request;
    if (!this.leases.hasRoomFor(indexOf(request), request.client, this.#core.world.nowUs)) return undefined;
    const wished = [
      pool.reserved.get(message.clientMac),
      this.#leaseOf(request)?.address,
      dhcpNumber(request.message, OPTION_REQUESTED_ADDRESS),
    ].find((address) => address !== undefined && this.#mayHave(request, address));
    if (wished !== undefined) return wished;
    for (let address = pool.first; address <= pool.last; address++)
      if (this.#mayHave(request, address)) return address;
    return undefined;
  }

  /** Whether the address is in the pool, and neither leased, declined nor in use by another station. */
  #mayHave(request: Request, address: number): boolean {
    const { pool, client, message } = request;
    if (!mayLease(pool, address, message.clientMac)) return false;
    const { nowUs } = this.#core.world;
    if (!this.leases.isFree(indexOf(request), address, client, nowUs)) return false;
    const station = this.#arp.find(indexOf(request), address);
    return station === undefined || station === message.clientMac;
  }

  /** @returns false if the table has no room for another client. */
  #lend(request: Request, address: number, offered: boolean): boolean {
    const { client, message } = request;
    const index = indexOf(request);
    const { nowUs } = this.#core.world;
    if (!this.leases.hasRoomFor(index, client, nowUs)) return false;
    const before = this.#leaseOf(request);
    const expiresUs = nowUs + (offered ? OFFER_SECONDS : leaseSeconds(request)) * 1_000_000;
    // A client that sends another discover keeps its lease until its end.
    const isCovered = before?.address === address && !before.offered && before.expiresUs > expiresUs;
    if (offered && isCovered) return true;
    const hostName = hostNameOf(message) || (before?.hostName ?? "");
    const mac = message.clientMac;
    this.leases.set({ port: index, address, client, mac, hostName, offered, expiresUs });
    return true;
  }

  #reply(
    request: Request,
    type: typeof DHCP_OFFER | typeof DHCP_ACK | typeof DHCP_NAK,
    yourIp: number,
  ): void {
    const { message, port, server, pool } = request;
    const lent = yourIp === 0 ? [] : leaseOptions(leaseSeconds(request));
    const options =
      type === DHCP_NAK ? [] : [...lent, ...networkOptions(message, request.remote?.gateway ?? server, pool)];
    const reply = makeReply(message, type, server, options, yourIp);
    if (request.remote !== undefined) {
      this.#sendRemote(reply, server.address);
      return;
    }
    this.#core.counters.originated += 1;
    this.#core.transmit(port.index, frameReply(reply, port.mac, server));
  }

  /** Sends a reply to the relay, or to a client that has renewed its lease without one. */
  #sendRemote(reply: Dhcp, source: number): void {
    const target = reply.relayIp || reply.clientIp;
    const targetPort = reply.relayIp === 0 ? DHCP_CLIENT_PORT : DHCP_SERVER_PORT;
    // RFC 2131, section 4.1: the relay broadcasts a refusal.
    const flags = reply.yourIp === 0 && reply.clientIp === 0 ? FLAG_BROADCAST : reply.flags;
    const udp = { sourcePort: DHCP_SERVER_PORT, targetPort, data: encodeDhcp({ ...reply, flags }) };
    const fields = { source, target, protocol: PROTOCOL_UDP, ttl: OWN_TTL };
    this.#ipv4.originate(fields, encodeUdp4(source, target, udp));
  }
}

/** The key of the client's leases: its port, or the pool of another subnet. */
const indexOf = ({ port, remote }: Request): number => remote?.index ?? port.index;

const isServed = ({ op, relayIp, clientMac }: Dhcp): boolean =>
  op === BOOT_REQUEST && relayIp === 0 && clientMac !== 0 && !isGroupMac(clientMac);

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const clientOf = (message: Dhcp): string => {
  const id = dhcpOption(message, OPTION_CLIENT_ID);
  return id && id.length > 0 ? `id:${hexOf(id)}` : formatMac(message.clientMac);
};

/** The requested lease time, if it is shorter than the pool's. */
function leaseSeconds({ message, pool }: Request): number {
  const wanted = dhcpNumber(message, OPTION_LEASE_TIME) ?? pool.leaseSeconds;
  return Math.min(pool.leaseSeconds, Math.max(wanted, SHORTEST_LEASE_SECONDS));
}

/** Printable characters only, because the console shows it. */
function hostNameOf(message: Dhcp): string {
  const text = new TextDecoder().decode(dhcpOption(message, OPTION_HOST_NAME));
  return text.replaceAll(/[^!-~]/g, "").slice(0, HOST_NAME_MAX_CHARACTERS);
}
