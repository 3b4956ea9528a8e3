/** What a run simulates with: the engine, and what makes the lab's items into its devices and links. */
export { Simulation, toNs } from "../engine/simulation/simulation.ts";
export { LabItems } from "./load.ts";
export { makeTap } from "./tap.ts";
