/**
 * `npm run bench:lab`: measures labs. For the engine alone: ping round trips and events per second of processor time, a router that
 * forwards, filters and translates, 1,000 routers with VRRP, and 100 switches with RSTP. For the service: one console call as the lab grows, with the store calls and capacity units that it uses.
 */
import { parseArgs } from "node:util";
import { benchConsoleCalls } from "./lab-calls.ts";
import { benchEngine } from "./lab-engine.ts";
import { benchRouter } from "./lab-router.ts";
import { benchSpanningTree } from "./lab-spanning-tree.ts";
import { benchVirtualRouters } from "./lab-virtual-routers.ts";

const { values } = parseArgs({ options: { only: { type: "string" } } });
if (values.only === undefined || values.only === "engine") benchEngine();
if (values.only === undefined || values.only === "router") benchRouter();
if (values.only === undefined || values.only === "vrrp") benchVirtualRouters();
if (values.only === undefined || values.only === "rstp") benchSpanningTree();
if (values.only === undefined || values.only === "calls") await benchConsoleCalls();
