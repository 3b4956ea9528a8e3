/** Reads `expect`: each entry is a kind with its fields; `not` before the kind negates it. */
import { checkShape, shown } from "../file/check-shape.ts";
import type { Path, Problems } from "../file/problem.ts";
import { type ClaimKey, claimSchemas } from "../file/schema.ts";
import type { Expectation, Times } from "../model/expectation.ts";
import type { LabEvent } from "../model/lab-model.ts";
import type { ClaimContext, ClaimData } from "./claim-context.ts";
import { readClaim } from "./read-claim.ts";
import { eventsByName, findEvent, readTime } from "./read-events.ts";

const KINDS = Object.keys(claimSchemas) as ClaimKey[];
const NEGATION = /^(?:not|no) (.+)$/;
/** The spellings of an expectation's first key. */
const SPELLINGS = [
  ...KINDS,
  ...KINDS.filter((kind) => kind !== "never").map((kind) => `not ${kind}`),
  "no loop",
];

/** Kinds that look at what devices know: at the end of `within`. */
const AT_END_OF_WITHIN: ReadonlySet<ClaimKey> = new Set([
  "adjacency",
  "rib",
  "best",
  "route",
  "mac",
  "arp",
  "lease",
]);
/** Kinds that have until the end of `within`. */
const DURING_WITHIN: ReadonlySet<ClaimKey> = new Set(["reach", "seen", "never", "count", "console"]);

type ExpectationContext = Omit<ClaimContext, "path" | "times">;

export function readExpectations(
  data: readonly unknown[],
  events: readonly LabEvent[],
  context: ExpectationContext,
): Expectation[] {
  const { names, expansion, problems } = context;
  const named = eventsByName(events);
  const moments = new Set<number>();
  return data.flatMap((value, index) => {
    const path = ["expect", index];
    const entry = readEntry(value, path, problems);
    if (entry === undefined) return [];
    const { kind, isNegated, fields } = entry;
    const given = checkShape<(typeof claimSchemas)[ClaimKey]>(claimSchemas[kind], fields, path, problems);
    if (given === undefined) return [];
    const times = readTimes(kind, given, path, named, problems);
    if (times.atNs !== undefined && !moments.has(times.atNs)) {
      moments.add(times.atNs);
      expansion.take("states", names.nodes.size, path);
    }
    const claim = readClaim(kind, given as ClaimData, { ...context, path, times });
    if (claim === undefined) return [];
    return [
      {
        name: given.name ?? nameOf(entry),
        isNegated: isNegated !== (given.not ?? false),
        ...times,
        claim,
        place: problems.placeOf(path),
      },
    ];
  });
}

interface Entry {
  readonly kind: ClaimKey;
  readonly isNegated: boolean;
  /** With the kind as a key, not negated. */
  readonly fields: Readonly<Record<string, unknown>>;
}

function readEntry(value: unknown, path: Path, problems: Problems): Entry | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    problems.add(path, `must be a map that begins with a kind (reach: pc1 -> pc2), got ${shown(value)}.`);
    return undefined;
  }
  const keys = Object.keys(value);
  // `count` is also a field of `ping`; the first key that is a kind decides.
  for (const key of keys) {
    const plain = NEGATION.exec(key)?.[1] ?? key;
    if (!KINDS.includes(plain as ClaimKey) || (plain === "path" && plain !== key && !keys.includes(key)))
      continue;
    const fields = Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name === key ? plain : name, each]),
    );
    return { kind: plain as ClaimKey, isNegated: plain !== key, fields };
  }
  const first = keys[0] ?? "";
  problems.add([...path, first], "is not an expectation.", { given: first, known: SPELLINGS });
  return undefined;
}

function nameOf({ kind, isNegated, fields }: Entry): string {
  const { [kind]: subject, name: _name, not: _not, ...others } = fields;
  const text = typeof subject === "string" ? subject : kind === "loop" ? "" : JSON.stringify(subject);
  const more = Object.entries(others).map(
    ([key, value]) => `${key} ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const head = `${isNegated ? "not " : ""}${kind}${text === "" ? "" : `: ${text}`}`;
  return [head, ...more].join(", ");
}

interface TimeData {
  readonly at?: string | number | undefined;
  readonly after?: string | undefined;
  readonly within?: string | number | undefined;
}

function readTimes(
  kind: ClaimKey,
  given: TimeData,
  path: Path,
  events: ReadonlyMap<string, LabEvent>,
  problems: Problems,
): Times {
  const { at, after, within } = given;
  const atNs = at === undefined || at === "end" ? undefined : readTime(at, [...path, "at"], problems);
  const event = after === undefined ? undefined : findEvent(events, after, [...path, "after"], problems);
  if (at !== undefined && after !== undefined) problems.add([...path, "after"], "cannot stand beside `at`.");
  const isAtEnd = AT_END_OF_WITHIN.has(kind);
  if (within !== undefined && !isAtEnd && !DURING_WITHIN.has(kind))
    problems.add([...path, "within"], `is not for ${kind}: give the moment with \`at\`.`);
  const withinNs = within === undefined ? undefined : readTime(within, [...path, "within"], problems);
  const sinceNs = event?.atNs ?? atNs ?? 0;
  if (isAtEnd && withinNs !== undefined) return { atNs: sinceNs + withinNs, sinceNs, withinNs: undefined };
  return { atNs: event ? event.atNs : atNs, sinceNs, withinNs };
}
