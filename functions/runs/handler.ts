import { bind } from "../api/bind.ts";
import { runConsole } from "./console.ts";
import * as power from "./power.ts";
import { group } from "./routes.ts";
import { runLab } from "./run.ts";

export const handler = bind(group, { runConsole, runLab, ...power });
