/** Reads the variables of a template as containerlab does: by the rules of YAML 1.1. */
import { parseYaml } from "../../file/parse-yaml.ts";
import { LabFileError, type Path, Problems } from "../../file/problem.ts";
import { isFields, isList, parseFloatingPoint, parseInteger, type Value } from "../../template/values.ts";

/** @throws LabFileError */
export function readVariables(bytes: Uint8Array, file: string): Value {
  const { data, locate } = parseYaml(new TextDecoder().decode(bytes), file, { readScalar });
  const variables = data as Value;
  if (!isFields(variables))
    throw new LabFileError([{ path: [], message: "must be a map of variables.", place: undefined }], file);
  const problems = new Problems(locate, file);
  for (const [name, value] of Object.entries(variables)) refuseWords(value, [name], problems);
  problems.throwIfAny();
  return variables;
}

/** Containerlab reads such keys of inner maps as booleans, which no template finds by their names. */
function refuseWords(value: Value, path: Path, problems: Problems): void {
  if (isList(value))
    for (const [index, each] of value.entries()) refuseWords(each, [...path, index], problems);
  if (!isFields(value)) return;
  for (const [name, each] of Object.entries(value)) {
    if (WORDS.has(name))
      problems.add([...path, name], "is not the name of a variable for containerlab. Rename it.");
    refuseWords(each, [...path, name], problems);
  }
}

const WORDS = new Map<string, Value>([
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, undefined] as const),
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map(
    (word) => [word, true] as const,
  ),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map(
    (word) => [word, false] as const,
  ),
]);

/** @param isPlain whether the scalar has no quotes. */
function readScalar(text: string, isPlain: boolean): Value {
  if (!isPlain) return text;
  if (WORDS.has(text)) return WORDS.get(text);
  return parseInteger(text) ?? parseFloatingPoint(text) ?? text;
}
