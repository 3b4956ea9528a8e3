/** Compiles a link's filters, from a client's or a stored object to what a link needs. */
import { compileFilter, type LinkType } from "../../bpf/index.ts";
import { type FilterSettingsResult, parseFilterSettings } from "./settings.ts";

/** @param linkType of the packets, which decides how a bpf expression reads them; default: Ethernet. */
export const compileFilters = (filters: unknown, linkType?: LinkType): FilterSettingsResult =>
  parseFilterSettings(filters, { compileBpf: (expression) => compileFilter(expression, linkType) });
