export { Pc } from "./pc.ts";
export type { PcSpec, PcState } from "./state.ts";
