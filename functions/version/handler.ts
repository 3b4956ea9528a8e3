import { bind } from "../api/bind.ts";
import { getVersion } from "./get-version.ts";
import { group } from "./routes.ts";

export const handler = bind(group, { getVersion });
