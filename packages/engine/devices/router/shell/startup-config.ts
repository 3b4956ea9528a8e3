/**
 * The configuration that `write` saves. The router starts with it until the properties of its node change: the later of both
 * applies, as for a PC's `startup.vpc` and its node's script.
 */
import { fnv1a64 } from "../../../base/random.ts";
import type { RouterConfig } from "../services/base/config.ts";
import { configOf, type RouterSpec } from "./config.ts";
import { initialRouterState, type RouterState, type StartupConfig } from "./state.ts";

export const saveOver = (properties: RouterConfig, config: RouterConfig): StartupConfig => ({
  config,
  over: fingerprint(properties),
});

/** The state that a router keeps while it is off; undefined if no configuration was saved with its present properties. */
export function routerStateWhenOff(
  spec: RouterSpec,
  { startup }: Pick<RouterState, "startup">,
): RouterState | undefined {
  if (startup?.over !== fingerprint(spec)) return undefined;
  return { ...initialRouterState(startup.config), startup };
}

function fingerprint(config: RouterConfig): string {
  return fnv1a64(new TextEncoder().encode(JSON.stringify(configOf(config)))).toString(16);
}
