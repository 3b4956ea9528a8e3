/** All route groups: each is a folder here and a function in the stack. */

import { group as actions } from "./actions/routes.ts";
import { group as archives } from "./archives/routes.ts";
import { group as captures } from "./captures/routes.ts";
import { group as computes } from "./computes/routes.ts";
import { group as copies } from "./copies/routes.ts";
import { group as docs } from "./docs/routes.ts";
import { group as drawings } from "./drawings/routes.ts";
import { group as emulators } from "./emulators/routes.ts";
import { group as files } from "./files/routes.ts";
import { group as follow } from "./follow/routes.ts";
import { group as labs } from "./labs/routes.ts";
import { group as links } from "./links/routes.ts";
import { group as nodes } from "./nodes/routes.ts";
import { group as notifications } from "./notifications/routes.ts";
import { group as page } from "./page/routes.ts";
import { group as projects } from "./projects/routes.ts";
import { group as runs } from "./runs/routes.ts";
import { group as server } from "./server/routes.ts";
import type { RouteGroup } from "./shared/edge/route.ts";
import { group as simvm } from "./simvm/routes.ts";
import { group as snapshots } from "./snapshots/routes.ts";
import { group as statistics } from "./statistics/routes.ts";
import { group as symbols } from "./symbols/routes.ts";
import { group as templates } from "./templates/routes.ts";
import { group as tokens } from "./tokens/routes.ts";
import { group as upgrades } from "./upgrades/routes.ts";
import { group as version } from "./version/routes.ts";

export const GROUPS: readonly RouteGroup[] = [
  version,
  tokens,
  projects,
  nodes,
  links,
  drawings,
  templates,
  actions,
  snapshots,
  copies,
  follow,
  notifications,
  runs,
  labs,
  captures,
  files,
  archives,
  symbols,
  simvm,
  computes,
  emulators,
  server,
  statistics,
  upgrades,
  docs,
  page,
];
