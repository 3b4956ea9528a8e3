/** Executes a containerlab file as the template that it is: with its variables, `NAME_vars.yaml` beside `NAME.gotmpl`, and the templates in `clab_templates`. */
import { LabFileError } from "../../file/problem.ts";
import type { Place } from "../../model/place.ts";
import { Execution } from "../../template/execute.ts";
import { TemplateFault } from "../../template/fault.ts";
import { FUNCTIONS } from "../../template/functions.ts";
import { parseTemplate, type Templates } from "../../template/parse-template.ts";
import { isFields, type Value } from "../../template/values.ts";
import { WrittenText } from "../../template/written-text.ts";
import type { Surroundings } from "./surroundings.ts";
import { readVariables } from "./template-variables.ts";

export interface Rendered {
  readonly text: string;
  /** Returns the place in the template of a place in the text. */
  sourceOf(place: Place): Place;
}

export const isTemplate = (text: string): boolean => text.includes("{{");

const SUBTEMPLATES = "clab_templates";

/** @throws LabFileError with the place of the first fault. */
export function renderTemplate(text: string, file: string, surroundings: Surroundings): Rendered {
  if (!isTemplate(text)) return { text, sourceOf: (place) => place };
  const name = file.slice(file.lastIndexOf("/") + 1);
  const folder = file.slice(0, file.length - name.length);
  const start = `${name.replace(/\.[^.]*$/, "")}_vars.`;
  const variables = variablesOf(start, folder, surroundings);
  const written = new WrittenText();
  try {
    const templates = parseAll(text, name, file, folder, surroundings);
    new Execution(templates, FUNCTIONS, written, file, `${start}yaml`).run(name, variables);
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error;
    const { message, spot } = error;
    throw new LabFileError(
      [{ path: [], message: `the template ${message}`, place: spot }],
      spot?.file ?? file,
    );
  }
  return { text: written.text, sourceOf: (place) => written.sourceOf(place) };
}

function parseAll(
  text: string,
  name: string,
  file: string,
  folder: string,
  { list, load }: Surroundings,
): Templates {
  const templates = new Map();
  const isFunction = (each: string): boolean => Object.hasOwn(FUNCTIONS, each);
  parseTemplate(text, name, file, isFunction, templates);
  for (const each of list?.(`${folder}${SUBTEMPLATES}`) ?? [])
    if (each.endsWith(".gotmpl") && load !== undefined) {
      const path = `${folder}${SUBTEMPLATES}/${each}`;
      parseTemplate(new TextDecoder().decode(load(path)), each, path, isFunction, templates);
    }
  return templates;
}

/** Values of a later file replace the values of an earlier one. */
function variablesOf(start: string, folder: string, { list, load }: Surroundings): Value {
  const files = (list?.(folder) ?? []).filter(
    (each) => each.startsWith(start) && /\.(?:ya?ml|json)$/.test(each),
  );
  if (files.length === 0 || load === undefined) return undefined;
  const all = files.toSorted().map((each) => readVariables(load(`${folder}${each}`), `${folder}${each}`));
  return Object.fromEntries(all.flatMap((each) => (isFields(each) ? Object.entries(each) : [])));
}
