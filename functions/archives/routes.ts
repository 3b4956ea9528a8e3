import { defineGroup } from "../shared/edge/route.ts";
import { ARCHIVE_CONTENT_TYPE, exportQuery } from "../shared/schemas/archive.ts";

export const group = defineGroup({
  name: "archives",
  description: "Projects as files that existing programs read and write",
  routes: {
    exportProject: {
      method: "GET",
      path: "/projects/{project_id}/export",
      summary: "Export a project as an archive",
      description:
        "A zip archive: `project.gns3`, the project's files, the files of PCs and routers, and what only this service has, below " +
        "`wirelab/`: settings of devices, and uploaded symbols that the nodes use. Nodes may be running: the archive has the lab as it " +
        "is at one moment, with what its devices have saved. Captures are not exported.",
      query: exportQuery,
      responses: {
        200: {
          description: "The archive",
          contentType: ARCHIVE_CONTENT_TYPE,
          headers: { "Content-Disposition": "An attachment with the name of the project" },
        },
      },
      errors: ["project.not-found", "stream.too-long"],
    },
  },
});
