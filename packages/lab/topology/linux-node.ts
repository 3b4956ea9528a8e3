/** Converts a container of FRR or BIRD to a Linux node: its files and its commands are taken as they are. */
import type { Path, Problems } from "../file/problem.ts";
import type { Layer } from "./layer.ts";

/** Names of containers' images, and the images of Linux nodes that have their programs. */
const IMAGES = [
  { pattern: /(^|[/:_-])frr(outing)?([/:_-]|$)/i, image: "frr" },
  { pattern: /(^|[/:_-])bird2?([/:_-]|$)/i, image: "bird" },
] as const;
const INTERFACE = /^eth([0-9]{1,2})$/;
/** Where netlab puts the scripts that its second step runs. */
const NETLAB_SCRIPTS = /^\/etc\/config\//;
/** Kernel modules of the host: the image has its own. */
const HOST_MODULES = /^\/lib\/modules(\/|$)/;

/** @returns the image for the node; undefined for containers of other programs. */
export const guestImageOf = (name: string): string | undefined =>
  IMAGES.find(({ pattern }) => pattern.test(name))?.image;

export interface Container {
  readonly image: string;
  readonly layers: readonly Layer[];
  /** By interface; undefined for the default. */
  readonly mtus: ReadonlyMap<string, number | undefined>;
  /** Where `binds` begin: empty, or with a slash at its end. */
  readonly folder: string;
}

export function toLinuxNode(
  { image, layers, mtus, folder }: Container,
  path: Path,
  problems: Problems,
): object {
  const listsOf = (key: string) =>
    layers.flatMap(({ path: base, fields }) => {
      const value = fields[key];
      if (value !== undefined && !Array.isArray(value)) problems.add([...base, key], "must be a list.");
      return (Array.isArray(value) ? value : []).map((each: unknown, index) => ({
        text: String(each),
        path: [...base, key, index] as Path,
      }));
    });
  const commands = listsOf("exec").map(({ text }) => text);
  const numbers = [...mtus.keys()].map((name) => {
    const number = INTERFACE.exec(name)?.[1];
    if (number === undefined) problems.add(path, `cannot be run here: ${name} is not eth0 to eth63.`);
    return Number(number ?? 0);
  });
  const sizes = [...mtus].flatMap(([name, mtu]) =>
    mtu === undefined ? [] : [`ip link set ${name} mtu ${mtu}`],
  );
  return {
    type: "linux",
    image,
    ports: Math.max(0, ...numbers) + 1,
    files: Object.fromEntries(listsOf("binds").flatMap((bind) => readBind(bind, folder, commands, problems))),
    commands: [...sizes, ...commands],
  };
}

/** `router1/frr.conf:/etc/frr/frr.conf:ro` */
function readBind(
  { text, path }: { readonly text: string; readonly path: Path },
  folder: string,
  commands: readonly string[],
  problems: Problems,
): [target: string, file: { from: string }][] {
  const [source = "", target = ""] = text.split(":");
  if (HOST_MODULES.test(source)) return [];
  if (source === "" || target === "" || /^[/~]/.test(source)) {
    problems.add(path, `cannot be run here: ${JSON.stringify(text)}; only files beside the topology can.`);
    return [];
  }
  if (NETLAB_SCRIPTS.test(target) && !commands.some((command) => command.includes(target))) {
    problems.add(
      path,
      `cannot be run here: \`netlab initial\` would run ${target}, and nothing else does. Add a command to \`exec\` that runs it.`,
    );
    return [];
  }
  return [[target, { from: `${folder}${source}` }]];
}
