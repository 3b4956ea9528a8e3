/**
 * Resolves names (RFC 1035) to the IPv4 address, else to the IPv6 address. Asks the servers of `ip dns`, then those of
 * `ip dns6`, and waits a second for each. The first answer decides.
 */
import {
  DNS_A,
  DNS_AAAA,
  DNS_CNAME,
  DNS_PORT,
  type DnsMessage,
  type DnsRecord,
  decodeDns,
  encodeDnsQuery,
  RCODE_NO_SUCH_NAME,
  RCODE_OK,
  sameName,
} from "../../../wire/dns.ts";
import type { Host, Script } from "../host.ts";
import { type Notes, nextTurn, once, sub, turnsOf } from "../notes.ts";
import { type Ask, askServer, dnsServers } from "./servers.ts";

/** A longer chain of aliases is treated as a loop. */
const ALIASES_MAX = 16;
const FIRST_PORT = 1024;
const PORTS = 65_000 - FIRST_PORT;

export interface ResolvedName {
  readonly ipv4?: number;
  readonly ipv6?: bigint;
  /** The name that has the address: the requested name with its domain, or the name that it is an alias of. */
  readonly canonical: string;
}

/** Returns undefined if the name cannot be resolved. Appends the PC's domain to a name without a dot. Prints nothing. */
export function* resolveName(host: Host, name: string, notes: Notes): Script<ResolvedName | undefined> {
  const fullName = once(notes, "name", () => withDomain(name, host.state.domain));
  if (fullName === undefined) return undefined;
  const port = once(notes, "port", () => FIRST_PORT + host.below(PORTS));
  const servers = once(notes, "servers", () => dnsServers(host));
  for (const turns = turnsOf(notes, "asked"); turns.number < servers.length; nextTurn(turns)) {
    const ask = askServer(host, servers[turns.number]!);
    const answer = yield* resolveWith(host, ask, port, fullName, turns.notes);
    if (answer !== "silent") return answer;
  }
  return undefined;
}

function withDomain(name: string, domain: string): string | undefined {
  const bare = name.replace(/\.$/, "");
  if (bare.includes(".")) return bare;
  return domain === "" ? undefined : `${bare}.${domain}`;
}

/** Asks one server. Returns `silent` if the server sent no usable answer; the caller then asks the next one. */
function* resolveWith(
  host: Host,
  ask: Ask,
  port: number,
  name: string,
  notes: Notes,
): Script<ResolvedName | undefined | "silent"> {
  for (const type of [DNS_A, DNS_AAAA]) {
    const reply = yield* sub(notes, `type ${type}`, (own) => exchange(host, ask, port, name, type, own));
    if (reply === undefined) return "silent";
    const found = findAddress(reply, name, type);
    if (found) return found;
  }
  return undefined;
}

function* exchange(
  host: Host,
  ask: Ask,
  port: number,
  name: string,
  type: number,
  notes: Notes,
): Script<DnsMessage | undefined> {
  const id = once(notes, "id", () => host.below(0x1_0000));
  const query = encodeDnsQuery(id, name, type);
  if (query === null) return undefined;
  const read = (data: Uint8Array): DnsMessage | undefined => {
    const message = decodeDns(data);
    return message && isReply(message, id, name, type) ? message : undefined;
  };
  return yield* ask({ sourcePort: port, targetPort: DNS_PORT, data: query }, read, notes);
}

/** Whether a message answers the query. A server failure does not: the server counts as silent. */
function isReply(message: DnsMessage, id: number, name: string, type: number): boolean {
  const [question] = message.questions;
  const isOurs = question === undefined || (question.type === type && sameName(question.name, name));
  const isAnswer = message.rcode === RCODE_OK || message.rcode === RCODE_NO_SUCH_NAME;
  return message.response && message.id === id && isOurs && isAnswer;
}

/** Follows the aliases in an answer to an address of the type. */
function findAddress({ answers }: DnsMessage, name: string, type: number): ResolvedName | undefined {
  let canonical = name;
  for (let aliases = 0; aliases < ALIASES_MAX; aliases++) {
    const named = answers.filter((record) => sameName(record.name, canonical));
    const address = named.find((record) => record.type === type);
    if (address) return resolved(address, canonical);
    const alias = named.find((record) => record.type === DNS_CNAME);
    if (alias?.type !== DNS_CNAME) return undefined;
    canonical = alias.canonical;
  }
  return undefined;
}

function resolved(record: DnsRecord, canonical: string): ResolvedName | undefined {
  switch (record.type) {
    case DNS_A:
      return { ipv4: record.address, canonical };
    case DNS_AAAA:
      return { ipv6: record.address, canonical };
    default:
      return undefined;
  }
}
