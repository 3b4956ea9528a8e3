/**
 * What the change of an item is to clients: one maker for each entity. A change that the routes do not show makes no event: counters,
 * clocks, turns, the wiring of nodes, the state of devices.
 */
import { isDeepStrictEqual } from "node:util";
import { toCompute } from "../shared/store/base/service.ts";
import { SERVICE_STREAM } from "../shared/store/events/event.ts";
import type { NewEvent } from "../shared/store/events/publish.ts";
import { toDrawing } from "../shared/store/lab/drawing.ts";
import { toLink } from "../shared/store/lab/link.ts";
import { ANY_HOST, type NodeItem, toNode } from "../shared/store/lab/node.ts";
import type { TemplateItem } from "../shared/store/template/template.ts";
import { counterEvents, impairmentEvents, largeRunEvents } from "./link-events.ts";
import { projectEvents, type SettingsOf } from "./project-events.ts";
import { restoredEvents } from "./restored.ts";
import type { Source } from "./sources.ts";

/** An event and the stream that carries it. */
export interface Announcement extends NewEvent {
  readonly stream: string;
}

// biome-ignore lint/suspicious/noExplicitAny: each entity has items of its own
type Maker<T = any> = (
  before: T | undefined,
  after: T | undefined,
  settingsOf: SettingsOf,
) => readonly Announcement[] | Promise<readonly Announcement[]>;

/** Makes `kind.created`, `kind.updated` and `kind.deleted` of a resource, as `view` shows it. */
const lifecycle =
  <T>(kind: string, view: (stored: T) => object, streamOf: (stored: T) => string) =>
  (before: T | undefined, after: T | undefined): readonly Announcement[] => {
    const [was, is] = [before && view(before), after && view(after)];
    if (isDeepStrictEqual(was, is)) return [];
    const change = was === undefined ? "created" : is === undefined ? "deleted" : "updated";
    return [{ stream: streamOf((after ?? before)!), action: `${kind}.${change}`, event: (is ?? was)! }];
  };

const inProject = ({ project_id }: { readonly project_id: string }): string => project_id;
const inService = (): string => SERVICE_STREAM;

const linkLifecycle = lifecycle("link", toLink, inProject);

const templateLifecycle = lifecycle("template", ({ document }: TemplateItem) => document, inService);

/** A built-in template is stored when it is changed first, so that is no creation. */
const templateEvents: Maker<TemplateItem> = (before, after) => {
  const events = templateLifecycle(before, after);
  const isFirstChange = before === undefined && after?.document.builtin;
  return isFirstChange ? events.map((event) => ({ ...event, action: "template.updated" })) : events;
};

export const MAKERS: Readonly<Record<Source, Maker>> = {
  project: async (before, after, settingsOf) => [
    ...(await projectEvents(before, after, settingsOf)),
    ...(await largeRunEvents(before, after)),
    ...restoredEvents(before, after),
  ],
  settings: () => [],
  node: lifecycle("node", (node: NodeItem) => toNode(node, ANY_HOST), inProject),
  link: (before, after) => [...linkLifecycle(before, after), ...impairmentEvents(before, after)],
  counters: counterEvents,
  drawing: lifecycle("drawing", toDrawing, inProject),
  compute: lifecycle("compute", toCompute, inService),
  template: templateEvents,
};
