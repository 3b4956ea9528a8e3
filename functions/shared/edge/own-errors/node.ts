import { define, type Facts } from "../error-definition.ts";

/** Errors of what only some nodes have. */
export const NODE_ERRORS = {
  "node.port-not-wired": define(
    409,
    (f: Facts<"port" | "name">) => `No link is on port ${f.port} of ${f.name}`,
  ),
  "node.port-in-use": define(
    409,
    (f: Facts<"port">) => `Port ${f.port} is in use by a link, so it cannot be removed`,
  ),
  "node.not-duplicable": define(
    409,
    (f: Facts<"node_type">) => `This node type cannot be duplicated: ${f.node_type}`,
  ),
  "node.no-state": define(
    409,
    (f: Facts<"node_type">) => `A node of type ${f.node_type} reports no state; switches and routers do`,
  ),
  "node.no-mac-table": define(
    409,
    (f: Facts<"node_type">) => `A node of type ${f.node_type} has no MAC table`,
  ),
  "node.no-such-file": define(
    409,
    (f: Facts<"name" | "node_type" | "path">) =>
      `Node ${f.name}, of type ${f.node_type}, keeps no file named ${f.path}; a PC keeps files without folders, a router ` +
      "startup-config.json",
  ),
  "node.file-in-guest": define(
    409,
    (f: Facts<"name" | "path">) =>
      `Node ${f.name} is not off, so its guest has its files: read ${f.path} on the console (cat, base64), or stop the node to read the ` +
      "file that it starts with",
  ),
  "file.path-refused": define(
    403,
    (f: Facts<"path">) => `The path ${f.path} is not the path of a file inside the project`,
  ),
} as const;
