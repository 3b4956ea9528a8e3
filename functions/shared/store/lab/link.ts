/** Links and their running captures. */

import type { LinkState } from "@wirelab/engine/simulation/lab";
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { DeleteTransaction } from "dynamodb-toolbox/entity/actions/transactDelete";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { $add, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { boolean } from "dynamodb-toolbox/schema/boolean";
import { item } from "dynamodb-toolbox/schema/item";
import { map } from "dynamodb-toolbox/schema/map";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { failure } from "../../edge/errors.ts";
import { CAPTURE_TAPS } from "../../schemas/capture-file.ts";
import { dataLinkType } from "../../schemas/common.ts";
import type { Link } from "../../schemas/link.ts";
import { document, optionalDocument, storable } from "../base/document.ts";
import { projectKey, table } from "../base/table.ts";
import { holds, holdsAll, STALE, type Transaction } from "../base/transact.ts";
import { when } from "../base/when.ts";
import type { Usage } from "../limits/quota.ts";
import { addWhileOpened, discount } from "../project/project.ts";
import { captureUri } from "./capture-objects.ts";
import { begin, type Deed, ended, listed, noting, storedDoing, storedListing } from "./doing.ts";
import { freePorts, type NodeItem, portKey, takePort } from "./node.ts";
import { storedSegments } from "./segment.ts";

/** What a link does beyond the interface's five filters: docs/impairments.md. */
export interface StoredImpairments {
  /** As the client sent them; checked. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The lab's clock when they were set, microseconds since 1970: their schedule begins there. */
  readonly since_us: number;
}

export type LinkDocument = Pick<Link, "nodes" | "filters" | "link_style" | "suspend"> & {
  readonly impairments?: StoredImpairments | undefined;
};

/** One end of a link between nodes of registered computes: its own port, and where it sends. */
export interface TunnelEnd {
  readonly lport: number;
  readonly rhost: string;
  readonly rport: number;
}

/** The capture options that the request gave, under its names; absent options are not stored. */
export const storedOptions = map({
  bpf: string().optional(),
  max_packets: number().optional(),
  max_bytes: number().optional(),
  snaplen: number().optional(),
  tap: string()
    .enum(...CAPTURE_TAPS)
    .optional(),
});

/** The end of a link between nodes of registered computes that records a capture, and its compute. */
export interface CapturePlace {
  readonly node_id: string;
  readonly compute_id: string;
}

export const LinkEntity = new Entity({
  name: "link",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    link_id: string().key(),
    link_type: string().enum("ethernet", "serial"),
    document: document<LinkDocument>(),
    revision: number(),
    created_us: number(),
    /** Identifies the request that created the link, if that had an idempotency key: see api/idempotency.ts. */
    created_by: string().optional(),
    doing: storedDoing,
    listing: storedListing,
    /** The UDP ports between two nodes of registered computes, at each end. */
    tunnel: optionalDocument<readonly TunnelEnd[]>(),
    /** State of the filters, and the run that wrote it. */
    state: optionalDocument<LinkState>(),
    state_run: number().optional(),
    /** The running capture: the number of its segments and the recent ones, its packets, its bytes without the file header. */
    capture: map({
      capture_id: string(),
      file_name: string(),
      data_link_type: string().enum(...dataLinkType.options),
      started_at: string(),
      segments: number(),
      recent: storedSegments,
      packets: number(),
      bytes: number(),
      options: storedOptions.optional(),
      /** Where a compute records it; the counts are then 0, and there are no segments. */
      at: optionalDocument<CapturePlace>(),
      /** The capture has reached a limit: a packet was left out, or no packet can be added. */
      limit_reached: boolean().optional(),
      /** Virtual time of the end of the last run, nanoseconds since the epoch: the next run starts no earlier. */
      end_ns: string(),
    }).optional(),
  }),
  computeKey: ({ project_id, link_id }) => ({ pk: projectKey(project_id), sk: `LINK#${link_id}` }),
});

export type LinkItem = FormattedItem<typeof LinkEntity>;
export type RunningCapture = NonNullable<LinkItem["capture"]>;

export function toLink(stored: LinkItem): Link {
  const { project_id, link_id, link_type, document, capture } = stored;
  const { impairments: _ofTheirOwnRoute, ...shown } = document;
  return {
    ...shown,
    project_id,
    link_id,
    link_type,
    capturing: capture !== undefined,
    capture_file_name: capture?.file_name ?? null,
    capture_file_path: capture ? captureUri(project_id, capture.capture_id, capture.file_name) : null,
    capture_compute_id: capture ? (capture.at?.compute_id ?? "local") : null,
  };
}

/** Returns the impairments as they were sent; empty without any. */
export const toLinkImpairments = ({ link_id, document }: Pick<LinkItem, "link_id" | "document">) => ({
  link_id,
  impairments: document.impairments?.settings ?? {},
});

/** @throws ApiError `link.not-found` */
export function existingLink(stored: LinkItem | undefined, linkId: string): LinkItem {
  if (stored === undefined) throw failure("link.not-found", { link_id: linkId });
  return stored;
}

/**
 * Creates a link and takes its ports, all or nothing.
 * @param ends the nodes as they were read, in the order of the link's ends.
 * @returns false when a node or a port changed meanwhile, the link exists, or the project accepts no changes or no more links.
 */
export function createLink(link: LinkItem, ends: readonly NodeItem[]): Promise<boolean> {
  const sides = storable("link", link.document).nodes;
  const keys = sides.map((side) => portKey(side.adapter_number, side.port_number));
  const steps: Transaction[] = [
    addWhileOpened(link.project_id, { link_count: 1 }),
    LinkEntity.build(PutTransaction)
      .item({ ...link, ...listed(link.doing) })
      .options(when(LinkEntity, { link_id: undefined })),
  ];
  for (const [index, node] of ends.entries()) {
    const peer = 1 - index;
    const leadsTo = sides[peer] ? { peer_id: sides[peer].node_id, peer_port: keys[peer]! } : {};
    steps.push(takePort(node, keys[index]!, { link_id: link.link_id, ...leadsTo }));
  }
  return holdsAll(steps);
}

/** @returns STALE when another request changed the link meanwhile. */
export async function updateLink(before: LinkItem, after: LinkDocument): Promise<LinkItem | typeof STALE> {
  const { project_id, link_id } = before;
  const revision = before.revision + 1;
  const update = LinkEntity.build(UpdateItemCommand)
    .item({ project_id, link_id, document: storable("link", after), revision, ...ended })
    .options(when(LinkEntity, { revision: before.revision }));
  return (await holds(update)) ? { ...before, document: after, revision, doing: undefined } : STALE;
}

/** Removes the impairments, their positions and the packets that they hold. @returns like `updateLink`. */
export async function removeImpairments(before: LinkItem): Promise<LinkItem | typeof STALE> {
  const { project_id, link_id, state_run, revision } = before;
  const { impairments: _settings, ...document } = before.document;
  const { impairments: _positions, ...state } = before.state ?? {};
  const after = { document, ...(before.state && { state }) };
  const update = LinkEntity.build(UpdateItemCommand)
    .item({ project_id, link_id, ...after, revision: revision + 1, ...ended })
    .options(when(LinkEntity, { revision, state_run }));
  return (await holds(update)) ? { ...before, ...after, revision: revision + 1 } : STALE;
}

/** Notes what is being done with a link, as it was read, on its computes. @returns STALE when another request changed it. */
export async function beginLinkDeed(link: LinkItem, what: Deed): Promise<LinkItem | typeof STALE> {
  const { project_id, link_id } = link;
  const doing = begin(what);
  const revision = link.revision + 1;
  const update = LinkEntity.build(UpdateItemCommand)
    .item({ project_id, link_id, ...noting(doing), revision })
    .options(when(LinkEntity, { revision: link.revision }));
  return (await holds(update)) ? { ...link, doing, revision } : STALE;
}

/** Stores the outcome of a deed. @returns the link; STALE when another request has taken the deed over. */
export async function endLinkDeed(
  link: LinkItem,
  outcome: Partial<Pick<LinkItem, "tunnel" | "document">>,
): Promise<LinkItem | typeof STALE> {
  const { project_id, link_id, doing } = link;
  const update = LinkEntity.build(UpdateItemCommand)
    .item({ project_id, link_id, ...outcome, ...ended, revision: $add(1) })
    .options(when(LinkEntity, { "doing.id": doing?.id }, { attr: "link_id", exists: true }));
  if (!(await holds(update))) return STALE;
  return { ...link, ...outcome, doing: undefined, revision: link.revision + 1 };
}

/** Lets the next request take over what is being done with a link. */
export const pauseLinkDeed = ({ project_id, link_id, doing }: LinkItem): Promise<boolean> =>
  holds(
    LinkEntity.build(UpdateItemCommand)
      .item({ project_id, link_id, doing: { until_ms: 0 } })
      .options(when(LinkEntity, { "doing.id": doing?.id })),
  );

/** Returns a step that removes a link without a running capture. It succeeds if the link is gone. */
export const removeLink = (projectId: string, linkId: string): Transaction =>
  LinkEntity.build(DeleteTransaction)
    .key({ project_id: projectId, link_id: linkId })
    .options(when(LinkEntity, { capture: undefined }));

/** Returns a step that removes a link as it was read: the start of a capture changes its revision, and a run changes its segments. */
export const removeLinkAsRead = ({ project_id, link_id, revision, capture }: LinkItem): Transaction => {
  const still = capture
    ? { "capture.capture_id": capture.capture_id, "capture.segments": capture.segments }
    : { capture: undefined };
  return LinkEntity.build(DeleteTransaction)
    .key({ project_id, link_id })
    .options(when(LinkEntity, { revision, ...still }));
};

/**
 * Deletes a link as it was read, and its captures, and frees its ports.
 * @param captures the steps that remove its captures, and the usage of those captures.
 * @returns false when another request changed any of these meanwhile.
 */
export function deleteLink(
  link: LinkItem,
  captures: { readonly steps: readonly Transaction[]; readonly usage: Usage },
): Promise<boolean> {
  const { project_id, link_id } = link;
  return holdsAll([
    removeLinkAsRead(link),
    ...captures.steps,
    ...link.document.nodes.map((side) =>
      freePorts(
        project_id,
        side.node_id,
        new Map([[portKey(side.adapter_number, side.port_number), link_id]]),
      ),
    ),
    discount(project_id, { link_count: 1, ...captures.usage }),
  ]);
}
