/** Reads a lab from data: the values of a YAML or JSON file, or an object of a test in TypeScript. */
import { DEFAULT_QUIET } from "@wirelab/engine/simulation/quiet";
import { checkShape, shown } from "../file/check-shape.ts";
import { type Path, Problems } from "../file/problem.ts";
import { labSchema } from "../file/schema.ts";
import type { LabModel } from "../model/lab-model.ts";
import type { Place } from "../model/place.ts";
import { Expansion } from "./expansion.ts";
import { Expressions } from "./expressions.ts";
import type { Guests } from "./guests.ts";
import { Names } from "./names.ts";
import { readEvents, readTime } from "./read-events.ts";
import { readExpectations } from "./read-expectations.ts";
import type { LookAt } from "./read-guest-files.ts";
import { countPorts, readLinkDrafts, readLinks } from "./read-links.ts";
import { readNodes } from "./read-nodes.ts";
import type { LoadFile } from "./read-replay.ts";

/** What a topology of another tool is converted to. */
export interface Topology {
  readonly nodes: Readonly<Record<string, unknown>>;
  readonly links: readonly unknown[];
  /** Hosts that are no simulated PCs: `reach: all` is for them as well. */
  readonly hosts?: readonly string[];
  /** Remarks with their places: what is read as it stands, and is probably not what was meant. */
  readonly warnings?: readonly string[];
  /** The lab's seed, if the file that names the topology has no seed. */
  readonly seed?: string;
}

export interface ReadOptions {
  /** Default name of the lab. */
  readonly name: string;
  /** Name of the file in messages. */
  readonly file?: string;
  readonly locate?: (path: Path) => Place | undefined;
  readonly load?: LoadFile;
  /** Without it, each path names a file. */
  readonly look?: LookAt;
  /** Without them, Linux nodes are refused. */
  readonly guests?: Guests;
  /** Converts the file that `topology` names. @throws Error in words. */
  readonly loadTopology?: (path: string) => Topology;
}

/** 2026-01-01T00:00:00Z: pinned, so that a lab without `clock` has the same bytes every day. */
const DEFAULT_START_US = 1_767_225_600_000_000;
const DEFAULT_SEED = "1";

const refuseFiles = (): never => {
  throw new Error("no files are available here");
};

/** @throws LabFileError with all problems. */
export function readLab(data: unknown, options: ReadOptions): LabModel {
  const problems = new Problems(options.locate ?? (() => undefined), options.file);
  const given = checkShape(labSchema, data, [], problems);
  if (given?.neighbours !== undefined && given.topology === undefined)
    problems.add(["neighbours"], "is for the routers of a `topology`: add it, or delete the key.");
  problems.throwIfAny();
  const { clock, seed = DEFAULT_SEED, limits = {}, duration, routing = {} } = given!;
  const topology = readTopology(given!, options, problems);
  const expansion = new Expansion();
  const expressions = new Expressions(expansion);
  expansion.take("nodes", Object.keys(topology.nodes).length, ["nodes"]);
  expansion.take("links", topology.links.length, ["links"]);
  expansion.take("events", given!.run?.length ?? 0, ["run"]);
  expansion.take("expectations", given!.expect?.length ?? 0, ["expect"]);
  expansion.report(problems);
  const drafts = readLinkDrafts(topology.links, problems);
  const nodes = readNodes(
    topology.nodes,
    {
      portsUsed: countPorts(drafts),
      guests: options.guests,
      load: options.load ?? refuseFiles,
      look: options.look,
      expansion,
    },
    problems,
  );
  expansion.report(problems);
  const links = readLinks(drafts, nodes, expressions, problems);
  const names = new Names(nodes, links, problems, topology.hosts);
  // Names of invalid nodes and links would be reported again in run and expect.
  problems.throwIfAny();
  const events = readEvents(given!.run ?? [], {
    names,
    load: options.load ?? refuseFiles,
    expressions,
    problems,
  });
  const expectations = readExpectations(given!.expect ?? [], events, {
    names,
    expansion,
    expressions,
    problems,
  });
  expansion.report(problems);
  const model: LabModel = {
    name: given!.name ?? options.name,
    seed: String(seed),
    startUs: clock === undefined ? DEFAULT_START_US : readClock(clock, problems),
    durationNs: duration === undefined ? undefined : readTime(duration, ["duration"], problems),
    nodes,
    links,
    events,
    expectations,
    warnings: [...(topology.warnings ?? []), ...problems.warnings],
    ...(given!.topology !== undefined && given!.neighbours !== false && { checksNeighbours: true }),
    limits: {
      ...(limits.events !== undefined && { events: limits.events }),
      ...(limits.packets !== undefined && { packets: limits.packets }),
      ...(limits.lab_seconds !== undefined && { labSeconds: limits.lab_seconds }),
    },
    quiet: readQuiet(routing, problems),
  };
  problems.throwIfAny();
  return model;
}

type Given = NonNullable<ReturnType<typeof checkShape<typeof labSchema>>>;

function readTopology({ topology, nodes, links }: Given, options: ReadOptions, problems: Problems): Topology {
  if (topology === undefined) {
    if (nodes === undefined) problems.add([], "has no nodes: add `nodes` or `topology`.");
    return { nodes: nodes ?? {}, links: links ?? [] };
  }
  try {
    const loaded = (options.loadTopology ?? refuseFiles)(topology);
    // The lab file may add nodes and links, and change nodes of the topology.
    return {
      nodes: { ...loaded.nodes, ...nodes },
      links: [...loaded.links, ...(links ?? [])],
      hosts: loaded.hosts ?? [],
      warnings: loaded.warnings ?? [],
      ...(loaded.seed !== undefined && { seed: loaded.seed }),
    };
  } catch (error) {
    problems.add(["topology"], `cannot be used: ${(error as Error).message}`);
    return { nodes: {}, links: [] };
  }
}

function readQuiet({ quiet, limit }: NonNullable<Given["routing"]>, problems: Problems): LabModel["quiet"] {
  const { quietNs, limitNs } = DEFAULT_QUIET;
  const read = (value: typeof quiet, key: string, usual: number): number =>
    value === undefined ? usual : (readTime(value, ["routing", key], problems) ?? usual);
  return { quietNs: read(quiet, "quiet", quietNs), limitNs: read(limit, "limit", limitNs) };
}

function readClock(clock: string | Date, problems: Problems): number {
  const ms = new Date(clock).getTime();
  if (Number.isNaN(ms))
    problems.add(["clock"], `must be a time such as 2026-01-01T00:00:00Z, got ${shown(clock)}.`);
  return ms * 1_000;
}
