/** Ports and other interfaces before the rules between their values, and their places. */
import type { Path } from "../../settings/property-reader.ts";
import type { Addresses } from "../address/host-addresses.ts";

/** Null stands for an invalid value, undefined for an absent one. */
export interface PlaneDraft extends Addresses {
  readonly name: string | null;
  readonly mtuBytes: number | null;
  readonly vrf?: string | null | undefined;
}

/** A port or another interface, and its names in `properties` and in messages. */
export interface Place<D = PlaneDraft> {
  readonly draft: D;
  readonly path: Path;
  readonly label: string;
}

/** @param ports the ports, then the other interfaces, which have a type. */
export function placesOf<D extends PlaneDraft>(ports: readonly D[]): Place<D>[] {
  const count = ports.filter((port) => !("type" in port)).length;
  return ports.map((draft, at) =>
    at < count
      ? { draft, path: ["ports", at], label: `port ${at}` }
      : { draft, path: ["interfaces", at - count], label: `interface ${draft.name ?? at - count}` },
  );
}
