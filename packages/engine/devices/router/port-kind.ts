/** The names of ports in settings, and the places of ports. */
import { spelled } from "../../settings/kind.ts";
import type { Path } from "../../settings/property-reader.ts";
import type { PortDraft } from "./property-drafts.ts";

/** The ports and interfaces; null if their list is invalid. */
export type Ports = readonly PortDraft[] | null;

/** In any letter case; a name is unchecked if a port has an invalid one. */
export const portName = spelled<Ports>("the name of a port", namedPort, { placeholder: "PORT" });

/** Returns the name of a port as it is configured; null if no port has it. */
export function namedPort(text: string, ports: Ports): string | null {
  if (ports === null || ports.some(({ name }) => name === null)) return text;
  return ports.find(({ name }) => name!.toLowerCase() === text.toLowerCase())?.name ?? null;
}

/** @returns undefined if no port has the name, or its port is unknown. */
export const portOf = (name: string, ports: Ports): PortDraft | undefined =>
  ports?.find((port) => port.name?.toLowerCase() === name.toLowerCase());

/** A port or another interface, and its names in `properties` and in messages. */
export interface Place {
  readonly draft: PortDraft;
  readonly path: Path;
  readonly label: string;
}

/** @param ports the ports, then the other interfaces, which have a type. */
export function placesOf(ports: readonly PortDraft[]): Place[] {
  const count = ports.filter((port) => !("type" in port)).length;
  return ports.map((draft, at) =>
    at < count
      ? { draft, path: ["ports", at], label: `port ${at}` }
      : { draft, path: ["interfaces", at - count], label: `interface ${draft.name ?? at - count}` },
  );
}
