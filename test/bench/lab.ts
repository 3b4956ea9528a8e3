/**
 * `npm run bench:lab`: measures labs. For the engine alone: ping round trips and events per second of processor time. For the
 * service: one console call as the lab grows, with the store calls and capacity units that it uses.
 */
import { parseArgs } from "node:util";
import { benchConsoleCalls } from "./lab-calls.ts";
import { benchEngine } from "./lab-engine.ts";

const { values } = parseArgs({ options: { only: { type: "string" } } });
if (values.only !== "calls") benchEngine();
if (values.only !== "engine") await benchConsoleCalls();
