/**
 * `npm run bench:lab`: how fast labs run. The engine by itself: ping round trips and events a second of processor time. The
 * service: one console call as the lab grows, with the calls and the capacity it costs.
 */
import { parseArgs } from "node:util";
import { benchConsoleCalls } from "./lab-calls.ts";
import { benchEngine } from "./lab-engine.ts";

const { values } = parseArgs({ options: { only: { type: "string" } } });
if (values.only !== "calls") benchEngine();
if (values.only !== "engine") await benchConsoleCalls();
