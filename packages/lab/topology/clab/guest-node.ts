/** Converts a container to a Linux node: its files, its interfaces by their names, and its commands, each run as containerlab runs it. */
import { linuxKind } from "@wirelab/engine/devices/linux/kind";
import type { Path, Problems } from "../../file/problem.ts";
import { type LinuxConfig, LinuxDraft } from "../linux-config.ts";
import { type Command, readExec } from "../linux-exec.ts";
import { natural } from "../natural-order.ts";
import { readBinds } from "./binds.ts";
import type { Container } from "./container.ts";
import { frrFiles } from "./frr-files.ts";
import { type HostScripts, netlabScripts } from "./netlab.ts";
import { quoteWord } from "./shell-words.ts";

/** Names of containers' images, paths and programs, and the images of Linux nodes that have their programs. */
const IMAGES = [
  {
    image: "frr",
    name: /(^|[/:_-])frr(outing)?([/:_-]|$)/i,
    path: /^\/etc\/frr\//,
    program: /\bvtysh\b|frrinit\.sh/,
  },
  { image: "bird", name: /(^|[/:_-])bird[23]?([/:_-]|$)/i, path: /^\/etc\/bird/, program: /\bbirdc?\b/ },
] as const;

/** @returns the image for the node; undefined for containers of other programs. */
export function guestImageOf({ kind, image, binds, commands }: Container): string | undefined {
  if (kind === "frr") return "frr";
  const targets = binds.map(({ text }) => text.split(":")[1] ?? "");
  const texts = commands.map(({ words }) => words.join(" "));
  return (
    IMAGES.find(({ name }) => name.test(image)) ??
    IMAGES.find(
      ({ path, program }) =>
        targets.some((target) => path.test(target)) || texts.some((text) => program.test(text)),
    )
  )?.image;
}

/** BIRD ends at once if its log is in a folder that is not there; containers have the folder, and guests do not. */
const FOLDER_OF_LOGS = { "/var/log/.keep": "" };

const MAX_PORTS = linuxKind.macs.perNode;
/** IFNAMSIZ of the kernel, without the end of the text. */
const LONGEST_NAME = 15;
const MANAGEMENT = "eth0";

export interface GuestContext {
  /** The folder of the topology, empty or with a slash at its end: `binds` begin there. */
  readonly folder: string;
  /** What netlab runs in the network of a host. */
  readonly scripts: HostScripts | undefined;
  /** The place of a value, in words: `x.clab.yml:7:11`. */
  readonly placeOf: (path: Path) => string;
}

export function toGuest(
  container: Container,
  image: string,
  { folder, scripts, placeOf }: GuestContext,
  problems: Problems,
): object {
  const { path, commands, sysctls, main, env, envFiles, folders, hostname } = container;
  const step = ({ words, path: at }: Command) => ({ run: words, place: placeOf(at) });
  const envFile = (index: number): string => `/run/env.${index}`;
  const lines = [
    ...Object.entries(env)
      .filter(([name]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      .map(([name, value]) => `export ${name}=${quoteWord(value)}`),
    ...envFiles.map(
      (_, index) =>
        `while IFS= read -r line; do case $line in [A-Za-z_]*=*) export "$line";; esac; done < ${envFile(index)}`,
    ),
    ...(folders.length > 0 ? [`mkdir -p ${folders.map(quoteWord).join(" ")}`] : []),
    ...interfaceLines(container),
  ];
  const steps = [
    ...(hostname === undefined ? [] : [{ words: ["hostname", hostname], path }]),
    ...sysctls.map(({ text, path: at }) => ({ words: ["sysctl", "-w", text], path: at })),
    ...withoutManagement(commands),
    ...netlabScripts(container),
    ...(scripts?.commands ?? []),
  ].map(step);
  const starts = main?.isEntry === true || (main !== undefined && !main.words[0]!.startsWith("-"));
  return {
    type: "linux",
    image,
    ...portsOf(container, problems),
    files: {
      ...(image === "bird" && FOLDER_OF_LOGS),
      ...(container.kind === "frr" && frrFiles(container, folder, problems)),
      ...readBinds(container, folder, problems),
      ...scripts?.files,
      ...Object.fromEntries(envFiles.map((file, index) => [envFile(index), { from: `${folder}${file}` }])),
    },
    ...addressesOf(container, scripts?.addresses),
    commands: lines,
    ...(starts && { main: step(main) }),
    exec: steps,
  };
}

function portsOf({ ends, hasManagement, path }: Container, problems: Problems): object {
  const names = ends.map(({ port }) => port).toSorted(natural);
  if (hasManagement && !names.includes(MANAGEMENT)) names.unshift(MANAGEMENT);
  for (const name of names)
    if (name.length > LONGEST_NAME || !/^[^\s/]+$/.test(name))
      problems.add(
        path,
        `cannot be run here: ${JSON.stringify(name)} is no name of an interface. Give it at most ${LONGEST_NAME} characters.`,
      );
  if (names.length > MAX_PORTS)
    problems.add(
      path,
      `cannot be run here: it has ${names.length} interfaces. A Linux node has up to ${MAX_PORTS}: make it two nodes.`,
    );
  const isPlain = names.every((name, index) => name === `eth${index}`);
  return { ports: Math.max(1, names.length), ...(!isPlain && { interfaces: names }) };
}

/** Those that commands give it which the converter can read: expectations find the node by them. */
function addressesOf(container: Container, more: readonly string[] = []): object {
  const addresses = [...[...configOf(container).addresses.values()].flat(), ...more];
  return addresses.length > 0 ? { addresses } : {};
}

/** What of a container's commands can be read. */
export function configOf({ ends, commands }: Container): LinuxConfig {
  const draft = new LinuxDraft(new Set(ends.map(({ port }) => port)));
  readExec(commands, draft);
  return draft;
}

const interfaceLines = ({ ends, dummies }: Container): string[] => [
  ...dummies.flatMap(({ port }) => [
    `ip link add ${quoteWord(port)} type dummy`,
    `ip link set ${quoteWord(port)} up`,
  ]),
  ...[...ends, ...dummies].flatMap(({ port, mtu, mac }) => [
    ...(mtu === undefined ? [] : [`ip link set ${quoteWord(port)} mtu ${mtu}`]),
    ...(mac === undefined ? [] : [`ip link set ${quoteWord(port)} address ${quoteWord(mac)}`]),
  ]),
];

const NO_DEFAULT = /^ip (?:-[46] )?r(?:o(?:ute?)?)? d(?:el|elete)? default(?: via \S+)?(?: dev eth0)?$/;

/** Leaves out commands that delete the default route of the management network, before another one is there: a lab does not have it. */
function withoutManagement(commands: readonly Command[]): readonly Command[] {
  const first = commands.findIndex(({ words }) => {
    const text = words.join(" ");
    return /\bdefault\b|0\.0\.0\.0\/0/.test(text) && !NO_DEFAULT.test(text);
  });
  const end = first < 0 ? commands.length : first;
  return commands.filter(({ words }, index) => index >= end || !NO_DEFAULT.test(words.join(" ")));
}
