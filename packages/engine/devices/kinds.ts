/** The node types that the engine simulates. A new type has a line here, in `readers.ts` and in `makers.ts`. */
import { cloudKind } from "./cloud/kind.ts";
import { hubKind } from "./hub/kind.ts";
import { linuxKind } from "./linux/kind.ts";
import { natKind } from "./nat/kind.ts";
import type { NodeKind } from "./node-kind.ts";
import { pcKind } from "./pc/kind.ts";
import { routerKind } from "./router/kind.ts";
import { serverKind } from "./server/kind.ts";
import { switchKind } from "./switch/kind.ts";

const LISTED = [pcKind, switchKind, hubKind, routerKind, serverKind, natKind, linuxKind, cloudKind] as const;

type Listed = (typeof LISTED)[number];
export type DeviceType = Listed["type"];
export type LabType = Listed["labType"];
/** The types that existing clients see as containers. */
export type ImageType = Extract<Listed, { image: string }>["type"];
/** The other types. */
export type PlainType = Exclude<DeviceType, ImageType>;
export type Kind = NodeKind & Pick<Listed, "type" | "labType">;

export const KINDS: readonly Kind[] = LISTED;
