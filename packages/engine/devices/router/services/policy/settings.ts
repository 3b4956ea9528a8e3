/** The maps of policy routing of `properties`. `policy-spec.ts` has the grammar of a rule. */

import { gatewayProblem } from "../../../../net/address/host-addresses.ts";
import { placesOf } from "../../../../net/plane/places.ts";
import type { Path, PropertyReader } from "../../../../settings/property-reader.ts";
import { readDraft, type SpecOf, schemaOfShape, withoutProblems } from "../../../../settings/shape.ts";
import { type Grammar, listRows, MAX_LISTS, readLists, readRules } from "../base/numbered-rules.ts";
import type { Ports } from "../base/port-kind.ts";
import type { ServiceSettings } from "../base/service-shape.ts";
import { parsePbrRule } from "./parse-pbr-rule.ts";
import { formatPbrRule, type PbrRule } from "./pbr-rule.ts";

/** The table of routes of interfaces that are in no VRF. */
export const DEFAULT_VRF = "default";

const SHAPE = listRows("map");
export type PbrMapSpec = SpecOf<typeof SHAPE>;

export const PBR_GRAMMAR: Grammar<PbrRule> = { parse: parsePbrRule, format: formatPbrRule };

/** Checks that the rule's next hops are on subnets of the router, and that its VRF has an interface. */
function checkWays({ action }: PbrRule, at: Path, interfaces: Ports, reader: PropertyReader): void {
  if (interfaces === null) return;
  for (const { via } of action.kind === "nexthop" ? action.hops : []) {
    const wrong = gatewayProblem(via, interfaces);
    if (wrong !== undefined) reader.add(at, wrong);
  }
  if (action.kind !== "vrf" || action.vrf === DEFAULT_VRF) return;
  if (!interfaces.some(({ vrf }) => vrf === action.vrf || vrf === null))
    reader.add(at, `no interface is in the VRF ${action.vrf}`);
}

/** Checks that the maps of ports exist. */
function checkUses(ports: Ports, maps: readonly PbrMapSpec[], reader: PropertyReader): void {
  for (const { draft, path } of placesOf(ports ?? []))
    if (draft.pbr != null && !maps.some(({ name }) => name === draft.pbr))
      reader.add([...path, "pbr_policy"], `there is no PBR map ${draft.pbr}`);
}

export const PBR_MAPS: ServiceSettings<"pbrMaps", readonly PbrMapSpec[], PbrMapSpec[]> = {
  name: "pbrMaps",
  otherwise: [],
  omitsEmpty: true,
  read(reader, value, path, ports) {
    const maps = readLists(
      reader,
      value,
      path,
      "map",
      (each, at) => readDraft(reader, each, at, SHAPE, undefined),
      (given, at) =>
        readRules(reader, given, at, PBR_GRAMMAR, (rule, where) => checkWays(rule, where, ports, reader)),
    )?.map((map) => withoutProblems<typeof SHAPE>(map));
    if (maps !== undefined) checkUses(ports, maps, reader);
    return maps ?? null;
  },
  format: (maps) => maps.map((each) => ({ ...each })),
  print: (maps) => maps.flatMap(({ name, rules }) => rules.map((rule) => `pbr-map ${name} ${rule}`)),
  schema: () => ({
    description: "maps of policy routing",
    type: "array",
    items: schemaOfShape(SHAPE),
    maxItems: MAX_LISTS,
  }),
};

declare module "../base/config.ts" {
  interface ServicesConfig {
    readonly pbrMaps?: readonly PbrMapSpec[];
  }
  interface ServicesProperties {
    pbr_maps?: PbrMapSpec[];
  }
  interface PortProperties {
    pbr_policy?: string;
  }
}
