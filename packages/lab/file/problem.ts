/** A problem of a lab file and its place. */
import type { Place } from "../model/place.ts";
import { suggest } from "./suggest.ts";

export type Path = readonly (string | number)[];

export interface Problem {
  readonly path: Path;
  readonly message: string;
  /** Undefined for a lab that is not in a file. */
  readonly place: Place | undefined;
}

/** The problems that are collected; reading ends with the next one. */
export const MOST_PROBLEMS = 50;

/** The file cannot be used: exit code 2 of the runner, 400 of the service. */
export class LabFileError extends Error {
  override readonly name = "LabFileError";
  readonly problems: readonly Problem[];

  /** @param isCut whether the file has more problems than these. */
  constructor(problems: readonly Problem[], file = "lab", isCut = false) {
    const lines = problems.map((problem) => describe(problem, file));
    super(
      [
        ...lines,
        ...(isCut ? [`${file}: has more problems; these are the first ${problems.length}.`] : []),
      ].join("\n"),
    );
    this.problems = problems;
  }
}

/** A remark with its place, as problems have it. */
export const describeAt = (
  path: Path,
  message: string,
  locate: (path: Path) => Place | undefined,
  file: string,
): string => describe({ path, message, place: locate(path) }, file);

/** `x.clab.yml:7:11` */
export const formatPlace = (file: string, place: Place | undefined): string =>
  place ? `${file}:${place.line}:${place.column}` : file;

const describe = ({ path, place, message }: Problem, file: string): string => {
  const where = formatPlace(file, place);
  return path.length === 0 ? `${where}: ${message}` : `${where}: ${formatPath(path)} ${message}`;
};

const SHOWN_KEY_CHARACTERS = 64;

/** `nodes.pc1.ip`, `expect[2].reach` */
export const formatPath = (path: Path): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    const shown = key.length > SHOWN_KEY_CHARACTERS ? `${key.slice(0, SHOWN_KEY_CHARACTERS)}...` : key;
    return text === "" ? shown : `${text}.${shown}`;
  }, "");

/** What a suggestion for a misspelt name is made from, if the problem is reported. */
export interface Hint {
  readonly given: string;
  readonly known: Iterable<string>;
}

/** Collects problems, so that a file is reported whole, up to `MOST_PROBLEMS`. */
export class Problems {
  readonly #locate: (path: Path) => Place | undefined;
  readonly #file: string | undefined;
  readonly #all: Problem[] = [];
  readonly #known = new Set<string>();
  /** Remarks that do not keep the file from being used, with their places. */
  readonly warnings: string[] = [];

  /** @param locate returns the place of a value in the file. */
  constructor(locate: (path: Path) => Place | undefined, file?: string) {
    this.#locate = locate;
    this.#file = file;
  }

  /**
   * Ignores a problem that is known: what several nodes share is read for each.
   * @throws LabFileError if the file has more than `MOST_PROBLEMS`.
   */
  add(path: Path, message: string, hint?: Hint): void {
    const key = JSON.stringify([path, message]);
    if (this.#known.has(key)) return;
    if (this.#all.length === MOST_PROBLEMS) throw new LabFileError(this.#all, this.#file, true);
    this.#known.add(key);
    const suggestion = hint === undefined ? "" : suggest(hint.given, hint.known);
    this.#all.push({ path, message: `${message}${suggestion}`, place: this.#locate(path) });
  }

  warn(path: Path, message: string): void {
    this.warnings.push(describeAt(path, message, this.#locate, this.#file ?? "lab"));
  }

  placeOf(path: Path): Place | undefined {
    return this.#locate(path);
  }

  get count(): number {
    return this.#all.length;
  }

  /** @throws LabFileError if there are any. */
  throwIfAny(): void {
    if (this.#all.length > 0) throw new LabFileError(this.#all, this.#file);
  }
}
