/** The events of what is not part of the link object: the interface gives that its eleven fields. */
import { isDeepStrictEqual } from "node:util";
import type { NewEvent } from "../shared/store/events/publish.ts";
import { type LinkItem, toLinkImpairments } from "../shared/store/lab/link.ts";
import { toDirections, toLinkCounters } from "../shared/store/run/count-parts.ts";
import type { CountersItem } from "../shared/store/run/link-counters.ts";

/** Makes `links.impairments` when the impairments of a link change, or a link is made that has some. */
export function impairmentEvents(
  before: LinkItem | undefined,
  after: LinkItem | undefined,
): readonly (NewEvent & { stream: string })[] {
  if (after === undefined) return [];
  const { project_id } = after;
  const { impairments: was = {} } = before ? toLinkImpairments(before) : {};
  const is = toLinkImpairments(after);
  if (isDeepStrictEqual(was, is.impairments)) return [];
  return [{ stream: project_id, action: "links.impairments", event: { project_id, ...is } }];
}

/** Makes `links.counters` with the links whose counters moved. Counters of deleted links that go make no event. */
export function counterEvents(
  before: CountersItem | undefined,
  after: CountersItem | undefined,
): readonly (NewEvent & { stream: string })[] {
  const { project_id, links = {} } = after ?? {};
  const moved = Object.entries(links).filter(([id, counts]) => !isDeepStrictEqual(before?.links[id], counts));
  if (project_id === undefined || moved.length === 0) return [];
  const counters = moved.map(([id, counts]) => toLinkCounters(id, toDirections(counts)));
  return [{ stream: project_id, action: "links.counters", event: { project_id, links: counters } }];
}
