/** What of a topology is read as it stands, and is probably not what was meant. */
import type { Path } from "../../file/problem.ts";
import type { Container, Converted } from "./container.ts";

export interface Warning {
  readonly path: Path;
  readonly text: string;
}

export function warningsOf(converted: readonly Converted[]): Warning[] {
  const images = new Set<string>();
  return converted.flatMap(({ node, container }) => {
    if (container === undefined) return [];
    const warnings = [
      unconfigured(node as GuestNode, container),
      unrun(node as GuestNode, container, images),
      asRoot(node as GuestNode, container),
    ];
    return warnings.flatMap((text) => (text === undefined ? [] : [{ path: container.path, text }]));
  });
}

interface GuestNode {
  readonly type: string;
  readonly image?: string;
  readonly files?: Readonly<Record<string, unknown>>;
}

/** The files and commands that configure the daemons of an image. */
const CONFIGURATION: Readonly<Record<string, RegExp>> = {
  frr: /^\/etc\/frr(?:\/\S*\.conf)?\/?$|\bvtysh\b|^\/etc\/config\/|\.sh\b/m,
  bird: /^\/etc\/bird\S*$|\bbirdc?\b|\.sh\b/m,
};

/** What routes and does not know its routes reaches its neighbours only; its configuration is often missing by mistake. */
function unconfigured(
  { type, image = "", files = {} }: GuestNode,
  { commands, kind }: Container,
): string | undefined {
  if (type !== "linux" || !Object.hasOwn(CONFIGURATION, image)) return undefined;
  const targets = Object.keys(files).filter((path) => kind !== "frr" || !path.endsWith("/vtysh.conf"));
  const texts = [...targets, ...commands.map(({ words }) => words.join(" "))].join("\n");
  return CONFIGURATION[image]?.test(texts)
    ? undefined
    : "has no routing configuration: neither a file of `binds` nor a command of `exec` configures its daemons.";
}

/** Containerlab runs commands of `exec` as root in any case, and the program of the container as its user. */
function asRoot({ type }: GuestNode, { user = "root", main }: Container): string | undefined {
  return type !== "linux" || main === undefined || /^(?:root|0)(?::|$)/.test(user)
    ? undefined
    : `runs its program as root: a Linux node has no user ${JSON.stringify(user)}.`;
}

/** Images that run no program of their own, or the programs of the images `frr` and `bird`. */
const PLAIN =
  /(?:^|[/:_-])(?:alpine|busybox|ubuntu|debian|fedora|centos|rockylinux|network-multitool|netshoot|linux|host|pc|client|frr(?:outing)?|bird[23]?)(?:[/:_-]|$)|^$/i;

/** One warning for each image. */
function unrun({ type }: GuestNode, { image, main }: Container, images: Set<string>): string | undefined {
  const isPlain = PLAIN.test(image) && (main === undefined || main.isEntry || type === "linux");
  if (isPlain || images.has(image)) return undefined;
  images.add(image);
  return `is a container of the image ${JSON.stringify(image)}, whose own programs do not run here: the node has its interfaces, files and commands only.`;
}
