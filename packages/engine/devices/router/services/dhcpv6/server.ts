/**
 * The DHCPv6 server of a router's ports (RFC 8415).
 *
 *     information-request            -> reply: name servers, domain
 *     solicit                        -> advertise, or reply if the client wants a rapid commit
 *     request, renew, rebind         -> reply with an address for each IA_NA
 *     confirm, release, decline      -> reply with a status
 *
 * Leases expire when a request reads them, without a timer. After a restart the server knows no leases; it then accepts the address of a
 * client that renews, unless another client has it. Not implemented: temporary addresses, prefixes, reconfiguration, relays.
 */

import { writeU16 } from "../../../../base/bytes.ts";
import { ownValue } from "../../../../base/own-value.ts";
import { contains6 } from "../../../../net/address/prefix.ts";
import type { Datagram6 } from "../../../../net/plane/delivery.ts";
import type { RouterPort } from "../../../../net/plane/tables.ts";
import {
  ALL_DHCPV6_SERVERS,
  addressOption6,
  DHCPV6_ADVERTISE,
  DHCPV6_CLIENT_PORT,
  DHCPV6_CONFIRM,
  DHCPV6_DECLINE,
  DHCPV6_INFORMATION_REQUEST,
  DHCPV6_REBIND,
  DHCPV6_RELEASE,
  DHCPV6_RENEW,
  DHCPV6_REPLY,
  DHCPV6_REQUEST,
  DHCPV6_SERVER_PORT,
  DHCPV6_SOLICIT,
  type Dhcpv6 as Dhcpv6Message,
  decodeDhcpv6,
  decodeIaNa,
  encodeDhcpv6,
  encodeIaNa,
  type IaNa,
  macOfDuid,
  OPTION6_CLIENT_ID,
  OPTION6_DNS,
  OPTION6_DOMAINS,
  OPTION6_IA_NA,
  OPTION6_IA_PD,
  OPTION6_RAPID_COMMIT,
  OPTION6_REQUESTED,
  OPTION6_SERVER_ID,
  type Option6,
  option6,
  STATUS_NO_ADDRESS,
  STATUS_NO_BINDING,
  STATUS_NO_PREFIX,
  STATUS_NOT_ON_LINK,
  STATUS_SUCCESS,
  STATUS_USE_MULTICAST,
  statusOption6,
} from "../../../../wire/dhcpv6.ts";
import { encodeDnsName } from "../../../../wire/dns.ts";
import { formatIpv6, isLinkLocal, parseIpv6, writeIpv6 } from "../../../../wire/ipv6-address.ts";
import { writeMac } from "../../../../wire/mac.ts";
import { sendUdp } from "../base/send-udp.ts";
import type { Service, ServiceWorld } from "../base/service.ts";
import { type Lease6, Leases6, type SavedDhcpv6 } from "./leases.ts";
import { mayLease6, type Range6, rangeOf } from "./range.ts";
import type { Dhcpv6PortSpec } from "./settings.ts";

const SECOND_US = 1_000_000;
/** RFC 4861, section 4.2: hosts get addresses by DHCPv6, and other settings. */
const FLAG_MANAGED = 0x80;
const FLAG_OTHER = 0x40;
/** For which the server does not lease an address that another host uses. */
const SET_ASIDE_US = 3_600 * SECOND_US;
/** Addresses that are tried before a pool counts as full. */
const MOST_TRIED = 4_096;

/** Messages with the identifier of this server, and those without any (RFC 8415, section 16). */
const FOR_ONE_SERVER: ReadonlySet<number> = new Set([
  DHCPV6_REQUEST,
  DHCPV6_RENEW,
  DHCPV6_RELEASE,
  DHCPV6_DECLINE,
]);
const FOR_ALL_SERVERS: ReadonlySet<number> = new Set([DHCPV6_SOLICIT, DHCPV6_CONFIRM, DHCPV6_REBIND]);

interface Request {
  readonly message: Dhcpv6Message;
  readonly port: RouterPort;
  readonly spec: Dhcpv6PortSpec;
  readonly range: Range6 | undefined;
  /** The client's identifier in hexadecimal; empty if it sends none. */
  readonly client: string;
  readonly mac: number | undefined;
  readonly ias: readonly IaNa[];
}

export class Dhcpv6Server implements Service {
  readonly #world: ServiceWorld;
  readonly #leases: Leases6;

  constructor(world: ServiceWorld, saved?: SavedDhcpv6) {
    this.#world = world;
    this.#leases = new Leases6(saved?.leases);
    world.core.groups6.add(ALL_DHCPV6_SERVERS);
    world.core.dhcpFlagsAt = (port) => this.#flagsAt(port);
  }

  start(): void {}

  resume(): void {}

  changed(): void {
    const { dhcpv6 = {} } = this.#world.core.running;
    this.#leases.keep(({ port, address }) => {
      const range = dhcpv6[port] && rangeOf(dhcpv6[port]);
      return range !== undefined && isOfRange(range, parseIpv6(address)!);
    });
  }

  stop(): void {
    this.#world.core.groups6.delete(ALL_DHCPV6_SERVERS);
    this.#world.core.dhcpFlagsAt = undefined;
  }

  /** Undefined if there are no leases. */
  save(): SavedDhcpv6 | undefined {
    const leases = this.leases();
    return leases.length === 0 ? undefined : { leases };
  }

  leases(): Lease6[] {
    return this.#leases.list();
  }

  #flagsAt({ name }: RouterPort): number {
    const spec = ownValue(this.#world.core.running.dhcpv6, name);
    if (spec === undefined) return 0;
    return spec.range === undefined ? FLAG_OTHER : FLAG_MANAGED | FLAG_OTHER;
  }

  get #nowUs(): number {
    return this.#world.core.world.nowUs;
  }

  receive6({ port, header, udp, toAll }: Datagram6): boolean {
    const spec = ownValue(this.#world.core.running.dhcpv6, port.name);
    if (udp.targetPort !== DHCPV6_SERVER_PORT) return false;
    if (spec === undefined || port.ipv6 === undefined) return toAll;
    const message = decodeDhcpv6(udp.data);
    const request = message && isLinkLocal(header.source) ? this.#read(message, port, spec) : undefined;
    if (request === undefined) this.#world.core.drop("malformed");
    else this.#answer(request, header.source, toAll);
    return true;
  }

  /** @returns undefined for a message to discard (RFC 8415, section 16). */
  #read(message: Dhcpv6Message, port: RouterPort, spec: Dhcpv6PortSpec): Request | undefined {
    const { type, options } = message;
    const duid = option6(message, OPTION6_CLIENT_ID);
    const server = option6(message, OPTION6_SERVER_ID);
    const isInformation = type === DHCPV6_INFORMATION_REQUEST;
    if ((duid === undefined || duid.length === 0) && !isInformation) return undefined;
    const isForUs = server !== undefined && hexOf(server) === hexOf(this.#duid);
    if (FOR_ONE_SERVER.has(type) && !isForUs) return undefined;
    if (FOR_ALL_SERVERS.has(type) && server !== undefined) return undefined;
    if (isInformation && server !== undefined && !isForUs) return undefined;
    const ias = options.flatMap(([code, value]) => (code === OPTION6_IA_NA ? [decodeIaNa(value)] : []));
    if (ias.includes(null)) return undefined;
    const client = hexOf(duid ?? new Uint8Array());
    return {
      message,
      port,
      spec,
      range: rangeOf(spec),
      client,
      mac: duid && macOfDuid(duid),
      ias: ias as IaNa[],
    };
  }

  #answer(request: Request, source: bigint, toAll: boolean): void {
    const { type } = request.message;
    // RFC 8415, section 18.4: the server does not offer unicast.
    if (!toAll && FOR_ONE_SERVER.has(type))
      this.#reply(request, source, DHCPV6_REPLY, [statusOption6(STATUS_USE_MULTICAST, "use multicast")]);
    else if (type === DHCPV6_INFORMATION_REQUEST) this.#reply(request, source, DHCPV6_REPLY, []);
    else if (type === DHCPV6_SOLICIT) this.#takeSolicit(request, source);
    else if (type === DHCPV6_REQUEST || type === DHCPV6_RENEW || type === DHCPV6_REBIND)
      this.#reply(request, source, DHCPV6_REPLY, this.#lendAll(request, true));
    else if (type === DHCPV6_CONFIRM) this.#takeConfirm(request, source);
    else if (type === DHCPV6_RELEASE || type === DHCPV6_DECLINE) this.#takeBack(request, source);
    else this.#world.core.drop("malformed");
  }

  #takeSolicit(request: Request, source: bigint): void {
    const isRapid = option6(request.message, OPTION6_RAPID_COMMIT) !== undefined;
    const options = this.#lendAll(request, isRapid);
    if (isRapid) options.push([OPTION6_RAPID_COMMIT, new Uint8Array()]);
    this.#reply(request, source, isRapid ? DHCPV6_REPLY : DHCPV6_ADVERTISE, options);
  }

  /** Whether the client's addresses belong to this link (section 18.3.3). Without addresses there is nothing to confirm. */
  #takeConfirm(request: Request, source: bigint): void {
    const addresses = request.ias.flatMap((ia) => ia.addresses);
    if (addresses.length === 0) return;
    const isOnLink = addresses.every((address) => contains6(request.port.ipv6!, address));
    const status = isOnLink
      ? statusOption6(STATUS_SUCCESS, "all addresses are on the link")
      : statusOption6(STATUS_NOT_ON_LINK, "an address is not on the link");
    this.#reply(request, source, DHCPV6_REPLY, [status]);
  }

  /** Ends leases (sections 18.3.7 and 18.3.8). An address that another host uses is not leased for an hour. */
  #takeBack(request: Request, source: bigint): void {
    const { client, port, message, ias } = request;
    const options: Option6[] = [];
    for (const { id, addresses } of ias) {
      const lease = this.#leases.ofClient(port.name, client, id);
      if (lease === undefined) {
        const status = statusOption6(STATUS_NO_BINDING, "no lease");
        options.push([OPTION6_IA_NA, encodeIaNa(id, 0, [status])]);
      } else if (addresses.some((address) => formatIpv6(address) === lease.address)) {
        const ended =
          message.type === DHCPV6_RELEASE
            ? { ...lease, expiresUs: this.#nowUs }
            : { ...lease, client: "", expiresUs: this.#nowUs + SET_ASIDE_US };
        this.#leases.keep((each) => each !== lease);
        this.#leases.set(ended, this.#nowUs);
      }
    }
    const what = message.type === DHCPV6_RELEASE ? "released" : "declined";
    this.#reply(request, source, DHCPV6_REPLY, [statusOption6(STATUS_SUCCESS, what), ...options]);
  }

  /** An option for each IA_NA, with its address or a status, and a refusal for each set of prefixes. */
  #lendAll(request: Request, isBinding: boolean): Option6[] {
    const options = request.ias.map((ia): Option6 => [OPTION6_IA_NA, this.#lend(request, ia, isBinding)]);
    for (const [code, value] of request.message.options)
      if (code === OPTION6_IA_PD && value.length >= 12) {
        const status = statusOption6(STATUS_NO_PREFIX, "no prefixes");
        const id = new DataView(value.buffer, value.byteOffset).getUint32(0);
        options.push([OPTION6_IA_PD, encodeIaNa(id, 0, [status])]);
      }
    return options;
  }

  #lend(request: Request, ia: IaNa, isBinding: boolean): Uint8Array {
    const { port, client, spec, message } = request;
    const { leaseSeconds } = spec;
    const address = this.#chooseAddress(request, ia);
    const isRenewal = message.type === DHCPV6_RENEW || message.type === DHCPV6_REBIND;
    // Section 18.3.4: the client stops to use addresses that it may not have.
    const wrong = isRenewal
      ? ia.addresses.filter((each) => each !== address).map((each) => addressOption6(each, 0))
      : [];
    const expiresUs = this.#nowUs + leaseSeconds * SECOND_US;
    const lease = address !== undefined && {
      port: port.name,
      address: formatIpv6(address),
      client,
      iaid: ia.id,
      expiresUs,
    };
    if (!lease || (isBinding && !this.#leases.set(lease, this.#nowUs))) {
      const status = statusOption6(STATUS_NO_ADDRESS, "no address is free");
      return encodeIaNa(ia.id, 0, [...wrong, ...(wrong.length > 0 ? [] : [status])]);
    }
    return encodeIaNa(ia.id, leaseSeconds, [addressOption6(address!, leaseSeconds), ...wrong]);
  }

  /** The client's reservation, its former address, the one that it asks for, or the lowest free one. */
  #chooseAddress(request: Request, ia: IaNa): bigint | undefined {
    const { range, client, port, mac } = request;
    if (range === undefined) return undefined;
    const isFree = (address: bigint): boolean =>
      mayLease6(range, address, mac) && this.#leases.isFree(formatIpv6(address), client, ia.id, this.#nowUs);
    const before = this.#leases.ofClient(port.name, client, ia.id)?.address;
    const reserved = mac === undefined ? undefined : range.reserved.get(mac);
    const wished = [reserved, before === undefined ? undefined : parseIpv6(before)!, ...ia.addresses].find(
      (address) => address !== undefined && isFree(address),
    );
    if (wished !== undefined) return wished;
    const last = range.first + BigInt(MOST_TRIED);
    for (let address = range.first; address <= range.last && address < last; address++)
      if (isFree(address)) return address;
    return undefined;
  }

  /** DUID-LL (RFC 8415, section 11.4), with the MAC of the first port. */
  get #duid(): Uint8Array {
    const duid = Uint8Array.of(0, 3, 0, 1, 0, 0, 0, 0, 0, 0);
    writeMac(duid, 4, this.#world.core.tables.ports[0]!.mac);
    return duid;
  }

  #reply(request: Request, target: bigint, type: number, options: readonly Option6[]): void {
    const { message, port, spec } = request;
    const client = option6(message, OPTION6_CLIENT_ID);
    const data = encodeDhcpv6({
      type,
      transaction: message.transaction,
      options: [
        ...(client ? [[OPTION6_CLIENT_ID, client] as const] : []),
        [OPTION6_SERVER_ID, this.#duid],
        ...options,
        ...nameOptions(message, spec),
      ],
    });
    const udp = { sourcePort: DHCPV6_SERVER_PORT, targetPort: DHCPV6_CLIENT_PORT, data };
    sendUdp(this.#world, target, udp, port.ipv6!.linkLocal, port);
  }
}

/** Name servers and domain (RFC 3646), if the client's list of options has them or is absent. */
function nameOptions(message: Dhcpv6Message, { dns, domain }: Dhcpv6PortSpec): Option6[] {
  const wanted = option6(message, OPTION6_REQUESTED);
  const list = new Uint8Array(16 * dns.length);
  for (const [index, server] of dns.entries()) writeIpv6(list, 16 * index, parseIpv6(server)!);
  const options: Option6[] = [
    [OPTION6_DNS, list],
    [OPTION6_DOMAINS, domain === undefined ? new Uint8Array() : encodeDnsName(domain)!],
  ];
  return options.filter(
    ([code, value]) => value.length > 0 && (wanted === undefined || hasCode(wanted, code)),
  );
}

function hasCode(list: Uint8Array, code: number): boolean {
  const wanted = new Uint8Array(2);
  writeU16(wanted, 0, code);
  for (let at = 0; at + 2 <= list.length; at += 2)
    if (list[at] === wanted[0] && list[at + 1] === wanted[1]) return true;
  return false;
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const isOfRange = ({ first, last, reserved }: Range6, address: bigint): boolean =>
  (address >= first && address <= last) || [...reserved.values()].includes(address);
