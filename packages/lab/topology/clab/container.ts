/** A container as a containerlab file defines it: the fields of its layers merged, with their places. */

import { type Fields, fieldsOf } from "../../file/fields.ts";
import type { Path, Problems } from "../../file/problem.ts";
import type { Layer } from "../layer.ts";
import type { Command } from "../linux-exec.ts";
import { checkKeys, listAt } from "./check-keys.ts";
import { EXTRAS_KEYS, NODE_KEYS } from "./keys.ts";
import type { End } from "./links.ts";
import { shellWords } from "./shell-words.ts";

export interface Placed {
  readonly text: string;
  readonly path: Path;
}

export interface Container {
  readonly name: string;
  readonly path: Path;
  readonly kind: string;
  readonly image: string;
  /** The ends of its links. */
  readonly ends: readonly End[];
  /** Interfaces of the kernel's, of links of the type `dummy`. */
  readonly dummies: readonly End[];
  readonly binds: readonly Placed[];
  readonly sysctls: readonly Placed[];
  /** In their order: of the stages up to the links, of `exec`, of the other stages. */
  readonly commands: readonly Command[];
  /** `entrypoint` and `cmd`; undefined if the container only waits. */
  readonly main:
    | { readonly words: readonly string[]; readonly isEntry: boolean; readonly path: Path }
    | undefined;
  /** Who runs `main`, by name or number, with a group behind a colon; undefined for root. */
  readonly user: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly envFiles: readonly string[];
  /** Folders that begin empty. */
  readonly folders: readonly string[];
  readonly hostname: string | undefined;
  readonly hasManagement: boolean;
  readonly startupConfig: Placed | undefined;
  /** The daemons of kind `frr`; undefined for all. */
  readonly daemons: readonly string[] | undefined;
}

/** A node of the lab file, and the container that it stands for; a bridge is none. */
export interface Converted {
  readonly name: string;
  readonly node: object;
  readonly container: Container | undefined;
  /** Whether it is a host that runs as a Linux node and whose addresses are known. */
  readonly isHost: boolean;
}

/** The places that define a node, from the general to the special: defaults, kinds, groups, node. */
export function layersOf(name: string, topology: Fields): readonly Layer[] {
  const own = fieldsOf(fieldsOf(topology.nodes)[name]);
  const defaults = fieldsOf(topology.defaults);
  const group = String(own.group ?? defaults.group ?? "");
  const ofGroup = fieldsOf(fieldsOf(topology.groups)[group]);
  const kind = String(own.kind ?? ofGroup.kind ?? defaults.kind ?? "");
  return [
    { path: ["topology", "defaults"], fields: defaults },
    { path: ["topology", "kinds", kind], fields: fieldsOf(fieldsOf(topology.kinds)[kind]) },
    { path: ["topology", "groups", group], fields: ofGroup },
    { path: ["topology", "nodes", name], fields: own },
  ];
}

/** The value of the most special layer that has one. */
export const fieldOf = (layers: readonly Layer[], key: string): unknown =>
  layers.findLast(({ fields }) => fields[key] !== undefined && fields[key] !== null)?.fields[key];

const pathOf = (layers: readonly Layer[], key: string): Path => {
  const layer = layers.findLast(({ fields }) => fields[key] !== undefined && fields[key] !== null);
  return [...(layer?.path ?? []), key];
};

/** Commands that only keep a container alive. */
const IDLE =
  /^(?:(?:\/bin\/)?(?:ba|a)?sh|-c ["']?sleep infinity["']?|(?:sleep|tail)\b.*|(?:\/bin\/)?(?:ba|a)?sh -c ["']?(?:sleep|tail)\b[^;&|]*)$/;
/** What a guest has of its own. */
const OWN_DEVICES = /^\/dev\/(?:net\/tun|ppp|null|zero|u?random|fuse|kvm)(?::|$)/;
const STAGES_BEFORE = ["create", "create-links"];
const STAGES_AFTER = ["configure", "healthy", "exit"];

export function readContainer(
  name: string,
  kind: string,
  layers: readonly Layer[],
  { ends, dummies }: Pick<Container, "ends" | "dummies">,
  labName: string,
  problems: Problems,
): Container {
  const path = ["topology", "nodes", name];
  const expand = (text: string): string =>
    text
      .replaceAll("__clabNodeName__", name)
      .replaceAll("__clabLabName__", labName)
      .replaceAll("__clabNodeDir__", `${labName}/${name}`)
      .replaceAll("__clabDir__", labName);
  for (const { path: base, fields } of layers) {
    checkKeys(fields, base, NODE_KEYS, problems);
    checkKeys(fieldsOf(fields.extras), [...base, "extras"], EXTRAS_KEYS, problems);
  }
  const listOf = (key: string): Placed[] =>
    layers.flatMap(({ path: base, fields }) =>
      listAt(fields, key, base, problems).map((each, index) => ({
        text: expand(String(each)),
        path: [...base, key, index],
      })),
    );
  const mapOf = (key: string): Placed[] =>
    layers.flatMap(({ path: base, fields }) =>
      Object.entries(fieldsOf(fields[key])).map(([word, value]) => ({
        text: `${word}=${value ?? ""}`,
        path: [...base, key, word],
      })),
    );
  for (const { text, path: at } of listOf("devices"))
    if (!OWN_DEVICES.test(text))
      problems.add(at, `cannot be run here: ${JSON.stringify(text)} is a device of the host. Delete it.`);
  const mode = String(fieldOf(layers, "network-mode") ?? "");
  if (mode === "host" || mode.startsWith("container:"))
    problems.add(
      pathOf(layers, "network-mode"),
      `cannot be run here: the container shares the network of ${mode === "host" ? "the host" : mode.slice(10)}. Delete the key, and give the node links of its own.`,
    );
  const startup = fieldOf(layers, "startup-config");
  const words = ({ text, path: at }: Placed): Command[] => {
    const split = shellWords(text);
    if (split === undefined)
      problems.add(at, `is no command: a quote is not closed in ${JSON.stringify(text)}.`);
    return split === undefined || split.length === 0 ? [] : [{ words: split, path: at }];
  };
  return {
    name,
    path,
    kind,
    image: String(fieldOf(layers, "image") ?? ""),
    ends,
    dummies,
    binds: listOf("binds"),
    sysctls: mapOf("sysctls"),
    commands: [
      ...stageCommands(layers, STAGES_BEFORE, problems),
      ...listOf("exec"),
      ...stageCommands(layers, STAGES_AFTER, problems),
    ].flatMap((command) => words({ ...command, text: expand(command.text) })),
    main: mainOf(layers, problems),
    user: fieldOf(layers, "user") === undefined ? undefined : String(fieldOf(layers, "user")),
    env: Object.fromEntries(mapOf("env").map(({ text }) => splitAt(text, "="))),
    envFiles: listOf("env-files").map(({ text }) => text),
    folders: [
      ...listOf("volumes").map(({ text }) => text.split(":").at(text.includes(":") ? 1 : 0) ?? ""),
      ...layers.flatMap(({ fields }) => Object.keys(fieldsOf(fields.tmpfs))),
    ],
    hostname: fieldOf(layers, "hostname") === undefined ? undefined : String(fieldOf(layers, "hostname")),
    hasManagement: mode !== "none",
    startupConfig:
      startup === undefined
        ? undefined
        : { text: expand(String(startup)), path: pathOf(layers, "startup-config") },
    daemons: daemonsOf(layers, problems),
  };
}

const splitAt = (text: string, sign: string): [string, string] => {
  const at = text.indexOf(sign);
  return [text.slice(0, at), text.slice(at + 1)];
};

function mainOf(layers: readonly Layer[], problems: Problems): Container["main"] {
  const parts = ["entrypoint", "cmd"].flatMap((key) => {
    const value = fieldOf(layers, key);
    return value === undefined
      ? []
      : [{ key, text: Array.isArray(value) ? value.join(" ") : String(value).trim() }];
  });
  const whole = parts.map(({ text }) => text).join(" ");
  if (parts.length === 0 || IDLE.test(whole)) return undefined;
  const path = pathOf(layers, parts[0]!.key);
  const words = shellWords(whole);
  if (words === undefined)
    problems.add(path, `is no command: a quote is not closed in ${JSON.stringify(whole)}.`);
  return words && { words, isEntry: parts[0]!.key === "entrypoint", path };
}

/** `stages: {configure: {exec: {on-enter: [...]}}}`, or a list of maps with `command`. */
function stageCommands(layers: readonly Layer[], stages: readonly string[], problems: Problems): Placed[] {
  return stages.flatMap((stage) =>
    ["on-enter", "on-exit"].flatMap((phase) =>
      layers.flatMap(({ path: base, fields }) => {
        const { exec } = fieldsOf(fieldsOf(fields.stages)[stage]);
        const at = [...base, "stages", stage, "exec"];
        if (!Array.isArray(exec))
          return listAt(fieldsOf(exec), phase, at, problems).map((text, index) => ({
            text: String(text),
            path: [...at, phase, index],
          }));
        return exec.flatMap((each, index): Placed[] => {
          const { command, target = "container", phase: own } = fieldsOf(each);
          if (own !== phase) return [];
          if (target === "container") return [{ text: String(command), path: [...at, index] }];
          problems.add(
            [...at, index],
            `cannot be run here: ${JSON.stringify(command)} runs on the host. Delete it.`,
          );
          return [];
        });
      }),
    ),
  );
}

function daemonsOf(layers: readonly Layer[], problems: Problems): readonly string[] | undefined {
  const layer = layers.findLast(({ fields }) => fieldsOf(fields.extras).frr !== undefined);
  if (layer === undefined) return undefined;
  const path = [...layer.path, "extras", "frr"];
  const frr = fieldsOf(fieldsOf(layer.fields.extras).frr);
  checkKeys(frr, path, { daemons: { is: "done" } }, problems);
  return frr.daemons === undefined ? undefined : listAt(frr, "daemons", path, problems).map(String);
}
