/** The access lists in use: which rule decides about a packet, how often each did, and the log. */
import { formatAnyAddress } from "../../../../net/address/prefix.ts";
import { type Fields, NONE } from "../../../../net/packet/fields.ts";
import type { AclFamily, AclSpec } from "./acl-spec.ts";
import type { AclState } from "./firewall-state.ts";
import { matches } from "./match.ts";
import { parseRule } from "./parse-rule.ts";
import { type Action, type PacketState, protocolName, type Rule } from "./rule.ts";

/** The log keeps so many lines, the latest ones. */
export const MAX_LOG_LINES = 64;

interface List {
  readonly spec: AclSpec;
  readonly rules: readonly Rule[];
  readonly hits: number[];
}

/** Where a packet met a list. */
export interface Gate {
  readonly nowUs: number;
  readonly port: string;
  readonly direction: "in" | "out";
  /** Takes the line of a rule that logs, without its time. */
  readonly report?: ((line: string) => void) | undefined;
}

export class AccessLists {
  readonly #lists: ReadonlyMap<string, List>;
  readonly #log: string[];
  #logged: number;
  /** Whether a rule asks for the state of connections. */
  readonly needsStates: boolean;

  /** @param before the lists of the configuration before, or the saved ones: rules that did not change keep their counters. */
  constructor(
    acls: readonly AclSpec[],
    before?: { readonly acls: readonly AclSpec[]; readonly state: AclState },
  ) {
    this.#lists = new Map(acls.map((spec) => [spec.name, makeList(spec, before)]));
    this.#log = [...(before?.state.log ?? [])];
    this.#logged = before?.state.logged ?? 0;
    this.needsStates = [...this.#lists.values()].some(({ rules }) =>
      rules.some(({ states }) => states.length > 0),
    );
  }

  /** @param name of a list that exists. */
  decide(name: string, packet: Fields<number | bigint>, state: PacketState | undefined, gate: Gate): Action {
    const { spec, rules, hits } = this.#lists.get(name)!;
    let index = 0;
    while (index < rules.length && !matches(rules[index]!, packet, state)) index += 1;
    hits[index]! += 1;
    const rule = rules[index];
    if (rule?.log) this.#write(spec, rule, packet, gate);
    return rule?.action ?? "deny";
  }

  /** Each list with the number of packets by rule, and of those that no rule matched. */
  list(): readonly { readonly spec: AclSpec; readonly hits: readonly number[] }[] {
    return [...this.#lists.values()];
  }

  get log(): readonly string[] {
    return this.#log;
  }

  get logged(): number {
    return this.#logged;
  }

  clearCounters(): void {
    for (const { hits } of this.#lists.values()) hits.fill(0);
  }

  clearLog(): void {
    this.#log.length = 0;
    this.#logged = 0;
  }

  saveState(): AclState {
    const hits = [...this.#lists.values()].map((list) => [list.spec.name, [...list.hits]] as const);
    return { hits: Object.fromEntries(hits), log: [...this.#log], logged: this.#logged };
  }

  #write(spec: AclSpec, rule: Rule, packet: Fields<number | bigint>, gate: Gate): void {
    this.#logged += 1;
    const { nowUs, direction, port } = gate;
    const at = formatTimeOfDay(nowUs);
    const verb = rule.action === "permit" ? "permitted" : "denied";
    const line = `list ${spec.name} rule ${rule.number} ${verb} ${direction} ${port}: ${describe(spec.family, packet)}`;
    this.#log.push(`${at} ${line}`);
    if (this.#log.length > MAX_LOG_LINES) this.#log.shift();
    gate.report?.(line);
  }
}

/** The time of the day, UTC: `09:30:00.000125`. */
function formatTimeOfDay(nowUs: number): string {
  const seconds = Math.floor(nowUs / 1_000_000) % 86_400;
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const clock = parts.map((part) => String(part).padStart(2, "0")).join(":");
  return `${clock}.${String(nowUs % 1_000_000).padStart(6, "0")}`;
}

function makeList(
  spec: AclSpec,
  before: { readonly acls: readonly AclSpec[]; readonly state: AclState } | undefined,
): List {
  const rules = spec.rules.map((text) => parseRule(spec.family, text, 0) as Rule);
  const known = before?.acls.find(({ name, family }) => name === spec.name && family === spec.family);
  const counts = before?.state.hits[spec.name];
  const countOf = (text: string): number => counts?.[known?.rules.indexOf(text) ?? -1] ?? 0;
  const unmatched = known && counts ? (counts[known.rules.length] ?? 0) : 0;
  return { spec, rules, hits: [...spec.rules.map(countOf), unmatched] };
}

function describe(family: AclFamily, packet: Fields<number | bigint>): string {
  const { protocol, source, target, sourcePort, targetPort, icmpType, icmpCode } = packet;
  const from = end(source, sourcePort);
  const to = end(target, targetPort);
  const icmp = icmpType === NONE ? "" : ` type ${icmpType} code ${icmpCode}`;
  return `${protocolName(family, protocol)} ${from} -> ${to}${icmp}`;
}

function end(address: number | bigint, port: number): string {
  const text = formatAnyAddress(address);
  if (port === NONE) return text;
  return typeof address === "number" ? `${text}:${port}` : `[${text}]:${port}`;
}
