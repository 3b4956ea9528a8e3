import { begunStream } from "../shared/edge/begun-stream.ts";
import { attachment } from "../shared/edge/http/attachment.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { refuseTooLong } from "../shared/edge/stream-limit.ts";
import { readLab } from "../shared/lab-copy/read-lab.ts";
import { readFile } from "../shared/store/file/project-file.ts";
import { boundOf, entriesOf } from "./export-entries.ts";
import { snapshotEntries } from "./export-snapshots.ts";
import type { group } from "./routes.ts";
import { type Compression, writeZip } from "./zip-writer.ts";

export const exportProject: Operation<typeof group.routes.exportProject> = async ({
  access,
  params: { project_id },
  query,
}) => {
  const lab = await readLab(access, project_id, "as-before");
  const options = {
    keepsComputes: query.keep_compute_ids === "yes",
    resetsMacs: query.reset_mac_addresses === "yes",
  };
  const own = await entriesOf(
    lab,
    options,
    async ({ file_path }) => (await readFile(project_id, file_path))!.bytes!,
  );
  const entries = [...own, ...(query.include_snapshots === "yes" ? await snapshotEntries(lab, options) : [])];
  refuseTooLong(
    boundOf(entries),
    "replace large files of the project by smaller ones, or leave out its snapshots",
  );
  const compression = (query.compression ?? "zip") as Compression;
  const body = await begunStream(() => writeZip(entries, compression), 1);
  const headers = { "content-disposition": attachment(`${lab.whole.project.name}.gns3project`) };
  return { status: 200, body, headers };
};
