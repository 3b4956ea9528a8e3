/** What the console keeps beside the running configuration. */
import type { RouterConfig } from "../services/base/config.ts";
import type { RouterSpec } from "./config.ts";
import type { ConsoleMode } from "./console-mode.ts";
import { saveOver } from "./startup-config.ts";
import type { RouterState, StartupConfig } from "./state.ts";

export class Session {
  readonly #properties: RouterConfig;
  /** Undefined at the first prompt. */
  mode: ConsoleMode | undefined;
  /** The configuration saved by `write`; undefined if the router starts with its node's properties. */
  startup: StartupConfig | undefined;
  /** Lines of the node's configuration that have no effect, with the reasons. */
  readonly leftOut: readonly string[];

  constructor(
    properties: RouterConfig & Pick<RouterSpec, "leftOut">,
    state: Pick<RouterState, "startup" | "consoleMode">,
  ) {
    this.#properties = properties;
    this.mode = state.consoleMode;
    this.startup = state.startup;
    this.leftOut = properties.leftOut ?? [];
  }

  save(running: RouterConfig): void {
    this.startup = saveOver(this.#properties, running);
  }
}

declare module "../services/base/parts.ts" {
  interface Parts {
    readonly session: Session;
  }
}
