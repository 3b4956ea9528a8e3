/** Failures of links and nodes: every combination of a sweep, and the lab that has one. */
import type { Deed, LabEvent, LabModel } from "../model/lab-model.ts";

export interface Failure {
  readonly kind: "link" | "node";
  readonly name: string;
}

/** How many links, or nodes, fail at once at most; absent: none. */
export interface SweepSettings {
  readonly links?: number | undefined;
  readonly nodes?: number | undefined;
}

/** `link:wan` */
export const formatFailure = ({ kind, name }: Failure): string => `${kind}:${name}`;

/** `no failure`, `link:wan`, `link:wan + link:lan` */
export const formatFailures = (failures: readonly Failure[]): string =>
  failures.length === 0 ? "no failure" : failures.map(formatFailure).join(" + ");

/** No failure, then each of the links, each pair of them, and so on, then the same of the nodes. */
export function combineFailures(
  { links, nodes }: Pick<LabModel, "links" | "nodes">,
  settings: SweepSettings,
): Failure[][] {
  const ofLinks = links.map(({ name }): Failure => ({ kind: "link", name }));
  const ofNodes = nodes.map(({ name }): Failure => ({ kind: "node", name }));
  return [[], ...upTo(settings.links ?? 0, ofLinks), ...upTo(settings.nodes ?? 0, ofNodes)];
}

const upTo = (size: number, items: readonly Failure[]): Failure[][] =>
  Array.from({ length: size }, (_, index) => choose(index + 1, items)).flat();

function choose<T>(size: number, items: readonly T[]): T[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, index) =>
    choose(size - 1, items.slice(index + 1)).map((rest) => [item, ...rest]),
  );
}

/**
 * Returns the lab in which links are down and nodes off from the timeline's start, after all nodes have booted. Events of the
 * timeline that would end a failure are left out.
 */
export function applyFailures(model: LabModel, failures: readonly Failure[]): LabModel {
  if (failures.length === 0) return model;
  const deeds = failures.map(toDeed);
  const failed = new Set(failures.map(formatFailure));
  const first: LabEvent = { atNs: 0, name: formatFailures(failures), deeds, place: undefined };
  const rest = model.events.map((event) => ({
    ...event,
    deeds: event.deeds.filter((deed) => !endsFailure(deed, failed)),
  }));
  return { ...model, events: [first, ...rest.filter((event) => event.deeds.length > 0)] };
}

const toDeed = ({ kind, name }: Failure): Deed =>
  kind === "link"
    ? { kind: "link", link: name, isDown: true }
    : { kind: "power", node: name, action: "stop" };

function endsFailure(deed: Deed, failed: ReadonlySet<string>): boolean {
  if (deed.kind === "link") return failed.has(`link:${deed.link}`);
  return deed.kind === "power" && failed.has(`node:${deed.node}`);
}
