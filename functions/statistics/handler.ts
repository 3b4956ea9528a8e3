import { bind } from "../shared/edge/bind.ts";
import { getStatistics } from "./get-statistics.ts";
import { group } from "./routes.ts";

export const handler = bind(group, { getStatistics });
