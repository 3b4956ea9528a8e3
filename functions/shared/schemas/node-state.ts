/** What a node reports, by its type. */
import * as z from "zod/mini";
import { routerState } from "./router-state.ts";
import { switchState } from "./switch-state.ts";

export const nodeState = z.union([switchState, routerState]);
