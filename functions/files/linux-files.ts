/** The files of Linux nodes: the property `files`, which the guest gets at power-on. */
import { posix } from "node:path";
import { failure, failureOf } from "../shared/edge/errors.ts";
import { NODE_ERRORS } from "../shared/edge/own-errors/node.ts";
import { parse } from "../shared/node/hardware.ts";
import { makeLinuxHardware } from "../shared/node/types/linux.ts";
import { nodeProperties } from "../shared/schemas/node.ts";
import { asContainer } from "../shared/schemas/router-image.ts";
import { STALE } from "../shared/store/base/transact.ts";
import { type NodeItem, updateNode } from "../shared/store/lab/node.ts";

type Texts = Readonly<Record<string, string>>;

/** Where the guest writes a file; all paths begin at its root. */
const inGuest = (path: string): string => posix.join("/", path);

const textsOf = ({ document }: NodeItem): Texts => document.properties.files as Texts;

/**
 * @throws ApiError `node.file-in-guest` while the node is not off, because its guest may have changed the file; `node.file-not-found`
 */
export function readLinuxFile(node: NodeItem, path: string): string {
  if (node.status !== "stopped")
    throw failureOf(NODE_ERRORS, "node.file-in-guest", { name: node.name, path });
  // The guest writes all of them, so of two names of one file the later stays.
  const found = Object.entries(textsOf(node)).findLast(([name]) => inGuest(name) === inGuest(path));
  if (found === undefined) throw failure("node.file-not-found", { path });
  return found[1];
}

/**
 * Returns the node with the file among its properties. A file that it has keeps its name there.
 * @throws ApiError `node.must-be-stopped`, 400 as for a change of the properties
 */
export function withLinuxFile(node: NodeItem, path: string, text: string): NodeItem {
  const { document, name, status } = node;
  if (status !== "stopped") throw failure("node.must-be-stopped", { name, what: "files" });
  const isIt = ([named]: readonly [string, string]) => inGuest(named) === inGuest(path);
  const before = Object.entries(textsOf(node));
  const key = before.findLast(isIt)?.[0] ?? inGuest(path);
  const kept = before.filter((file) => file[0] === key || !isIt(file));
  const files = { ...Object.fromEntries(kept), [key]: text };
  const hardware = makeLinuxHardware({ files }, document);
  // A client may send back all properties that it received, so these must not be larger than a request may have them.
  parse(nodeProperties, asContainer("linux", hardware.properties, hardware.ports, hardware.container));
  return { ...node, document: { ...document, ...hardware } };
}

/** @returns STALE when another request changed the node since it was read. */
export async function storeLinuxFile(
  node: NodeItem,
  path: string,
  text: string,
): Promise<true | typeof STALE> {
  const stored = await updateNode(node, withLinuxFile(node, path, text));
  // The name and the console stay, so no other node can have claimed them.
  return stored === STALE ? STALE : true;
}
