/**
 * `wirelab/lab.json`: the lab as a service of this project has exported it. It has what other programs refuse in `project.gns3`, and the states
 * of devices, so a lab is played as it is now: with what was typed at consoles since the nodes started.
 */

import { kindOf } from "@wirelab/engine/devices/find-kind";
import type { Properties } from "@wirelab/engine/devices/node-reader";
import { configurationText } from "@wirelab/engine/devices/pc/commands/configuration-text";
import type { PcState } from "@wirelab/engine/devices/pc/index";
import { pcFiles, STARTUP_FILE } from "@wirelab/engine/devices/pc/saved-files";
import { type DeviceSpec, READERS } from "@wirelab/engine/devices/readers";
import {
  parseRouterProperties,
  type RouterState,
  routerStateWhenOff,
} from "@wirelab/engine/devices/router/index";
import { formatRouterProperties } from "@wirelab/engine/devices/router/shell/config";
import { type Fields, fieldsOf, rowsOf } from "../file/fields.ts";

export interface CopiedNode {
  /** As the engine names it. */
  readonly type: string;
  readonly properties: Properties;
  readonly isOn: boolean;
  /** Of the device; undefined for a node that never ran. */
  readonly state: unknown;
}

export interface OwnCopy {
  readonly nodes: ReadonlyMap<string, CopiedNode>;
  /** The settings of links that have any. */
  readonly impairments: ReadonlyMap<string, unknown>;
}

const NONE: OwnCopy = { nodes: new Map(), impairments: new Map() };

/** @param bytes undefined for an archive of another program. @throws Error in words */
export function readOwnCopy(bytes: Uint8Array | undefined, file: string): OwnCopy {
  if (bytes === undefined) return NONE;
  let data: unknown;
  try {
    data = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Error(`${file}: wirelab/lab.json is not JSON`);
  }
  const { nodes, links } = fieldsOf(data);
  return {
    nodes: new Map(rowsOf(nodes).map((node) => [String(node.node_id), toCopied(node)])),
    impairments: new Map(
      rowsOf(links).flatMap(({ link_id, document }) => {
        const { settings } = fieldsOf(fieldsOf(document).impairments);
        return settings === undefined ? [] : [[String(link_id), settings] as const];
      }),
    ),
  };
}

function toCopied({ document, status, state }: Fields): CopiedNode {
  const { node_type, properties } = fieldsOf(document);
  return {
    type: String(node_type),
    properties: fieldsOf(properties),
    isOn: status === "started" || status === "suspended",
    state: fieldsOf(state).device,
  };
}

/** The properties that give the device the configuration that it has now: typed at its console, saved, or given to the node. */
export function propertiesNow({ type, properties, isOn, state }: CopiedNode, name: string): Properties {
  const kind = kindOf(type);
  if (kind === undefined || state === undefined) return properties;
  const read = READERS[kind.type](properties, { name, index: 0 });
  if (!read.ok) return properties;
  const now = configuredNow(read.spec, isOn, state);
  // The lines of a text would change the settings again.
  const { config: _, unsupported: _u, ...others } = properties;
  return Object.keys(now).length === 0 ? properties : { ...others, ...now };
}

function configuredNow(spec: DeviceSpec, isOn: boolean, state: unknown): Properties {
  if (spec.type === "router") {
    const now = state as RouterState;
    const config = isOn ? now.running : routerStateWhenOff(spec, now)?.running;
    const formatted = formatRouterProperties(config ?? spec);
    const isAsGiven = JSON.stringify(formatted) === JSON.stringify(formatRouterProperties(spec));
    return isAsGiven ? {} : { ...formatted, ports: formatted.ports?.map(withoutDefaults) };
  }
  if (spec.type !== "vpcs") return {};
  const now = state as PcState;
  const saved = pcFiles(spec, now)[STARTUP_FILE] ?? "";
  const script = isOn && !hasLines(saved, configurationText(now)) ? configurationText(now) : saved;
  return { startup_script: script };
}

/** A port as its owner would write it. */
function withoutDefaults(port: object): object {
  const plain = parseRouterProperties({ ports: [{}] });
  const defaults = new Set(
    plain.ok
      ? Object.entries(formatRouterProperties(plain.config).ports?.[0] ?? {}).map((each) =>
          JSON.stringify(each),
        )
      : [],
  );
  return Object.fromEntries(Object.entries(port).filter((each) => !defaults.has(JSON.stringify(each))));
}

/** Whether a script has all lines of a configuration: it may do more, such as a ping, which a configuration does not have. */
function hasLines(script: string, configuration: string): boolean {
  const own = new Set(script.split(/\r?\n/).map(inOneSpelling));
  const needed = configuration.split("\n").filter((line) => line !== "" && !line.startsWith("set pcname "));
  return needed.every((line) => own.has(inOneSpelling(line)));
}

const inOneSpelling = (line: string): string =>
  line
    .trim()
    .replace(/^ip dhcp$/, "dhcp")
    .replace(/^ip ([0-9.]+)\/([0-9]+)(?: ([0-9.]+))?$/, (_, address, length, gateway) =>
      ["ip", address, ...(gateway === undefined ? [] : [gateway]), length].join(" "),
    );
