/** The start-up configuration of a router as a file, for callers outside of a run: JSON in the form of the node's `properties`. */

import type { Problem } from "../../../settings/property-reader.ts";
import { formatRouterProperties, type RouterSpec } from "./config.ts";
import { parseRouterProperties } from "./properties.ts";
import { routerStateWhenOff, saveOver } from "./startup-config.ts";
import { initialRouterState, type RouterState } from "./state.ts";

export const STARTUP_CONFIG_FILE = "startup-config.json";

/** Returns the configuration that the router starts with. @param state undefined for a router that never ran. */
export function startupConfigText(spec: RouterSpec, state: RouterState | undefined): string {
  const saved = state && routerStateWhenOff(spec, state);
  return `${JSON.stringify(formatRouterProperties(saved?.running ?? spec), null, 2)}\n`;
}

type Saved =
  | { readonly ok: true; readonly state: RouterState }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Returns the state with the configuration saved. Ports are hardware: a configuration must have the node's ports. */
export function withStartupConfig(spec: RouterSpec, state: RouterState | undefined, text: string): Saved {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    return { ok: false, problems: [{ path: [], message: `is not JSON: ${(error as Error).message}` }] };
  }
  const parsed = parseRouterProperties(given);
  if (!parsed.ok) return parsed;
  const names = (ports: RouterSpec["ports"]) => ports.map(({ name }) => name).join(", ");
  if (names(parsed.config.ports) !== names(spec.ports)) {
    const message = `must have the router's ports: ${names(spec.ports)}`;
    return { ok: false, problems: [{ path: ["ports"], message }] };
  }
  const startup = saveOver(spec, parsed.config);
  return { ok: true, state: { ...(state ?? initialRouterState(spec)), startup } };
}
