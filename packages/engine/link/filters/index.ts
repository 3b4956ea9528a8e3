/**
 * The filters of a link: settings, the filters themselves, and the chain that joins them.
 *
 * Guarantees: equal seeds and equal packets give equal results; chances are exact (an integer drawn without bias below 100);
 * a filter never writes into a packet's bytes; enabling one filter never changes what another does to a packet (see
 * chain.ts); a delay never limits the throughput.
 *
 * Filter types, parameters and bounds: docs/interface.md, sections 2.4 and 2.5.
 */

export {
  type ChainOptions,
  type ChainState,
  type Direction,
  FilterChain,
  type FilterCounts,
  makeFilterChain,
} from "./chain.ts";
export type { FilterType, LinkFilter, PacketPredicate, Passage } from "./link-filter.ts";
export {
  FILTER_DESCRIPTORS,
  type FilterDescriptor,
  type FilterProblem,
  type FilterSettings,
  type FilterSettingsResult,
  MAX_BPF_TEXT_CHARACTERS,
  parseFilterSettings,
  type SettableFilterType,
} from "./settings.ts";
