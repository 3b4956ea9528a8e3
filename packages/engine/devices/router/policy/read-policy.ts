/** Reads `pbr_maps`, and the maps that ports name, from a router's `properties`. */
import type { Path, PropertyReader } from "../../../settings/property-reader.ts";
import type { PortDraft } from "../property-drafts.ts";
import { gatewayProblem } from "../property-rules.ts";
import { parsePbrRule } from "./parse-pbr-rule.ts";
import { formatPbrRule, type PbrRule } from "./pbr-rule.ts";
import {
  MAX_PBR_MAPS,
  MAX_PBR_NUMBER,
  MAX_PBR_RULES,
  PBR_NUMBER_STEP,
  type PbrMapSpec,
  type PolicySpec,
} from "./policy-spec.ts";

const MAP_NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/i;
/** The table of routes of interfaces that are in no VRF. */
export const DEFAULT_VRF = "default";

/** @param ports null if the list is invalid. */
export function readPolicy(
  reader: PropertyReader,
  value: unknown,
  ports: readonly PortDraft[] | null,
  interfaces: readonly PortDraft[],
): PolicySpec {
  const given = value === undefined ? [] : reader.array(value, ["pbr_maps"], 0, MAX_PBR_MAPS);
  const all = ports && [...ports, ...interfaces];
  const maps = (given ?? []).map((map, index) => readMap(reader, map, ["pbr_maps", index], all));
  for (const [index, map] of maps.entries()) {
    const before = maps.findIndex((other) => other?.name === map?.name);
    if (map && before < index)
      reader.add(["pbr_maps", index, "name"], `${map.name} is also the name of map ${before}`);
  }
  const count = maps.reduce((sum, map) => sum + (map?.rules.length ?? 0), 0);
  if (count > MAX_PBR_RULES)
    reader.add(["pbr_maps"], `the maps have ${count} rules; ${MAX_PBR_RULES} are allowed`);
  const known = maps.filter((map) => map !== null);
  if (given !== null && known.length === maps.length) {
    checkUses(reader, "ports", ports ?? [], known);
    checkUses(reader, "interfaces", interfaces, known);
  }
  return known.length === 0 ? {} : { pbrMaps: known };
}

function readMap(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  interfaces: readonly PortDraft[] | null,
): PbrMapSpec | null {
  const map = reader.object(value, path, ["name", "rules"]);
  if (map === null) return null;
  const name = reader.parsed(
    map.name,
    [...path, "name"],
    (text) => (MAP_NAME.test(text) ? text : null),
    "a name of a map (letters, digits, . _ -)",
  );
  const given = reader.array(map.rules, [...path, "rules"], 1, MAX_PBR_RULES);
  if (name === null || given === null) return null;
  const rules: string[] = [];
  let last = 0;
  for (const [index, each] of given.entries()) {
    const at = [...path, "rules", index];
    const rule = readRule(reader, each, at, last);
    if (rule === null) continue;
    last = rule.number;
    rules.push(formatPbrRule(rule));
    checkWays(reader, rule, at, interfaces);
  }
  return { name, rules };
}

/** Numbers a rule that has no number, and checks that the numbers grow. */
function readRule(reader: PropertyReader, value: unknown, at: Path, last: number): PbrRule | null {
  const text = reader.text(value, at);
  const rule = text === null ? null : parsePbrRule(text, last + PBR_NUMBER_STEP);
  if (rule === null) return null;
  if (typeof rule === "string") return reader.add(at, rule);
  if (rule.number <= last) return reader.add(at, `rule ${rule.number} comes after rule ${last}`);
  return rule.number > MAX_PBR_NUMBER
    ? reader.add(at, `the rule needs a number up to ${MAX_PBR_NUMBER}`)
    : rule;
}

/** Checks that the rule's next hops are on subnets of the router, and that its VRF has an interface. */
function checkWays(
  reader: PropertyReader,
  { action }: PbrRule,
  at: Path,
  interfaces: readonly PortDraft[] | null,
): void {
  if (interfaces === null) return;
  const hops = action.kind === "nexthop" ? action.hops : [];
  for (const { via } of hops) {
    const wrong = gatewayProblem(
      via,
      interfaces.map((draft) => ({ draft })),
    );
    if (wrong !== undefined) reader.add(at, wrong);
  }
  if (action.kind !== "vrf" || action.vrf === DEFAULT_VRF) return;
  if (!interfaces.some(({ vrf }) => vrf === action.vrf || vrf === null))
    reader.add(at, `no interface is in the VRF ${action.vrf}`);
}

function checkUses(
  reader: PropertyReader,
  key: "ports" | "interfaces",
  ports: readonly PortDraft[],
  maps: readonly PbrMapSpec[],
): void {
  for (const [index, { pbr }] of ports.entries())
    if (pbr != null && !maps.some(({ name }) => name === pbr))
      reader.add([key, index, "pbr_policy"], `there is no PBR map ${pbr}`);
}
