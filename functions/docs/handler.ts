import { bind } from "../shared/edge/bind.ts";
import { getDocs, getDocsFile, getOpenApi } from "./describe.ts";
import { group } from "./routes.ts";

export const handler = bind(group, { getOpenApi, getDocs, getDocsFile });
