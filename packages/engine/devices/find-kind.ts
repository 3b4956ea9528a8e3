/** Finds node types in the table. */
import { type DeviceType, KINDS, type Kind, type PlainType } from "./kinds.ts";
import type { NodeKind } from "./node-kind.ts";

const byType = new Map<string, Kind>(KINDS.map((kind) => [kind.type, kind]));
const byLabType = new Map<string, Kind>(KINDS.map((kind) => [kind.labType, kind]));

/** @param type as the interface names it. */
export function kindOf(type: DeviceType): Kind;
export function kindOf(type: string): Kind | undefined;
export function kindOf(type: string): Kind | undefined {
  return byType.get(type);
}

/** @param type as a lab file names it: `pc`, `vpcs`. */
export const kindInLab = (type: string): Kind | undefined => byLabType.get(type) ?? byType.get(type);

/** The types that a condition holds for, in the order of the table. */
export const typesThat = (isSo: (kind: NodeKind) => unknown): DeviceType[] =>
  KINDS.filter(isSo).map(({ type }) => type);

export const typesWithoutImage = (): PlainType[] => typesThat(({ image }) => !image) as PlainType[];

/** Whether a guest machine runs the nodes of the type. */
export const isGuestType = (type: string): boolean => kindOf(type)?.isGuest === true;

/** Whether commands can be typed at a node of the type. */
export const hasConsole = (type: string): boolean => kindOf(type)?.console === "telnet";
