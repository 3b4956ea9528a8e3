/** The option `--fail`. */
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { type Failure, formatFailure } from "@wirelab/lab/sweep/failures";
import { CommandLineError } from "../command-line.ts";
import { DataError } from "../failure.ts";

/** @throws CommandLineError */
export function readFailure(text: string): string {
  if (/^(link|node):./.test(text)) return text;
  throw new CommandLineError(`--fail must be link:NAME or node:NAME, got ${JSON.stringify(text)}`);
}

/** @throws DataError for what the lab does not have. */
export function findFailure(model: LabModel, text: string): Failure {
  const [known] = [
    ...model.links.map(({ name }): Failure => ({ kind: "link", name })),
    ...model.nodes.map(({ name }): Failure => ({ kind: "node", name })),
  ].filter((failure) => formatFailure(failure) === text);
  if (known) return known;
  const [kind, ...rest] = text.split(":");
  const names = (kind === "link" ? model.links : model.nodes).map(({ name }) => name).join(", ");
  throw new DataError(
    `--fail ${text}: the lab has no ${kind} ${JSON.stringify(rest.join(":"))}; it has ${names}`,
  );
}
