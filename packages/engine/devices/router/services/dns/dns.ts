/**
 * The DNS server of a router (RFC 1034, RFC 1035), over UDP.
 *
 *     query -> a name that is configured here -> answer, authoritative
 *           -> answered before                -> answer from the cache
 *           -> recursion desired              -> ask the servers in turn, two seconds each, twice -> their answer, or SERVFAIL
 *           -> else                           -> REFUSED
 *
 * Not implemented: TCP, zone transfers, DNSSEC. A response that is too large for the client is truncated.
 */

import type { Timer } from "../../../../base/world.ts";
import { formatAnyAddress, parseAnyAddress } from "../../../../net/address/prefix.ts";
import type { Datagram4, Datagram6 } from "../../../../net/plane/delivery.ts";
import {
  DNS_PORT,
  RCODE_FORMAT_ERROR,
  RCODE_NO_SUCH_NAME,
  RCODE_NOT_IMPLEMENTED,
  RCODE_OK,
  RCODE_REFUSED,
  RCODE_SERVER_FAILURE,
  sameName,
} from "../../../../wire/dns.ts";
import {
  DNS_CLASS_INTERNET,
  type DnsQuery,
  type DnsResponse,
  encodeForwarded,
  encodeReply,
  FLAG_AUTHORITATIVE,
  FLAG_RECURSION_AVAILABLE,
  FLAG_RECURSION_DESIRED,
  FLAG_RESPONSE,
  readDnsQuery,
  readDnsResponse,
  relayReply,
  type ServerQuestion,
  type StoredRecord,
} from "../../../../wire/dns-exchange.ts";
import { sendUdp } from "../base/send-udp.ts";
import type { Service, ServiceWorld } from "../base/service.ts";
import { type CachedAnswer, DnsCache, isEscaped, type SavedDns } from "./cache.ts";
import { findLocal } from "./local-names.ts";
import { questionFor } from "./question.ts";
import type { DnsSpec } from "./settings.ts";

const WAIT_US = 2_000_000;
/** Each server is asked so often. */
const ROUNDS = 2;
/** Queries that wait for other servers; further ones fail. */
export const MAX_WAITING = 64;
const FIRST_PORT = 20_000;
const PORTS = 20_000;

/** Who asked: the answer goes back from the address to which the query was sent. */
type Client = Datagram4 | Datagram6;

/** A query that waits for another server. */
interface Waiting {
  readonly client: Client;
  readonly query: DnsQuery;
  /** What the other servers are asked for: the question, or the name of which it is an alias. */
  readonly question: ServerQuestion;
  /** The aliases that lead to that name. */
  readonly aliases: readonly StoredRecord[];
  readonly id: number;
  attempt: number;
  timer: Timer | undefined;
}

export class Dns implements Service {
  readonly #world: ServiceWorld;
  readonly #cache: DnsCache;
  /** By the UDP port from which the other servers are asked. */
  readonly #waiting = new Map<number, Waiting>();

  constructor(world: ServiceWorld, saved?: SavedDns) {
    this.#world = world;
    this.#cache = new DnsCache(saved?.cache);
  }

  start(): void {}

  resume(): void {}

  changed(): void {}

  stop(): void {
    for (const { timer } of this.#waiting.values()) timer?.cancel();
  }

  /** Undefined if nothing is stored. */
  save(): SavedDns | undefined {
    const cache = this.cached();
    return cache.length === 0 ? undefined : { cache };
  }

  freeze() {
    const waiting = [...this.#waiting].map(([sourcePort, { client, ...others }]) => ({
      sourcePort,
      others,
      client: { ...client, port: client.port.index },
    }));
    return { waiting, cache: this.#cache.freeze() };
  }

  thaw(held: unknown): void {
    const { waiting, cache } = held as ReturnType<Dns["freeze"]>;
    this.#cache.thaw(cache);
    for (const { sourcePort, others, client } of waiting) {
      const port = this.#world.core.tables.ports[client.port]!;
      const each: Waiting = { ...others, client: { ...client, port } as Client };
      this.#waiting.set(sourcePort, each);
      each.timer?.resume?.(() => this.#askNext(sourcePort, each));
    }
  }

  cached(): CachedAnswer[] {
    return this.#cache.list(this.#nowUs);
  }

  clear(): void {
    this.#cache.clear();
  }

  receive4(datagram: Datagram4): boolean {
    return this.#receive(datagram);
  }

  receive6(datagram: Datagram6): boolean {
    return this.#receive(datagram);
  }

  get #spec(): DnsSpec {
    return this.#world.core.running.dns!;
  }

  get #nowUs(): number {
    return this.#world.core.world.nowUs;
  }

  #receive(datagram: Client): boolean {
    const { udp, toAll } = datagram;
    const waiting = udp.sourcePort === DNS_PORT ? this.#waiting.get(udp.targetPort) : undefined;
    if (toAll || (waiting === undefined && udp.targetPort !== DNS_PORT)) return false;
    if (waiting !== undefined) this.#takeAnswer(datagram, waiting);
    else this.#takeQuery(datagram);
    return true;
  }

  /** Responses are not answered, so that two servers do not answer each other for ever. */
  #takeQuery(client: Client): void {
    const query = readDnsQuery(client.udp.data);
    if (query === null || (query.flags & FLAG_RESPONSE) !== 0) {
      this.#world.core.drop("malformed");
      return;
    }
    const { question } = query;
    if (query.opcode !== 0) this.#reply(client, query, RCODE_NOT_IMPLEMENTED);
    else if (question === undefined) this.#reply(client, query, RCODE_FORMAT_ERROR);
    else if (question.class !== DNS_CLASS_INTERNET) this.#reply(client, query, RCODE_REFUSED);
    else this.#resolve(client, query, question);
  }

  #resolve(client: Client, query: DnsQuery, question: ServerQuestion): void {
    const local = findLocal(this.#spec, question.name, question.type);
    const aliases = local?.answers ?? [];
    const wanted = local?.elsewhere === undefined ? question : questionFor(local.elsewhere, question.type);
    if (local !== undefined && local.elsewhere === undefined) {
      this.#reply(client, query, local.rcode, aliases, FLAG_AUTHORITATIVE);
      return;
    }
    const cached = this.#cache.find(wanted, this.#nowUs);
    if (cached !== undefined) this.#reply(client, query, cached.rcode, [...aliases, ...cached.answers]);
    else if (this.#mayForward(query)) this.#forward(client, query, wanted, aliases);
    // The client asks another server for the name that it has learned.
    else if (aliases.length > 0) this.#reply(client, query, RCODE_OK, aliases, FLAG_AUTHORITATIVE);
    else this.#reply(client, query, RCODE_REFUSED);
  }

  #mayForward({ flags }: DnsQuery): boolean {
    return (flags & FLAG_RECURSION_DESIRED) !== 0 && this.#spec.servers.length > 0;
  }

  #reply(
    client: Client,
    query: DnsQuery,
    rcode: number,
    answers: readonly StoredRecord[] = [],
    flags = 0,
  ): void {
    const available = this.#spec.servers.length > 0 ? FLAG_RECURSION_AVAILABLE : 0;
    this.#send(client, encodeReply(query, flags | available, rcode, answers));
  }

  #send({ header, udp, port }: Client, data: Uint8Array): void {
    const { source, target } = header;
    sendUdp(this.#world, source, { sourcePort: DNS_PORT, targetPort: udp.sourcePort, data }, target, port);
  }

  #forward(
    client: Client,
    query: DnsQuery,
    question: ServerQuestion,
    aliases: readonly StoredRecord[],
  ): void {
    const isRepeated = [...this.#waiting.values()].some(
      (each) => each.query.id === query.id && isSameClient(each.client, client),
    );
    if (isRepeated) return;
    if (this.#waiting.size >= MAX_WAITING) {
      this.#reply(client, query, RCODE_SERVER_FAILURE);
      return;
    }
    const { random } = this.#world.core.world;
    let sourcePort = FIRST_PORT + random.below(PORTS);
    while (this.#waiting.has(sourcePort)) sourcePort = FIRST_PORT + random.below(PORTS);
    // An id and a port that an attacker cannot guess (RFC 5452).
    const id = random.below(0x1_0000);
    const waiting: Waiting = { client, query, question, aliases, id, attempt: -1, timer: undefined };
    this.#waiting.set(sourcePort, waiting);
    this.#askNext(sourcePort, waiting);
  }

  /** Asks the next server; after the last one of the last round, the query fails. */
  #askNext(sourcePort: number, waiting: Waiting): void {
    waiting.timer?.cancel();
    const { servers } = this.#spec;
    waiting.attempt += 1;
    if (waiting.attempt >= servers.length * ROUNDS) {
      this.#waiting.delete(sourcePort);
      this.#reply(waiting.client, waiting.query, RCODE_SERVER_FAILURE);
      return;
    }
    const server = parseAnyAddress(servers[waiting.attempt % servers.length]!)!;
    const data = encodeForwarded(waiting.id, waiting.question);
    const problem = sendUdp(this.#world, server, { sourcePort, targetPort: DNS_PORT, data });
    if (problem !== undefined) this.#askNext(sourcePort, waiting);
    else waiting.timer = this.#world.core.world.after(WAIT_US, () => this.#askNext(sourcePort, waiting));
  }

  #takeAnswer({ header, udp }: Client, waiting: Waiting): void {
    const { client, query, question, aliases } = waiting;
    const response = readDnsResponse(udp.data);
    const { servers } = this.#spec;
    const isAsked = servers[waiting.attempt % servers.length] === formatAnyAddress(header.source);
    if (response === null || !isAsked || !isAnswerTo(response, waiting)) {
      this.#world.core.drop("malformed");
      return;
    }
    if (response.rcode !== RCODE_OK && response.rcode !== RCODE_NO_SUCH_NAME) {
      this.#askNext(udp.targetPort, waiting);
      return;
    }
    waiting.timer?.cancel();
    this.#waiting.delete(udp.targetPort);
    this.#cache.add(question, response, this.#nowUs);
    if (aliases.length === 0) this.#send(client, relayReply(query, udp.data));
    else {
      // The client asks for the name itself if the answer cannot be joined to the aliases.
      const { answers = [] } = response;
      this.#reply(client, query, response.rcode, [...aliases, ...(answers.some(isEscaped) ? [] : answers)]);
    }
  }
}

const isSameClient = (a: Client, b: Client): boolean =>
  a.header.source === b.header.source && a.udp.sourcePort === b.udp.sourcePort;

const isAnswerTo = ({ id, question }: DnsResponse, waiting: Waiting): boolean =>
  id === waiting.id &&
  question !== undefined &&
  question.type === waiting.question.type &&
  question.class === DNS_CLASS_INTERNET &&
  sameName(question.name, waiting.question.name);
