/** The lab time of a lab file that is played: its boot and its timeline together. */
import { NS_PER_SECOND } from "@wirelab/engine/base/time";
import type { Simulation } from "@wirelab/engine/simulation/simulation";

export class LabClock {
  #endedNs = 0;
  #simulation: Simulation | undefined;

  get elapsedSeconds(): number {
    return (this.#endedNs + this.#nowNs) / NS_PER_SECOND;
  }

  watch(simulation: Simulation): void {
    this.#endedNs += this.#nowNs;
    this.#simulation = simulation;
  }

  get #nowNs(): number {
    return this.#simulation?.nowNs ?? 0;
  }
}
