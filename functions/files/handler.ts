import { bind } from "../shared/edge/bind.ts";
import { getNodeFile, putNodeFile } from "./node-files.ts";
import { getProjectFile, putProjectFile } from "./project-files.ts";
import { group } from "./routes.ts";

export const handler = bind(group, { getProjectFile, putProjectFile, getNodeFile, putNodeFile });
