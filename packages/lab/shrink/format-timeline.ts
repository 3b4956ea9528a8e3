/** Writes a shrunk case as a lab file has it. */
import { Document, isMap, isSeq } from "yaml";
import type { PacketSelection } from "../model/expectation.ts";
import type { Deed, LabModel } from "../model/lab-model.ts";
import { formatDuration, parseDurationNs } from "../model/quantity.ts";
import type { Failure } from "../sweep/failures.ts";
import type { ShrunkCase } from "./shrink.ts";

/** Returns `seed`, `duration` and `run`, with the failures as its first entries, and the moment of the expectation. */
export function formatTimeline({ model, failures }: ShrunkCase, seed: string): string {
  const run = [
    ...failures.map((failure) => ({ at: "0s", ...failureFields(failure) })),
    ...model.events.flatMap(({ atNs, deeds }) =>
      deeds.map((deed) => ({ at: formatTime(atNs), ...deedFields(deed) })),
    ),
  ];
  const { durationNs } = model;
  const document = new Document({
    seed,
    ...(durationNs !== undefined && { duration: formatTime(durationNs) }),
    run,
  });
  const events = document.get("run");
  if (isSeq(events)) for (const event of events.items) if (isMap(event)) event.flow = true;
  return `${document.toString({ lineWidth: 0, flowCollectionPadding: false })}${momentOf(model)}`;
}

/** Times of the timeline may have moved, and the expectation's with them. */
function momentOf({ expectations: [expectation] }: LabModel): string {
  if (expectation === undefined) return "";
  const { name, atNs, claim } = expectation;
  const window = "packets" in claim ? windowOf(claim.packets) : "";
  return `# ${JSON.stringify(name)} is judged ${atNs === undefined ? "at the end" : `at ${formatTime(atNs)}`}${window}\n`;
}

const windowOf = ({ fromNs, untilNs }: PacketSelection): string =>
  `, on packets from ${formatTime(fromNs)} ${Number.isFinite(untilNs) ? `until ${formatTime(untilNs)}` : "on"}`;

const formatTime = (ns: number): string => {
  const text = formatDuration(ns);
  return parseDurationNs(text) === ns ? text : `${ns}ns`;
};

const failureFields = ({ kind, name }: Failure) => (kind === "link" ? { down: name } : { stop: name });

function deedFields(deed: Deed): Record<string, unknown> {
  switch (deed.kind) {
    case "console": {
      const [only, ...others] = deed.commands;
      return { console: { [deed.node]: others.length === 0 ? only : deed.commands } };
    }
    case "link":
      return { [deed.isDown ? "down" : "up"]: deed.link };
    case "filters": {
      const { settings } = deed.filters;
      return { filters: { [deed.link]: Object.keys(settings).length === 0 ? null : settings } };
    }
    case "impairments":
      return { impairments: { [deed.link]: deed.impairments?.settings ?? null } };
    case "power":
      return { [deed.action]: deed.node };
    case "replay":
      return { replay: { file: deed.file, from: deed.from.node, port: deed.from.port } };
  }
}
