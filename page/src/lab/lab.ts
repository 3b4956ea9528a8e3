/** What the page knows of one lab: read once, then kept current by events, so all who have the lab open see the same. */
import { batch, type Signal, signal } from "@preact/signals";
import { ApiProblem, call } from "../api/call.ts";
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
import { changedProperties } from "./changed-properties.ts";
import { type FieldKind, impairmentsKind, isGone, powerKind, testsKind } from "./field-kinds.ts";
import { makeHistory } from "./history.ts";
import { type Fields, isSame, OWN_EVENT_MS, OwnChanges } from "./own-changes.ts";
import { type FieldEdit, PartEdits } from "./part-edits.ts";
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

type PartKind = "node" | "link" | "drawing";
/** What changes of fields can change: field-kinds.ts. */
export type EditKind = PartKind | "impairments" | "power" | "tests";

/** More parts than these are read as one list. */
const FEW_PARTS = 3;

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
  /** The text of the lab's tests, as far as the page knows it. */
  const testsText = signal<string | undefined>(undefined);
  const isConnected = signal(true);
  const isDeleted = signal(false);
  /** Whether also the drawings have been read. */
  const isWhole = signal(false);
  const own = new OwnChanges();
  const noteOwn = (id: string, fields: Fields) => {
    own.note(id, fields, Date.now());
    setTimeout(() => {
      for (const show of own.overdue(Date.now())) show();
    }, OWN_EVENT_MS);
  };
  /** The parts of a kind, as the page shows them, and their edits. */
  const partsOf = <T extends object>(
    noun: "nodes" | "links" | "drawings",
    parts: Signal<ById<T>>,
    request?: (base: T, fields: Fields) => Fields,
  ) => {
    const show = (id: string, part: T) => {
      // A change of many parts causes an event for each, and nothing has changed since the response.
      if (!isSame(parts.peek().get(id), part)) parts.value = new Map(parts.peek()).set(id, part);
    };
    const edits = new PartEdits<T>({
      ...(request && { request }),
      async send(id, fields) {
        const stored = await call<T>("PUT", `${path}/${noun}/${id}`, { body: fields });
        const changed = Object.entries(stored).filter(([name]) => Object.hasOwn(fields, name));
        noteOwn(id, Object.fromEntries(changed));
        return stored;
      },
      show: (id, part) => {
        if (parts.peek().has(id)) show(id, part);
      },
      isAway: (error) => error instanceof ApiProblem && error.status === 0,
    });
    /** @param part as the service has it. */
    const put = (id: string, part: T) => show(id, edits.arrived(id, part));
    const idOf = (part: T): string => String((part as Fields)[`${noun.slice(0, -1)}_id`]);
    const readOne = (id: string): Promise<T | undefined> =>
      call<T>("GET", `${path}/${noun}/${id}`).catch((error: unknown) => {
        if (isGone(error)) return undefined;
        throw error;
      });
    return {
      edits,
      put,
      /** The part as the page shows it. */
      shown: (id: string): object | undefined => parts.peek().get(id),
      async refresh(ids: readonly string[]): Promise<void> {
        const few = ids.length <= FEW_PARTS;
        const list = few ? [] : await call<T[]>("GET", `${path}/${noun}`);
        const listed = new Map(list.map((part) => [idOf(part), part]));
        for (const id of ids) {
          const part = few ? await readOne(id) : listed.get(id);
          if (part === undefined) remove(id);
          else put(id, part);
        }
      },
      /** Shows an edit at once, and sends it: `PartEdits.edit`. */
      edit(id: string, edit: FieldEdit): Promise<void> {
        const part = parts.peek().get(id);
        return part === undefined ? Promise.resolve() : edits.edit(id, part, edit);
      },
      /** Shows what an event says, which may be older than this page's own changes. */
      putChanged(id: string, event: Partial<T>): void {
        const present = () => edits.withoutEdits(id, parts.peek().get(id));
        const late = () => {
          const part = present();
          if (part !== undefined) put(id, { ...part, ...event });
        };
        const newer = own.newerThan(id, event as Fields, Date.now(), late);
        put(id, { ...present(), ...event, ...newer } as T);
      },
      replaceAll(all: readonly (readonly [string, T])[]): void {
        parts.value = new Map(all.map(([id, part]) => [id, edits.arrived(id, part)]));
      },
    };
  };
  const kinds = {
    node: partsOf("nodes", nodes, changedProperties),
    link: partsOf("links", links),
    drawing: partsOf("drawings", drawings),
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
      kinds.node.replaceAll(allNodes.map((node) => [node.node_id, node]));
      kinds.link.replaceAll(allLinks.map((link) => [link.link_id, link]));
    });
    onParts?.();
    kinds.drawing.replaceAll((await drawn).map((drawing) => [drawing.drawing_id, drawing]));
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
      for (const { edits } of Object.values(kinds)) edits.forget(id);
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
    if (own.newerThan(impairmentsOf(linkId), { settings }, Date.now(), show) === undefined) show();
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
    } else if (noun === "node" || noun === "link" || noun === "drawing") {
      // Events of a moved drawing have no `svg`.
      kinds[noun].putChanged(String(event[`${noun}_id`]), event);
    } else if (noun === "project") project.value = event as unknown as Project;
    else if (noun === "snapshot") read().then(readConditions).catch(report);
  };

  const putOwnImpairments = (linkId: string, settings: Impairments, before: Impairments) => {
    if (!isSame(settings, before)) noteOwn(impairmentsOf(linkId), { settings });
    noteImpairments(linkId, settings);
  };
  const fieldKinds: Readonly<Record<EditKind, FieldKind>> = {
    ...kinds,
    impairments: impairmentsKind({
      ...{ path, impairments, note: noteImpairments, noteOwn: putOwnImpairments },
      hasLink: (id) => links.peek().has(id),
    }),
    power: powerKind({
      ...{ path, nodes, read: () => read(), refresh: kinds.node.refresh },
      put: (node) => kinds.node.put(node.node_id, node),
    }),
    tests: testsKind(path, testsText),
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
        if (!isThere) return readFirst();
        for (const { edits } of Object.values(kinds)) edits.resume();
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
    putNode: (node: Node) => kinds.node.put(node.node_id, node),
    putLink: (link: Link) => kinds.link.put(link.link_id, link),
    putDrawing: (drawing: Drawing) => kinds.drawing.put(drawing.drawing_id, drawing),
    testsText,
    shown: (kind: EditKind, id: string): object | undefined => fieldKinds[kind].shown(id),
    edit: (kind: EditKind, id: string, edit: FieldEdit): Promise<void> => fieldKinds[kind].edit(id, edit),
    /** Reads parts as the service has them now. */
    refresh: (kind: EditKind, ids: readonly string[]): Promise<void> => fieldKinds[kind].refresh(ids),
    remove,
    /** Notes the set of a link, as the service has it. */
    noteImpairments,
    /** Notes the set that this page has stored. A change of nothing causes no event. */
    putOwnImpairments,
    readConditions,
    close: () => ending.abort(),
  };
}

const impairmentsOf = (linkId: string): string => `impairments of ${linkId}`;

/** Most actions need an opened project. */
async function openProject(path: string): Promise<Project> {
  const project = await call<Project>("GET", path);
  if (project.status === "opened") return project;
  return call<Project>("POST", `${path}/open`, { body: {} });
}
