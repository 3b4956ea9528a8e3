/**
 * The state of a lab that its archive carries, where it is small and the lab's runs depend on it: addresses that switches have learned,
 * positions of filters, and the clock. An archive comes from a client, so its state is checked like a request.
 */

import { compileFilter } from "@wirelab/engine/bpf/index";
import { parseImpairments } from "@wirelab/engine/link/impairments/index";
import * as z from "zod/mini";
import type { LabCopy } from "../shared/lab-copy/lab-copy.ts";
import { LAB_TIME_END_US } from "../shared/schemas/lab-time.ts";
import type { LinkItem, StoredImpairments } from "../shared/store/lab/link.ts";
import type { NodeItem } from "../shared/store/lab/node.ts";
import { LAB_FILE } from "./names.ts";
import { refuseImport } from "./zip-reader.ts";

const count = z.int().check(z.minimum(0));
const word = z.int().check(z.minimum(0), z.maximum(0xffff_ffff));
const stream = z
  .tuple([word, word, word, word])
  .check(z.refine((words) => words.some((each) => each !== 0), "has no bit set"));

const MAC_MAX = 0xffff_ffff_ffff;
const VLAN_MAX = 4_094;
/** A switch learns no more. */
const MOST_MACS = 4_096;
const vlan = z.int().check(z.minimum(1), z.maximum(VLAN_MAX));
const mac = z.int().check(z.minimum(0), z.maximum(MAC_MAX));

/** Without the states of protocols, such as those of a spanning tree: an imported lab begins them anew. */
const switchState = z.strictObject({
  device: z.optional(
    z.object({ macs: z.array(z.tuple([vlan, mac, count, count])).check(z.maxLength(MOST_MACS)) }),
  ),
  random: z.optional(stream),
});

const position = z.exactOptional(z.strictObject({ stream }));
const chainState = z.exactOptional(
  z.strictObject({
    frequency_drop: z.exactOptional(z.strictObject({ packets: count })),
    packet_loss: position,
    corrupt: position,
    delay: position,
  }),
);
/** Without the positions of impairments, which are the release's own: an imported lab begins them anew. */
const filterState = z.object({ "a-to-b": chainState, "b-to-a": chainState });

const clock = count.check(z.maximum(LAB_TIME_END_US));

const storedImpairments = z.strictObject({ settings: z.record(z.string(), z.unknown()), since_us: clock });

/** The state by the ids of the archive's parts. */
export interface ImportedState {
  readonly switches: ReadonlyMap<string, NonNullable<NodeItem["state"]>>;
  readonly links: ReadonlyMap<string, NonNullable<LinkItem["state"]>>;
  readonly impairments: ReadonlyMap<string, StoredImpairments>;
  readonly clockUs: number | undefined;
}

/**
 * @param own the lab as this service has exported it; undefined for an archive of another program.
 * @throws ApiError `project.import-refused`
 */
export function stateIn(own: LabCopy | undefined): ImportedState {
  const switches = (own?.nodes ?? []).filter(({ document }) => document.node_type === "ethernet_switch");
  return {
    switches: statesOf(switches, "node", ({ node_id }) => node_id, switchState),
    links: statesOf(own?.links ?? [], "link", ({ link_id }) => link_id, filterState),
    impairments: impairmentsOf(own?.links ?? []),
    clockUs: own?.clock_us === undefined ? undefined : checked("clock_us", clock, own.clock_us),
  };
}

function statesOf<P extends { readonly state?: unknown }, T>(
  parts: readonly P[],
  kind: string,
  idOf: (part: P) => string,
  schema: z.ZodMiniType<T>,
): ReadonlyMap<string, T> {
  const withState = parts.filter(({ state }) => state !== undefined);
  return new Map(
    withState.map((part) => [idOf(part), checked(`${kind} ${idOf(part)}`, schema, part.state)] as const),
  );
}

function impairmentsOf(links: LabCopy["links"]): ReadonlyMap<string, StoredImpairments> {
  const impaired = links.filter(({ document }) => document.impairments !== undefined);
  return new Map(
    impaired.map(({ link_id, document }) => [link_id, checkedImpairments(link_id, document.impairments)]),
  );
}

function checkedImpairments(linkId: string, stored: unknown): StoredImpairments {
  const { settings, since_us } = checked(`link ${linkId}.impairments`, storedImpairments, stored);
  const parsed = parseImpairments(settings, { compileBpf: compileFilter });
  if (parsed.ok) return { settings, since_us };
  const [{ path, message }] = parsed.problems as [(typeof parsed.problems)[number]];
  throw refuseImport(`its ${LAB_FILE} is damaged: link ${linkId}.impairments.${path.join(".")}: ${message}`);
}

function checked<T>(what: string, schema: z.ZodMiniType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [{ path, message }] = result.error.issues as [z.core.$ZodIssue];
  throw refuseImport(`its ${LAB_FILE} is damaged: ${[what, ...path].join(".")}: ${message}`);
}
