import { bind } from "../shared/edge/bind.ts";
import { issueToken } from "./issue.ts";
import { group } from "./routes.ts";

export const handler = bind(group, { issueToken });
