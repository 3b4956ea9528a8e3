/** The captures of a lab, and what a packet's way needs to know of its links. */

import type { Capture } from "../../../functions/shared/schemas/capture.ts";
import { call } from "../api/call.ts";
import type { Link, Node } from "../api/types.ts";
import type { Chosen } from "./session.ts";
import type { WayLink } from "./way.ts";

export interface LinkCaptures {
  readonly linkId: string;
  readonly name: string;
  /** The newest first; at least one. */
  readonly captures: readonly Capture[];
}

/** Requests that are under way at the same time. */
const PARALLEL = 6;

/** Returns the links that have captures, by name. @param path that of the project. */
export async function readCaptures(
  path: string,
  links: readonly Link[],
  nodes: ReadonlyMap<string, Node>,
): Promise<LinkCaptures[]> {
  const found: LinkCaptures[] = [];
  const left = links.values();
  const work = async (): Promise<void> => {
    for (const { link_id: linkId, nodes: ends } of left) {
      const captures = await call<Capture[]>("GET", `${path}/links/${linkId}/captures`);
      const name = ends.map(({ node_id }) => nodes.get(node_id)?.name ?? "?").join(" – ");
      if (captures.length > 0) found.push({ linkId, name, captures: captures.toReversed() });
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the newest capture of each of the links; of all links without ids. */
export const newestOf = (captured: readonly LinkCaptures[], linkIds?: readonly string[]): Chosen[] =>
  captured
    .filter(({ linkId }) => linkIds === undefined || linkIds.includes(linkId))
    .map(({ linkId, name, captures: [newest] }) => ({
      captureId: newest!.capture_id,
      linkId,
      name,
      linkType: newest!.data_link_type,
      isRunning: newest!.status !== "stopped",
    }));

/** @param chosen the captures that are shown. */
export const wayLinks = (
  links: readonly Link[],
  captured: readonly LinkCaptures[],
  chosen: readonly Chosen[],
): WayLink[] =>
  links.map(({ link_id, nodes: ends, suspend, filters }) => {
    const source = chosen.find(({ linkId }) => linkId === link_id);
    const captures = captured.find(({ linkId }) => linkId === link_id)?.captures ?? [];
    return {
      link_id,
      ends: [ends[0]!.node_id, ends[1]!.node_id],
      suspend,
      filters: filters as WayLink["filters"],
      isCaptured: source !== undefined,
      isTappedBefore: captures.find(({ capture_id }) => capture_id === source?.captureId)?.tap === "before",
    };
  });
