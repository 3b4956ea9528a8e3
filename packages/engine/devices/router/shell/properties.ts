/** Parses a router's `properties`: its settings, and a configuration as a text that changes them. Every problem is reported. */
import { type Problem, PropertyReader } from "../../../settings/property-reader.ts";
import { readShape } from "../../../settings/shape.ts";
import type { PortProperties, RouterConfig, RouterProperties } from "../services/base/config.ts";
import { type ParsedSettings, parseSettings, SETTING_KEYS } from "./parse-settings.ts";
import { namePorts } from "./text/port-names.ts";
import { type LineRemark, readConfiguration } from "./text/read-configuration.ts";
import { TEXT, TEXT_KEYS } from "./text/settings.ts";

export type ParsedProperties =
  | {
      readonly ok: true;
      readonly config: RouterConfig;
      /** Lines of the configuration that are left out, with the reasons; absent if there are none. */
      readonly leftOut?: readonly string[];
    }
  | { readonly ok: false; readonly problems: Problem[] };

/** @param input JSON data; undefined and `{}` give the default router, with four ports without addresses. */
export function parseRouterProperties(input: unknown): ParsedProperties {
  const reader = new PropertyReader();
  const root = reader.object(input === undefined ? {} : input, [], [...SETTING_KEYS, ...TEXT_KEYS]);
  if (root === null) return { ok: false, problems: reader.problems };
  const { config, unsupported, ...settings } = root;
  const given = {
    ...(config !== undefined && { config }),
    ...(unsupported !== undefined && { unsupported }),
  };
  const text = readShape(reader, given, [], TEXT, undefined);
  const parsed =
    text?.config === undefined
      ? parseSettings(settings)
      : parseWithText(settings, text.config, text.unsupported === "warn");
  if (reader.problems.length === 0) return parsed;
  return { ok: false, problems: [...reader.problems, ...(parsed.ok ? [] : parsed.problems)] };
}

function parseWithText(
  given: Readonly<Record<string, unknown>>,
  text: string,
  isWarning: boolean,
): ParsedProperties {
  const ports = Array.isArray(given.ports) ? (given.ports as PortProperties[]) : undefined;
  const settings = { ...given, ports: namePorts(ports, text) };
  // Lines change what has the form of properties.
  const before =
    given.ports === undefined || ports !== undefined ? parseSettings(settings) : parseSettings(given);
  if (!before.ok) return before;
  const { properties, missing, wrong, lineOf } = readConfiguration(text, settings as RouterProperties);
  const parsed = parseSettings({ ...properties });
  const refused = [...(isWarning ? [] : missing), ...wrong];
  // What a wrong line would have set may be why other settings do not fit.
  const others = parsed.ok || wrong.length > 0 ? [] : placed(parsed, lineOf);
  if (refused.length > 0 || others.length > 0)
    return { ok: false, problems: [...inOrder(refused), ...others] };
  return parsed.ok && missing.length > 0 ? { ...parsed, leftOut: missing.map(wordsOf) } : parsed;
}

const MOST_REMARKS = 50;

const wordsOf = ({ line, message }: LineRemark): string => `line ${line}: ${message}`;

function inOrder(remarks: readonly LineRemark[]): Problem[] {
  const sorted = remarks.toSorted((one, other) => one.line - other.line).map(wordsOf);
  const cut = sorted.length > MOST_REMARKS ? [`${sorted.length - MOST_REMARKS} more lines are refused`] : [];
  return [...sorted.slice(0, MOST_REMARKS), ...cut].map((message) => ({ path: ["config"], message }));
}

/** Problems of values that lines have set are problems of these lines. */
const placed = (
  { problems }: Extract<ParsedSettings, { readonly ok: false }>,
  lineOf: (path: Problem["path"]) => number | undefined,
): Problem[] =>
  problems.map(({ path, message }) => {
    const line = lineOf(path);
    const named =
      message.startsWith("must ") || message.startsWith("is ") ? `${path.at(-1)} ${message}` : message;
    return line === undefined ? { path, message } : { path: ["config"], message: `line ${line}: ${named}` };
  });
