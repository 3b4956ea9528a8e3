import { defineGroup } from "../shared/edge/route.ts";
import { ARCHIVE_CONTENT_TYPE, exportQuery, importQuery } from "../shared/schemas/archive.ts";
import { project } from "../shared/schemas/project.ts";

const PROJECT = "/projects/{project_id}";

/** Base64 makes it 5.6 MB, which fits into a function's payload of 6 MB. */
const ARCHIVE_MAX_BYTES = 4 * 1024 * 1024;

export const group = defineGroup({
  name: "archives",
  description: "Projects as files that existing programs read and write",
  routes: {
    exportProject: {
      method: "GET",
      path: `${PROJECT}/export`,
      summary: "Export a project as an archive",
      description:
        "A zip archive: `project.gns3`, the project's files, the files of PCs and routers, and what only this service has, below " +
        "`wirelab/`: settings of devices, and uploaded symbols that the nodes use. Nodes may be running: the archive has the lab as it " +
        "is at one moment, with what its devices have saved. Captures are not exported, and snapshots with `include_snapshots=yes`.",
      query: exportQuery,
      responses: {
        200: {
          description: "The archive",
          contentType: ARCHIVE_CONTENT_TYPE,
          headers: { "Content-Disposition": "An attachment with the name of the project" },
        },
      },
      errors: ["project.not-found", "lab.on-computes", "stream.too-long"],
    },
    importProject: {
      method: "POST",
      path: `${PROJECT}/import`,
      paced: true,
      summary: "Import a project from an archive",
      description:
        "Reads archives of this service and of GNS3 2 (revisions 5 to 9 of the format), and a file `project.gns3` alone. A node of a type that does not run here becomes a placeholder: it has its place, its cables and its " +
        "properties, starts when a registered compute runs its type, and is exported unchanged. The result " +
        "is a closed project with this id; if one exists, it is returned unchanged. Ids of nodes, links and drawings are new, unless " +
        "the archive has the id of the project. All of the archive, with its snapshots, is imported or nothing.",
      query: importQuery,
      body: { kind: "raw", maxBytes: ARCHIVE_MAX_BYTES, contentType: ARCHIVE_CONTENT_TYPE },
      responses: { 201: { description: "The project", schema: project } },
      errors: [
        "project.import-refused",
        "project.path-refused",
        "project.deleting",
        "project.id-taken",
        "project.name-taken",
        "quota.projects",
        "quota.nodes",
        "quota.links",
        "quota.drawings",
        "quota.files",
        "quota.snapshots",
        "quota.stored-bytes",
        "quota.user-stored-bytes",
        "quota.symbols",
        "quota.symbol-bytes",
        "quota.user-symbols",
        "quota.user-symbol-bytes",
      ],
    },
  },
});
