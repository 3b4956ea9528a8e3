import { bind } from "../api/bind.ts";
import { getStatistics } from "./get-statistics.ts";
import { group } from "./routes.ts";

export const handler = bind(group, { getStatistics });
