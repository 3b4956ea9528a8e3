/** A problem of a lab file and its place. */
import type { Place } from "../model/place.ts";

export type Path = readonly (string | number)[];

export interface Problem {
  readonly path: Path;
  readonly message: string;
  /** Undefined for a lab that is not in a file. */
  readonly place: Place | undefined;
}

/** The file cannot be used: exit code 2 of the runner, 400 of the service. */
export class LabFileError extends Error {
  override readonly name = "LabFileError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], file = "lab") {
    super(problems.map((problem) => describe(problem, file)).join("\n"));
    this.problems = problems;
  }
}

const describe = ({ path, place, message }: Problem, file: string): string => {
  const where = place ? `${file}:${place.line}:${place.column}` : file;
  return path.length === 0 ? `${where}: ${message}` : `${where}: ${formatPath(path)} ${message}`;
};

/** `nodes.pc1.ip`, `expect[2].reach` */
export const formatPath = (path: Path): string =>
  path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : text === "" ? key : `${text}.${key}`),
    "",
  );

/** Collects problems, so that a file is reported whole. */
export class Problems {
  readonly #locate: (path: Path) => Place | undefined;
  readonly #all: Problem[] = [];

  /** @param locate returns the place of a value in the file. */
  constructor(locate: (path: Path) => Place | undefined) {
    this.#locate = locate;
  }

  /** Ignores a problem that is known: what several nodes share is read for each. */
  add(path: Path, message: string): void {
    const where = formatPath(path);
    if (this.#all.some((each) => each.message === message && formatPath(each.path) === where)) return;
    this.#all.push({ path, message, place: this.#locate(path) });
  }

  placeOf(path: Path): Place | undefined {
    return this.#locate(path);
  }

  get count(): number {
    return this.#all.length;
  }

  /** @throws LabFileError if there are any. */
  throwIfAny(file?: string): void {
    if (this.#all.length > 0) throw new LabFileError(this.#all, file);
  }
}
