import { bind } from "../shared/edge/bind.ts";
import { getPage, getPageFile } from "./get-page.ts";
import { group } from "./routes.ts";

export const handler = bind(group, { getPage, getPageFile });
