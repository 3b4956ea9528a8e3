import { bind } from "../shared/edge/bind.ts";
import * as operations from "./operations.ts";
import { group } from "./routes.ts";

export const handler = bind(group, { ...operations });
