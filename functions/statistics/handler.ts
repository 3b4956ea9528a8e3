import { bind } from "../shared/edge/bind.ts";
import { getUsage } from "./get-usage.ts";
import { listStatistics } from "./list-statistics.ts";
import { group } from "./routes.ts";

export const handler = bind(group, { listStatistics, getUsage });
