import { failure } from "../shared/edge/errors.ts";
import { contentTypeOf } from "../shared/edge/http/content-type.ts";
import { entityTag, isNamed } from "../shared/edge/http/entity-tag.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { presignObject } from "../shared/store/base/objects.ts";
import { readItems } from "../shared/store/contents/read.ts";
import { putFile, readFile } from "../shared/store/file/project-file.ts";
import { existingProject } from "../shared/store/project/project.ts";
import { answerFile } from "./answer-file.ts";
import { nodeFileOf, projectPathOf } from "./file-path.ts";
import { readNodeFile, writeNodeFile } from "./node-files.ts";
import type { group } from "./routes.ts";

/** A larger file is sent by S3: a function sends 6 MB at full speed. */
const SENT_MAX_BYTES = 4 * 1024 * 1024;

export const getProjectFile: Operation<typeof group.routes.getProjectFile> = async ({
  access,
  params: { project_id, file_path },
  headers,
  headOnly = false,
}) => {
  const path = projectPathOf(file_path);
  const ofNode = nodeFileOf(path);
  const ifNoneMatch = headers["if-none-match"];
  if (ofNode) return readNodeFile(access, { project_id, ...ofNode }, ifNoneMatch);
  // Makes the changes of a pending commit, which may replace the file.
  existingProject((await readItems(access, project_id, {})).project, project_id);
  const found = await readFile(
    project_id,
    path,
    ({ etag, size_bytes }) => !isNamed(etag, ifNoneMatch) && size_bytes <= SENT_MAX_BYTES,
  );
  if (found === undefined) throw failure("file.not-found", { path });
  const { file, bytes } = found;
  if (bytes !== undefined || isNamed(file.etag, ifNoneMatch)) return answerFile(file, bytes, ifNoneMatch);
  return {
    status: 303,
    headers: { location: await presignObject(file.object_key, "attachment", headOnly) },
  };
};

export const putProjectFile: Operation<typeof group.routes.putProjectFile> = async ({
  access,
  params: { project_id, file_path },
  body,
}) => {
  const path = projectPathOf(file_path);
  const ofNode = nodeFileOf(path);
  if (ofNode) {
    await writeNodeFile(access, { project_id, ...ofNode }, body);
    return { status: 201 };
  }
  const project = existingProject((await readItems(access, project_id, {})).project, project_id);
  await putFile(
    access,
    project,
    { file_path: path, content_type: contentTypeOf(path), etag: entityTag(body) },
    body,
  );
  return { status: 201 };
};
