/** Parses YAML 1.2 or JSON, with the place of each value, in a time that is linear in the length of the text. */
import { Composer, type Document, Lexer, LineCounter, Parser } from "yaml";
import type { Place } from "../model/place.ts";
import { LabFileError, type Path } from "./problem.ts";
import { type ScalarReader, YamlFault, YamlValues } from "./yaml-values.ts";

export interface ParsedYaml {
  readonly data: unknown;
  /** Returns the place of a key or value; for one that is missing, of the map or list that lacks it. */
  locate(path: Path): Place | undefined;
}

/** More than a lab of thousands of nodes has; a text of 256 KB could have 130,000. */
const MOST_VALUES = 100_000;

export interface YamlOptions {
  /** Reads scalars; absent, by the rules of YAML 1.2. */
  readonly readScalar?: ScalarReader;
  /** Returns where a place of the text comes from, if the text was made from another one. */
  sourceOf?(place: Place): Place;
}

/** @throws LabFileError for the first fault. */
export function parseYaml(
  text: string,
  file: string | undefined,
  { readScalar, sourceOf = (place) => place }: YamlOptions = {},
): ParsedYaml {
  const lines = new LineCounter();
  const toPlace = (offset: number): Place => {
    const { line, col: column } = lines.linePos(offset);
    return sourceOf({ line, column });
  };
  try {
    refuseTooMany(text);
    const values = new YamlValues(compose(text, lines), readScalar);
    return {
      data: values.data ?? {},
      locate(path) {
        const offset = values.offsetOf(path);
        return offset === undefined ? undefined : toPlace(offset);
      },
    };
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    throw new LabFileError([{ path: [], message: error.message, place: toPlace(error.offset) }], file);
  }
}

/** The first character of a token that begins a value: of a plain or block scalar, a quoted one, an alias, and a flow collection. */
const VALUE_STARTS = new Set(["\u001f", '"', "'", "*", "[", "{"]);

/** Counts before anything is built. */
function refuseTooMany(text: string): void {
  let count = 0;
  for (const token of new Lexer().lex(text)) if (VALUE_STARTS.has(token[0]!)) count += 1;
  if (count > MOST_VALUES)
    throw new YamlFault(
      0,
      `has ${count} values; the limit is ${MOST_VALUES}. Split the lab into several files.`,
    );
}

function compose(text: string, lines: LineCounter): Document.Parsed {
  // The library compares each key with all keys before it; YamlValues finds equal ones in a set.
  const composer = new Composer({ uniqueKeys: false });
  // The library has no option to end at the first error, and a text can have one for each character.
  Reflect.set(composer, "onError", failOnce());
  let document: Document.Parsed | undefined;
  for (const each of composer.compose(tokensOf(text, lines), true, text.length)) {
    if (document !== undefined)
      throw new YamlFault(each.range[0], "is not YAML of one document: another one begins here.");
    document = each;
  }
  if (document!.directives.yaml.version !== "1.2")
    throw new YamlFault(0, "is not YAML 1.2: remove the directive %YAML at its beginning.");
  return document!;
}

/** What the library calls the place of an error: an offset, a range, or a token. */
type ErrorSource = number | readonly [number, ...number[]] | { readonly offset: number };

/** Throws the first error, also when the library catches it and reports one of its own. */
function failOnce() {
  let first: YamlFault | undefined;
  return (source: ErrorSource, code: string, message: string, isWarning: boolean): void => {
    if (isWarning) return;
    // The library's message for a stack overflow is that of the engine of JavaScript.
    const what = code === "RESOURCE_EXHAUSTION" ? "is nested too deep here." : `is not YAML: ${message}`;
    first ??= new YamlFault(offsetOf(source), what);
    throw first;
  };
}

const offsetOf = (source: ErrorSource): number =>
  typeof source === "number" ? source : "offset" in source ? source.offset : source[0];

function* tokensOf(text: string, lines: LineCounter): ReturnType<Parser["parse"]> {
  for (const token of new Parser(lines.addNewLine).parse(text)) {
    if (token.type === "error") throw new YamlFault(token.offset, `is not YAML: ${token.message}`);
    yield token;
  }
}
