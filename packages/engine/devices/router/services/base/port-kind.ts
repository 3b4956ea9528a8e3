/** The names of ports in settings. */
import { spelled } from "../../../../settings/kind.ts";
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
