/** What a command that configures needs of a router: a running one, or a configuration that is being read from a text. */
import type { ImmediateCommand } from "../../../console/command.ts";
import type { RouterProperties } from "./config.ts";

/** A port or another interface, as commands name it. */
export interface NamedPort {
  readonly index: number;
  readonly name: string;
  readonly kind: string;
}

export interface Configuring {
  readonly core: { readonly tables: { readonly ports: readonly NamedPort[] } };
  /** Applies an edit of the configuration. @returns what is wrong; nothing if the edit was valid. */
  change(edit: (properties: RouterProperties) => RouterProperties | string): readonly string[];
}

/** Returns the lines that it prints. */
export type Configure = (parts: Configuring, args: readonly string[]) => readonly string[];

/** Commands of configuration mode; `console/command.ts` describes an entry. */
export type ConfigureCommands<P = Configuring> = readonly ImmediateCommand<P>[];
