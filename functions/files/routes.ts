import type { ErrorCode } from "../shared/edge/errors.ts";
import { defineGroup, NOT_MODIFIED } from "../shared/edge/route.ts";

const OF_PROJECT = "/projects/{project_id}/files/{file_path+}";
const OF_NODE = "/projects/{project_id}/nodes/{node_id}/files/{file_path+}";

/** Base64 makes it 5.6 MB, which fits into a function's payload of 6 MB. */
const UPLOAD_MAX_BYTES = 4 * 1024 * 1024;

const ANY_TYPE = "*/*";
const upload = { kind: "raw", maxBytes: UPLOAD_MAX_BYTES, contentType: "application/octet-stream" } as const;
const found = {
  description: "The file; its type follows from its extension",
  contentType: ANY_TYPE,
} as const;
const stored = { description: "Stored" } as const;

/** Errors of routes for files of nodes on registered computes. */
const onCompute = [
  "compute.not-found",
  "compute.address-refused",
  "compute.bad-request",
  "compute.forbidden",
  "compute.missing",
  "compute.not-gns3",
  "compute.refused",
  "compute.unauthorized",
  "compute.unreachable",
] as const satisfies ErrorCode[];
const ofNode = ["node.not-found", ...onCompute] as const satisfies ErrorCode[];
const readOfNode = [...ofNode, "node.file-not-found", "node.file-in-guest"] as const satisfies ErrorCode[];
const writeOfNode = [...ofNode, "node.no-such-file", "node.must-be-stopped"] as const satisfies ErrorCode[];
const common = ["project.not-found", "file.path-refused"] as const satisfies ErrorCode[];

export const group = defineGroup({
  name: "files",
  description: "Files of projects and nodes",
  routes: {
    getProjectFile: {
      method: "GET",
      path: OF_PROJECT,
      summary: "Read a file of a project",
      description:
        "Honours `If-None-Match`. A file of more than 4 MiB, which an import can bring, is returned as a redirect to a signed URL, " +
        "which is valid for 5 minutes. `project-files/vpcs/{node_id}/{name}` is the node's file.",
      responses: {
        200: found,
        303: { description: "`Location` is the URL of a large file" },
        304: NOT_MODIFIED,
      },
      errors: [...common, ...readOfNode, "file.not-found"],
    },
    putProjectFile: {
      method: "POST",
      path: OF_PROJECT,
      summary: "Write a file of a project",
      description:
        "Replaces an existing file; readers get the old content or the new one, never a mixture. Folders need not exist. " +
        "The path must not leave the project.",
      body: upload,
      responses: { 201: stored },
      errors: [...common, ...writeOfNode, "quota.files", "quota.stored-bytes", "quota.user-stored-bytes"],
    },
    getNodeFile: {
      method: "GET",
      path: OF_NODE,
      summary: "Read a file of a node",
      description:
        "A PC has the files that `save` writes. Its `startup.vpc` is what it starts with: the saved file, or the property " +
        "`startup_script` if that was changed later. A router has `startup-config.json`, the configuration that it starts with, in the " +
        "form of its properties. A Linux node that is off has the texts of its property `files`, by their paths in the guest; while it is " +
        "on, its guest has them. A node on a registered compute has its files there.",
      responses: { 200: found, 304: NOT_MODIFIED },
      errors: [...common, ...readOfNode],
    },
    putNodeFile: {
      method: "POST",
      path: OF_NODE,
      summary: "Write a file of a node",
      description:
        "A running node reads its start-up file when it is started the next time. The file of a Linux node becomes one of its property " +
        "`files`, which changes while the node is off.",
      body: upload,
      responses: { 201: stored },
      errors: [...common, ...writeOfNode],
    },
  },
});
