/** The events of what is not part of the link object: the interface gives that its eleven fields. */
import { isDeepStrictEqual } from "node:util";
import { toDirections, toLinkCounters } from "../shared/store/commit/count-parts.ts";
import { findStates } from "../shared/store/commit/lab-states.ts";
import type { CountersItem } from "../shared/store/commit/link-counters.ts";
import type { NewEvent } from "../shared/store/events/publish.ts";
import { type LinkItem, toLinkImpairments } from "../shared/store/lab/link.ts";
import type { ProjectItem } from "../shared/store/project/project.ts";

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

/** About as many as an item of counters has in such a lab. */
const LINKS_PER_EVENT = 25;

/** Makes `links.counters` of a large run, which stores all that it counts as one object. If the object is gone, so is the project. */
export async function largeRunEvents(
  before: ProjectItem | undefined,
  after: ProjectItem | undefined,
): Promise<readonly (NewEvent & { stream: string })[]> {
  if (after?.states === undefined || after.states === before?.states || after.deleting) return [];
  const { project_id, run = 0 } = after;
  const moved = (await findStates(after))?.countedBy(run) ?? [];
  return Array.from({ length: Math.ceil(moved.length / LINKS_PER_EVENT) }, (_, index) => {
    const own = moved.slice(index * LINKS_PER_EVENT, (index + 1) * LINKS_PER_EVENT);
    const links = own.map(({ link_id, counts: [a_to_b, b_to_a] }) =>
      toLinkCounters(link_id, { a_to_b, b_to_a }),
    );
    return { stream: project_id, action: "links.counters", event: { project_id, links } };
  });
}
