/** Paths of files: where in a project a requested path leads. */
import { failureOf } from "../shared/edge/errors.ts";
import { NODE_ERRORS } from "../shared/edge/own-errors/node.ts";

/**
 * Returns the path relative to the project, in one spelling: without empty and `.` segments, with slashes. Backslashes separate
 * segments, too, because clients on Windows send them.
 * @throws ApiError `file.path-refused` for a path with `..` in it, and for one without a name.
 */
export function projectPathOf(requested: string): string {
  const segments = requested.split(/[/\\]/).filter((segment) => segment !== "" && segment !== ".");
  if (segments.length === 0 || segments.includes(".."))
    throw failureOf(NODE_ERRORS, "file.path-refused", { path: requested });
  return segments.join("/");
}

/** The folders in which existing clients look for the files of nodes, by node type. */
const NODE_FILE = /^project-files\/(?:vpcs|docker)\/([0-9a-f-]{36})\/(.+)$/i;

/** Returns the node and the name of a node's file that is requested by its path in the project; undefined for a plain file. */
export function nodeFileOf(path: string): { node_id: string; name: string } | undefined {
  const [, nodeId, name] = NODE_FILE.exec(path) ?? [];
  return nodeId === undefined ? undefined : { node_id: nodeId.toLowerCase(), name: name! };
}
