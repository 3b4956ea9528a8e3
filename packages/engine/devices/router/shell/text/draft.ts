/** A configuration that commands change as they change a running router's, and that is checked as a whole at its end. */

import type { RouterProperties } from "../../services/base/config.ts";
import type { NamedPort } from "../../services/base/configuring.ts";
import type { ConsoleMode } from "../console-mode.ts";
import type { Modal } from "../modal.ts";

export class Draft implements Modal {
  readonly session: { mode: ConsoleMode | undefined } = { mode: { kind: "config" } };
  readonly core: { readonly tables: { readonly ports: readonly NamedPort[] } };
  properties: RouterProperties;

  constructor(properties: RouterProperties) {
    this.properties = properties;
    const namedPorts = (): readonly NamedPort[] => this.#namedPorts();
    this.core = {
      tables: {
        get ports() {
          return namedPorts();
        },
      },
    };
  }

  get mode(): ConsoleMode {
    return this.session.mode ?? { kind: "config" };
  }

  change(edit: (properties: RouterProperties) => RouterProperties | string): readonly string[] {
    const edited = edit(this.properties);
    if (typeof edited === "string") return [edited];
    this.properties = edited;
    return [];
  }

  /** The names that exist, by the lists of `words.ts`. */
  readonly names = (of: string): readonly string[] => {
    const { ports = [], interfaces = [], acls = [], pbr_maps = [] } = this.properties;
    const named: Readonly<Record<string, readonly { readonly name?: unknown }[]>> = {
      interfaces: [...ports, ...interfaces],
      acls,
      pbrMaps: pbr_maps,
      vrfs: [...ports, ...interfaces].map(({ vrf }) => ({ name: vrf })),
    };
    return (named[of] ?? []).flatMap(({ name }) => (typeof name === "string" ? [name] : []));
  };

  #namedPorts(): readonly NamedPort[] {
    const { ports = [], interfaces = [] } = this.properties;
    const kinds = [...ports.map(() => "port"), ...interfaces.map(({ type = "vlan" }) => type)];
    return [...ports, ...interfaces].map(({ name = "" }, index) => ({ index, name, kind: kinds[index]! }));
  }
}
