/**
 * The pcap-filter compiler: libpcap 1.10's filter language, exactly, as pure TypeScript.
 *
 *     text -> lexer -> parser -> tree -> lower/ -> blocks -> optimize/ -> assemble -> BPF program -> generate -> predicate
 *
 * It promises that a predicate answers for every packet, whole or truncated, what `tcpdump -r` with the same expression
 * would, and that expressions libpcap refuses are refused; docs/pcap-filter.md lists the known exceptions. It keeps no state, and
 * a predicate neither keeps nor changes the packet it is given.
 *
 * Sources: pcap-filter(7) of libpcap 1.10; S. McCanne, V. Jacobson, "The BSD Packet Filter", USENIX Winter 1993.
 */
import { compilePacked } from "./compile.ts";
import { makePackedPredicate } from "./generate.ts";
import type { LinkType } from "./link-types.ts";
import type { PacketPredicate } from "./vm.ts";

/**
 * Makes a predicate over captured packets: `packet` holds the captured bytes from the link header on, `wireLength` is the
 * length the packet had on the wire (`len`). The empty expression matches everything. Throws FilterSyntaxError.
 */
export function compileFilter(expression: string, linkType: LinkType = "DLT_EN10MB"): PacketPredicate {
  return makePackedPredicate(compilePacked(expression, linkType));
}

export { type CompileOptions, compileProgram } from "./compile.ts";
export { type FilterErrorCode, FilterSyntaxError } from "./errors.ts";
export { explain } from "./explain.ts";
export type { BpfProgram, Instruction } from "./instructions.ts";
export { isLinkType, type LinkType } from "./link-types.ts";
export { formatProgram } from "./listing.ts";
export { interpret, type PacketPredicate } from "./vm.ts";
