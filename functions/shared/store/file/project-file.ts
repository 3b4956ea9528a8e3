/**
 * Files of projects. An upload writes the bytes to a new object; then one transaction makes readers use it, and counts it; then the old
 * object is deleted. A reader that comes between the last two steps reads the item again.
 */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import type { Access } from "../../edge/access.ts";
import { discardObjects, keepIfWritten, putObject, readObject } from "../base/objects.ts";
import { projectKey, table } from "../base/table.ts";
import { STALE, transact, untilFresh } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { refuseOverQuota } from "../limits/quota.ts";
import { addWhileThere, existingProject, getProject, type ProjectItem } from "../project/project.ts";
import { withRoomFor } from "../project/stored-bytes.ts";
import { newFileKey } from "./file-key.ts";

export const FileEntity = new Entity({
  name: "project-file",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    /** Relative to the project, with slashes. */
    file_path: string().key(),
    object_key: string(),
    content_type: string(),
    etag: string(),
    size_bytes: number(),
    /** Milliseconds since 1970. */
    modified_ms: number(),
  }),
  computeKey: ({ project_id, file_path }) => ({ pk: projectKey(project_id), sk: `FILE#${file_path}` }),
});
export type FileItem = FormattedItem<typeof FileEntity>;

async function getFile(project_id: string, file_path: string): Promise<FileItem | undefined> {
  const { Item } = await FileEntity.build(GetItemCommand)
    .key({ project_id, file_path })
    .options({ consistent: true })
    .send();
  return Item;
}

/** Returns the files of a project by path. */
export async function listFiles(projectId: string): Promise<FileItem[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: projectKey(projectId), range: { beginsWith: "FILE#" } })
    .entities(FileEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  return Items ?? [];
}

export type FileContent = Pick<FileItem, "file_path" | "content_type" | "etag">;

/**
 * Stores or replaces a file.
 * @param project as it was read.
 * @throws ApiError `quota.files`, `quota.stored-bytes`, `quota.user-stored-bytes`; then nothing is stored.
 */
export async function putFile(
  access: Access,
  project: ProjectItem,
  file: FileContent,
  bytes: Uint8Array,
): Promise<void> {
  const { project_id, owner } = project;
  const object_key = newFileKey(project_id);
  const stored: FileItem = {
    ...file,
    project_id,
    object_key,
    size_bytes: bytes.length,
    modified_ms: Date.now(),
  };
  refuseOverQuota(project, usageOf(await getFile(project_id, file.file_path), stored));
  let old: FileItem | undefined;
  // Counts the replaced bytes, too, until the user's bytes are counted anew: ../project/stored-bytes.ts.
  await withRoomFor(bytes.length, owner, async () => {
    await putObject(object_key, bytes, file.content_type);
    const replaced = untilFresh(() => replaceFile(access, stored)).then((before) => {
      old = before;
      return true;
    });
    return keepIfWritten([object_key], replaced);
  });
  if (old) await discardObjects([old.object_key]);
}

/** Returns what a change adds to the project. */
const usageOf = (old: FileItem | undefined, stored: FileItem) => ({
  file_count: old ? 0 : 1,
  stored_bytes: stored.size_bytes - (old?.size_bytes ?? 0),
});

/** @returns the file that it replaced. */
async function replaceFile(access: Access, stored: FileItem): Promise<FileItem | undefined | typeof STALE> {
  const { project_id, file_path } = stored;
  const old = await getFile(project_id, file_path);
  // An earlier attempt was written, and its response was lost.
  if (old?.object_key === stored.object_key) return undefined;
  const usage = usageOf(old, stored);
  const refused = await transact({
    project: addWhileThere(project_id, usage),
    file: FileEntity.build(PutTransaction)
      .item(stored)
      .options(when(FileEntity, { object_key: old?.object_key })),
  });
  if (refused.has("project"))
    refuseOverQuota(existingProject(await getProject(access, project_id), project_id), usage);
  return refused.size === 0 ? old : STALE;
}

/**
 * @param wantsBytes decides from the item whether to read the bytes, too.
 * @returns a file and its bytes, which belong together, or undefined when there is none.
 */
export async function readFile(
  projectId: string,
  filePath: string,
  wantsBytes: (file: FileItem) => boolean = () => true,
): Promise<{ file: FileItem; bytes?: Uint8Array } | undefined> {
  // The object is gone, so an upload replaced the file meanwhile: the item then names another object.
  let goneKey: string | undefined;
  for (;;) {
    const file = await getFile(projectId, filePath);
    if (file === undefined) return undefined;
    if (!wantsBytes(file)) return { file };
    if (file.object_key === goneKey) break;
    const bytes = await readObject(file.object_key);
    if (bytes !== undefined) return { file, bytes };
    goneKey = file.object_key;
  }
  throw new Error(`The bytes of the file ${filePath} of project ${projectId} are missing`);
}
