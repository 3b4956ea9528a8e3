import { bind } from "../shared/edge/bind.ts";
import { checkVersion } from "./check-version.ts";
import { getVersion } from "./get-version.ts";
import { group } from "./routes.ts";

export const handler = bind(group, { getVersion, checkVersion });
