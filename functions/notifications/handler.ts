import { bind } from "../shared/edge/bind.ts";
import { followProject, followService } from "./follow.ts";
import { group } from "./routes.ts";

export const handler = bind(group, { followService, followProject });
