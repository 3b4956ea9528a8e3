/** Code that runs load on first use: the engine, and the conversion of the lab's items to its devices and links. */
export { Simulation, toNs } from "@wirelab/engine/simulation/simulation";
export { LabItems } from "./load.ts";
export { makeTap } from "./tap.ts";
