/** Converts a container of FRR or BIRD to a Linux node: its files and its commands are taken as they are. */
import type { Path, Problems } from "../file/problem.ts";
import type { Layer } from "./layer.ts";

/** Names of containers' images, and the images of Linux nodes that have their programs. */
const IMAGES = [
  { pattern: /(^|[/:_-])frr(outing)?([/:_-]|$)/i, image: "frr" },
  { pattern: /(^|[/:_-])bird2?([/:_-]|$)/i, image: "bird" },
] as const;
const INTERFACE = /^eth([0-9]{1,2})$/;
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
    layers.flatMap(({ path: base, fields }) =>
      (Array.isArray(fields[key]) ? (fields[key] as unknown[]) : []).map((value, index) => ({
        text: String(value),
        path: [...base, key, index] as Path,
      })),
    );
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
    files: Object.fromEntries(listsOf("binds").flatMap((bind) => readBind(bind, folder, problems))),
    commands: [...sizes, ...listsOf("exec").map(({ text }) => text)],
  };
}

/** `router1/frr.conf:/etc/frr/frr.conf:ro` */
function readBind(
  { text, path }: { readonly text: string; readonly path: Path },
  folder: string,
  problems: Problems,
): [target: string, file: { from: string }][] {
  const [source = "", target = ""] = text.split(":");
  if (HOST_MODULES.test(source)) return [];
  if (source === "" || target === "" || /^[/~]/.test(source)) {
    problems.add(path, `cannot be run here: ${JSON.stringify(text)}; only files beside the topology can.`);
    return [];
  }
  return [[target, { from: `${folder}${source}` }]];
}
