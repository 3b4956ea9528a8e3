/** Reads `run`: what happens at which lab time. */
import { checkShape, shown } from "../file/check-shape.ts";
import type { Path, Problems } from "../file/problem.ts";
import { type DeedKind, deedSchemas, eventSchema } from "../file/schema.ts";
import type { Deed, LabEvent, PowerName } from "../model/lab-model.ts";
import { parseDurationNs } from "../model/quantity.ts";
import type { Expressions } from "./expressions.ts";
import { type Names, nodeWithConsole, WITH_CONSOLE } from "./names.ts";
import { readFilters } from "./read-filters.ts";
import { readImpairments } from "./read-impairments.ts";
import { type LoadFile, readReplay } from "./read-replay.ts";

const DEEDS = Object.keys(deedSchemas) as DeedKind[];

interface EventContext {
  readonly names: Names;
  readonly load: LoadFile;
  readonly expressions: Expressions;
  readonly problems: Problems;
}

/** An entry without `at` happens at the time of the one before it. */
export function readEvents(data: readonly unknown[], context: EventContext): LabEvent[] {
  const { problems } = context;
  const events: LabEvent[] = [];
  const used = new Set<string>();
  let atNs = 0;
  for (const [index, value] of data.entries()) {
    const path = ["run", index];
    const given = checkShape(eventSchema, value, path, problems);
    if (given === undefined) continue;
    atNs = given.at === undefined ? atNs : (readTime(given.at, [...path, "at"], problems) ?? atNs);
    const kinds = DEEDS.filter((kind) => given[kind] !== undefined);
    if (kinds.length === 0) problems.add(path, `does nothing; add one of: ${DEEDS.join(", ")}.`);
    const deeds = kinds.flatMap((kind) => readDeeds(kind, given, path, context));
    const name = given.name ?? nameOf(given, kinds);
    if (given.name !== undefined && used.has(given.name)) {
      problems.add([...path, "name"], `is taken: ${shown(given.name)}.`);
    }
    used.add(name);
    events.push({ atNs, name, deeds, place: problems.placeOf(path) });
  }
  return events.toSorted((a, b) => a.atNs - b.atNs);
}

type EventData = NonNullable<ReturnType<typeof checkShape<typeof eventSchema>>>;

/** `down wan`, `stop r1`: how `after` refers to an entry without a name. */
function nameOf(given: EventData, kinds: readonly DeedKind[]): string {
  return kinds
    .map((kind) => {
      const value = given[kind];
      if (typeof value === "string") return `${kind} ${value}`;
      if (Array.isArray(value)) return `${kind} ${value.join(" ")}`;
      return `${kind} ${kind === "replay" ? given.replay!.file : Object.keys(value ?? {}).join(" ")}`;
    })
    .join(", ");
}

/** @returns undefined after it has reported the problem. */
export function readTime(value: string | number, path: Path, problems: Problems): number | undefined {
  const ns = parseDurationNs(value);
  if (ns !== undefined && ns >= 0) return ns;
  problems.add(path, `must be a lab time such as 1.5s, 20ms or 2m, got ${shown(value)}.`);
  return undefined;
}

const listOf = (value: string | readonly string[]): readonly string[] =>
  typeof value === "string" ? [value] : value;

function readDeeds(
  kind: DeedKind,
  given: EventData,
  base: Path,
  { names, load, expressions, problems }: EventContext,
): Deed[] {
  const path = [...base, kind];
  switch (kind) {
    case "console":
      return Object.entries(given.console!).flatMap(([name, commands]) => {
        const node = names.nodeOf(WITH_CONSOLE, nodeWithConsole(), name, [...path, name]);
        return node
          ? [{ kind, node: name, commands: listOf(commands).flatMap((text) => text.split("\n")) }]
          : [];
      });
    case "down":
    case "up":
      return listOf(given[kind]!).flatMap((text) => {
        const link = names.link(text, path);
        return link ? [{ kind: "link", link: link.name, isDown: kind === "down" }] : [];
      });
    case "filters":
      return Object.entries(given.filters!).flatMap(([text, data]) => {
        const link = names.link(text, [...path, text]);
        const filters = readFilters(data, [...path, text], expressions, problems);
        return link && filters ? [{ kind, link: link.name, filters }] : [];
      });
    case "impairments":
      return Object.entries(given.impairments!).flatMap(([text, data]): Deed[] => {
        const link = names.link(text, [...path, text]);
        const impairments =
          data === null ? null : readImpairments(data, [...path, text], expressions, problems);
        return link && impairments !== undefined ? [{ kind, link: link.name, impairments }] : [];
      });
    case "replay":
      return readReplay(given.replay!, path, names, load, problems);
    default:
      return listOf(given[kind]!).flatMap((name) =>
        names.node(name, path) ? [{ kind: "power", node: name, action: kind as PowerName }] : [],
      );
  }
}

/** The first of those that have a name. */
export function eventsByName(events: readonly LabEvent[]): ReadonlyMap<string, LabEvent> {
  return new Map(events.toReversed().map((event) => [event.name, event]));
}

/** Finds the event that `after` names. */
export function findEvent(
  events: ReadonlyMap<string, LabEvent>,
  name: string,
  path: Path,
  problems: Problems,
): LabEvent | undefined {
  const event = events.get(name);
  if (event === undefined)
    problems.add(path, `names no event of run: ${shown(name)}.`, { given: name, known: events.keys() });
  return event;
}
