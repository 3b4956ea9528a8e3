/**
 * The configuration that `write` saves on a router: it starts with that, until its node gets other properties. The later of the two
 * counts, as with a PC's `startup.vpc` and its node's script.
 */
import { fnv1a64 } from "../../random.ts";
import type { RouterConfig, RouterSpec } from "./config.ts";
import { initialRouterState, type RouterState, type StartupConfig } from "./state.ts";

export const saveOver = (properties: RouterConfig, config: RouterConfig): StartupConfig => ({
  config,
  over: fingerprint(properties),
});

/** What a router that was switched off still knows; undefined when nothing was saved over its present properties. */
export function routerStateWhenOff(
  spec: RouterSpec,
  { startup }: Pick<RouterState, "startup">,
): RouterState | undefined {
  if (startup?.over !== fingerprint(spec)) return undefined;
  return { ...initialRouterState(startup.config), startup };
}

function fingerprint({ ports, routes }: RouterConfig): string {
  return fnv1a64(new TextEncoder().encode(JSON.stringify({ ports, routes }))).toString(16);
}
