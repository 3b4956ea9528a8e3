/** Files of nodes, which are part of their devices' state, or of their properties. */
import { isGuestType } from "@wirelab/engine/devices/find-kind";
import type { Access } from "../shared/edge/access.ts";
import { failure, invalidRequest } from "../shared/edge/errors.ts";
import { contentTypeOf } from "../shared/edge/http/content-type.ts";
import { entityTag } from "../shared/edge/http/entity-tag.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import { withStates } from "../shared/store/commit/lab-states.ts";
import { readItems } from "../shared/store/contents/read.ts";
import { existingNode, isOnCompute, type NodeItem, storeDevice } from "../shared/store/lab/node.ts";
import { existingProject, type ProjectItem } from "../shared/store/project/project.ts";
import { answerFile } from "./answer-file.ts";
import { readComputeFile, writeComputeFile } from "./compute-files.ts";
import { projectPathOf } from "./file-path.ts";
import { readLinuxFile, storeLinuxFile } from "./linux-files.ts";
import type { group } from "./routes.ts";

interface NodeFile {
  readonly project_id: string;
  readonly node_id: string;
  readonly name: string;
}

/** The engine's code is large, and most requests are for files of projects. */
const loadDeviceFiles = () => import("../shared/run/device-files.ts");

export const getNodeFile: Operation<typeof group.routes.getNodeFile> = async ({
  access,
  params,
  headers,
}) => {
  const { project_id, node_id, file_path } = params;
  return readNodeFile(
    access,
    { project_id, node_id, name: projectPathOf(file_path) },
    headers["if-none-match"],
  );
};

export const putNodeFile: Operation<typeof group.routes.putNodeFile> = async ({ access, params, body }) => {
  const { project_id, node_id, file_path } = params;
  await writeNodeFile(access, { project_id, node_id, name: projectPathOf(file_path) }, body);
  return { status: 201 };
};

/** @throws ApiError `project.not-found`, `node.not-found`, `node.file-not-found`, `node.file-in-guest` */
export async function readNodeFile(access: Access, file: NodeFile, ifNoneMatch: string | undefined) {
  const { name } = file;
  const bytes = await bytesOf((await readNode(access, file)).node, name);
  return answerFile({ content_type: contentTypeOf(name), etag: entityTag(bytes) }, bytes, ifNoneMatch);
}

async function bytesOf(node: NodeItem, name: string): Promise<Uint8Array> {
  if (isOnCompute(node)) return readComputeFile(node, name);
  if (isLinux(node)) return Buffer.from(readLinuxFile(node, name));
  const text = (await loadDeviceFiles()).deviceFiles(node).get(name);
  if (text === undefined) throw failure("node.file-not-found", { path: name });
  return Buffer.from(text);
}

/**
 * @throws ApiError `project.not-found`, `node.not-found`, `node.no-such-file`, `node.must-be-stopped`, 400 when the device cannot read the
 *   file.
 */
export async function writeNodeFile(access: Access, file: NodeFile, bytes: Uint8Array): Promise<void> {
  await untilFresh(async () => {
    const { project, node } = await readNode(access, file);
    // The bytes are the compute's to judge; a simulated device has text alone.
    if (isOnCompute(node)) return writeComputeFile(node, file.name, bytes);
    if (isLinux(node)) return storeLinuxFile(node, file.name, decode(bytes));
    const { withDeviceFile } = await loadDeviceFiles();
    return (await storeDevice(project, node, withDeviceFile(node, file.name, decode(bytes)))) || STALE;
  });
}

const isLinux = ({ document }: NodeItem): boolean => isGuestType(document.node_type);

async function readNode(
  access: Access,
  { project_id, node_id }: NodeFile,
): Promise<{ readonly project: ProjectItem; readonly node: NodeItem }> {
  const found = await readItems(access, project_id, { nodes: [node_id] });
  const project = existingProject(found.project, project_id);
  const [node] = await withStates(project, [existingNode(found.nodes.get(node_id), node_id)]);
  return { project, node: node! };
}

/** A file from an editor of Windows may begin with a byte order mark, which the decoder removes. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest([{ path: "body", message: "is not text in UTF-8" }]);
  }
}
