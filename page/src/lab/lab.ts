/** What the page knows of one lab: read once, then kept current by events, so all who have the lab open see the same. */
import { batch, signal } from "@preact/signals";
import { call } from "../api/call.ts";
import { follow, type ServiceEvent } from "../api/events.ts";
import type {
  Drawing,
  Impairments,
  Link,
  LinkCounters,
  LinkImpairments,
  Node,
  Project,
} from "../api/types.ts";
import { report } from "../ui/notices.tsx";
import { makeHistory } from "./history.ts";
import { OWN_EVENT_MS, OwnChanges } from "./own-changes.ts";
import { readTemplates } from "./templates.ts";
import { type LinkTraffic, moved } from "./traffic.ts";

type ById<T> = ReadonlyMap<string, T>;

const without = <T>(map: ById<T>, id: string): ById<T> => {
  const copy = new Map(map);
  copy.delete(id);
  return copy;
};

/** Returns what was read, with what events have changed while it was read. */
function withNewer<T>(found: Map<string, T>, before: ById<T>, now: ById<T>): ById<T> {
  for (const [id, value] of now) if (before.get(id) !== value) found.set(id, value);
  return found;
}

export type Lab = Awaited<ReturnType<typeof openLab>>;

/**
 * Reads a lab and follows its events.
 * @throws ApiProblem if the lab does not exist, or the service cannot be reached.
 */
export async function openLab(projectId: string) {
  const path = `/projects/${projectId}`;
  /** Has a value before the lab is returned. */
  const project = signal(undefined as unknown as Project);
  const nodes = signal<ById<Node>>(new Map());
  const links = signal<ById<Link>>(new Map());
  const drawings = signal<ById<Drawing>>(new Map());
  /** By link id, as far as the page knows them. Read when the lab is shown, then kept current by events of their own, like the traffic. */
  const impairments = signal<ById<Impairments>>(new Map());
  const traffic = signal<ById<LinkTraffic>>(new Map());
  /** Whether the traffic of all links has been read: a link without any was made since. */
  let knowsTraffic = false;
  /** Ids of nodes, links and drawings. */
  const selection = signal<ReadonlySet<string>>(new Set());
  const isConnected = signal(true);
  const isDeleted = signal(false);
  /** Whether also the drawings have been read. */
  const isWhole = signal(false);
  const own = new OwnChanges();
  const noteOwn = (id: string, result: object) => {
    own.note(id, result, Date.now());
    setTimeout(() => {
      for (const show of own.overdue(Date.now())) show();
    }, OWN_EVENT_MS);
  };
  const ending = new AbortController();

  /** @param onParts called when devices and links are there, before the drawings are. */
  const read = async (onParts?: () => void) => {
    const drawn = call<Drawing[]>("GET", `${path}/drawings`);
    // If the others fail as well, their failure is reported.
    drawn.catch(() => {});
    const [allNodes, allLinks] = await Promise.all([
      call<Node[]>("GET", `${path}/nodes`),
      call<Link[]>("GET", `${path}/links`),
    ]);
    batch(() => {
      nodes.value = new Map(allNodes.map((node) => [node.node_id, node]));
      links.value = new Map(allLinks.map((link) => [link.link_id, link]));
    });
    onParts?.();
    drawings.value = new Map((await drawn).map((drawing) => [drawing.drawing_id, drawing]));
  };

  const putNode = (node: Node) => {
    nodes.value = new Map(nodes.value).set(node.node_id, node);
  };
  /** Shows a node of an event; at the place where this page has put it, if the event is older than that. */
  const putChangedNode = (node: Node) => {
    const { node_id: id, x, y } = node;
    const before = nodes.value.get(id);
    const place = () => {
      const present = nodes.peek().get(id);
      if (present !== undefined) putNode({ ...present, x, y });
    };
    const isLate = own.isLate(id, { x, y }, Date.now(), place) && before !== undefined;
    const shown = isLate ? { ...node, x: before.x, y: before.y } : node;
    // A move of many devices causes an event for each, and nothing has changed since the response.
    if (JSON.stringify(before) !== JSON.stringify(shown)) putNode(shown);
  };
  const putLink = (link: Link) => {
    links.value = new Map(links.value).set(link.link_id, link);
  };
  const putDrawing = (drawing: Drawing) => {
    // Events of a moved drawing have no `svg`.
    const before = drawings.value.get(drawing.drawing_id);
    drawings.value = new Map(drawings.value).set(drawing.drawing_id, { ...before, ...drawing });
  };
  /** Another link may get its id. */
  const forgetLink = (id: string) => {
    if (impairments.peek().has(id)) impairments.value = without(impairments.value, id);
    if (traffic.peek().has(id)) traffic.value = without(traffic.value, id);
  };
  const remove = (id: string) =>
    batch(() => {
      nodes.value = without(nodes.value, id);
      links.value = without(links.value, id);
      drawings.value = without(drawings.value, id);
      forgetLink(id);
      if (!selection.value.has(id)) return;
      selection.value = new Set([...selection.value].filter((each) => each !== id));
    });

  const noteImpairments = (linkId: string, settings: Impairments) => {
    const before = impairments.value.get(linkId) ?? {};
    if (JSON.stringify(before) === JSON.stringify(settings)) return;
    impairments.value = new Map(impairments.value).set(linkId, settings);
  };
  /** Notes the set of an event, unless the event is older than this page's own change. */
  const noteChangedImpairments = (linkId: string, settings: Impairments) => {
    const show = () => {
      if (links.peek().has(linkId)) noteImpairments(linkId, settings);
    };
    if (!own.isLate(impairmentsOf(linkId), asFields(settings), Date.now(), show)) show();
  };
  const noteCounters = (counted: readonly LinkCounters[]) => {
    const next = new Map(traffic.value);
    for (const counters of counted) {
      const { link_id: id } = counters;
      next.set(id, moved(next.get(id) ?? (knowsTraffic ? null : undefined), counters));
    }
    traffic.value = next;
  };

  /** Reads the impairments and the traffic of all links. Without them the page lacks marks and numbers, and nothing else: failures are not shown. */
  const readConditions = async () => {
    if (links.peek().size === 0) return;
    const [impairedBefore, carriedBefore] = [impairments.peek(), traffic.peek()];
    const ask = <T>(what: string) => call<T[]>("GET", `${path}/links/${what}`).catch(() => undefined);
    const [impaired, counted] = await Promise.all([
      ask<LinkImpairments>("impairments"),
      ask<LinkCounters>("counters"),
    ]);
    batch(() => {
      if (impaired !== undefined) {
        const found = new Map(impaired.map((each) => [each.link_id, each.impairments]));
        impairments.value = withNewer(found, impairedBefore, impairments.peek());
      }
      if (counted === undefined) return;
      const found = new Map(counted.map((counters) => [counters.link_id, { counters, recent: undefined }]));
      traffic.value = withNewer<LinkTraffic>(found, carriedBefore, traffic.peek());
      knowsTraffic = true;
    });
  };

  const apply = ({ action, event }: ServiceEvent) => {
    const [noun, verb] = action.split(".");
    if (action === "links.impairments")
      noteChangedImpairments(String(event.link_id), event.impairments as Impairments);
    else if (action === "links.counters") noteCounters(event.links as readonly LinkCounters[]);
    else if (verb === "deleted") {
      if (noun === "project") isDeleted.value = true;
      else remove(String(event[`${noun}_id`]));
    } else if (noun === "node") putChangedNode(event as unknown as Node);
    else if (noun === "link") putLink(event as unknown as Link);
    else if (noun === "drawing") {
      const drawing = event as unknown as Drawing;
      const show = () => {
        if (drawings.peek().has(drawing.drawing_id)) putDrawing(drawing);
      };
      if (!own.isLate(drawing.drawing_id, event, Date.now(), show)) putDrawing(drawing);
    } else if (noun === "project") project.value = event as unknown as Project;
    else if (noun === "snapshot") read().then(readConditions).catch(report);
  };

  let reading: Promise<void> | null = null;
  /** Events that arrive during a reading are applied after it: what was read may be older. */
  const readAnew = (onParts?: () => void) => {
    const next = (reading ?? Promise.resolve())
      .catch(() => {})
      .then(() => read(onParts))
      .finally(() => {
        if (reading === next) reading = null;
      });
    reading = next;
    return next;
  };
  /** Resolves when devices and links are there; the drawings follow. */
  const isShown = new Promise<void>((resolve, reject) => {
    let isRead = false;
    let hasParts = false;
    /** The events come first, so no change between the reading and the first event is missed. Without events, the lab is read all the same. */
    const readFirst = () => {
      if (isRead) return;
      isRead = true;
      readAnew(() => {
        hasParts = true;
        resolve();
      }).then(
        () => {
          isWhole.value = true;
        },
        (error) => (hasParts ? report(error) : reject(error)),
      );
    };
    follow(`${path}/notifications`, {
      signal: ending.signal,
      onEvent: (event) => {
        if (reading === null) apply(event);
        else
          reading.then(
            () => apply(event),
            () => apply(event),
          );
      },
      onGap: () => (isRead ? readAnew().then(readConditions, report) : readFirst()),
      onConnection: (isThere) => {
        isConnected.value = isThere;
        if (!isThere) readFirst();
      },
    }).then(readFirst, reject);
  });
  // Nothing here needs the response of another request, so none waits for one: together they take as long as the slowest.
  const templates = readTemplates();
  try {
    [project.value] = await Promise.all([openProject(path), isShown]);
  } catch (error) {
    ending.abort();
    throw error;
  }

  return {
    path,
    project,
    nodes,
    links,
    drawings,
    impairments,
    traffic,
    selection,
    isConnected,
    isDeleted,
    isWhole,
    templates,
    history: makeHistory(),
    read: () => read(),
    putNode,
    putLink,
    putDrawing,
    /** Shows the result of a change that this page made. */
    putOwnDrawing(drawing: Drawing): void {
      noteOwn(drawing.drawing_id, drawing);
      putDrawing(drawing);
    },
    /** Shows a node where this page has put it. */
    putOwnPlace(node: Node): void {
      const { node_id: id, x, y } = node;
      noteOwn(id, { x, y });
      const before = nodes.value.get(id);
      if (before?.x !== x || before.y !== y) putNode(node);
    },
    remove,
    /** Notes the set of a link, as the service has it. */
    noteImpairments,
    /** Notes the set that this page has stored. A change of nothing causes no event. */
    putOwnImpairments(linkId: string, settings: Impairments, before: Impairments): void {
      const fields = asFields(settings);
      if (fields.set !== asFields(before).set) noteOwn(impairmentsOf(linkId), fields);
      noteImpairments(linkId, settings);
    },
    readConditions,
    close: () => ending.abort(),
  };
}

const impairmentsOf = (linkId: string): string => `impairments of ${linkId}`;

/** A set as one value, in which the order of keys has no meaning. */
const asFields = (settings: Impairments): { readonly set: string } => ({
  set: JSON.stringify(sorted(settings)),
});

const sorted = (value: unknown): unknown =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .map(([key, each]) => [key, sorted(each)] as const)
          .toSorted(([one], [other]) => (one < other ? -1 : 1)),
      );

/** Most actions need an opened project. */
async function openProject(path: string): Promise<Project> {
  const project = await call<Project>("GET", path);
  if (project.status === "opened") return project;
  return call<Project>("POST", `${path}/open`, { body: {} });
}
