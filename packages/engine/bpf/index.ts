/**
 * The pcap-filter compiler: exactly libpcap 1.10's filter language, in pure TypeScript.
 *
 *     text -> lexer -> parser -> tree -> lower/ -> blocks -> optimize/ -> assemble -> BPF program -> generate -> predicate
 *
 * A predicate returns, for every packet, whole or truncated, the verdict of `tcpdump -r` with the same expression. The compiler
 * rejects every expression that libpcap rejects. docs/pcap-filter.md lists the known exceptions. The compiler keeps no state; a
 * predicate neither keeps nor changes the packet.
 *
 * Sources: pcap-filter(7) of libpcap 1.10; S. McCanne, V. Jacobson, "The BSD Packet Filter", USENIX Winter 1993.
 */
import { compilePacked } from "./compile.ts";
import { makePackedPredicate } from "./generate.ts";
import type { LinkType } from "./link-types.ts";
import type { PacketPredicate } from "./vm.ts";

/**
 * Compiles a predicate over captured packets: `packet` holds the captured bytes, link header first; `wireLength` is the
 * length on the wire in bytes (`len`). The empty expression matches everything. Throws FilterSyntaxError.
 */
export function compileFilter(expression: string, linkType: LinkType = "DLT_EN10MB"): PacketPredicate {
  const predicate = makePackedPredicate(compilePacked(expression, linkType));
  SOURCES.set(predicate, { expression, linkType });
  return predicate;
}

const SOURCES = new WeakMap<PacketPredicate, { readonly expression: string; readonly linkType: LinkType }>();

/** Returns what `compileFilter` made a predicate of; undefined for other functions. */
export const sourceOf = (predicate: PacketPredicate) => SOURCES.get(predicate);

export { type CompileOptions, compileProgram } from "./compile.ts";
export { type FilterErrorCode, FilterSyntaxError } from "./errors.ts";
export { explain } from "./explain.ts";
export type { BpfProgram, Instruction } from "./instructions.ts";
export { isLinkType, type LinkType } from "./link-types.ts";
export { formatProgram } from "./listing.ts";
export { interpret, type PacketPredicate } from "./vm.ts";
