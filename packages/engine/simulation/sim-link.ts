/** A link during a run: one line each way, one tap for both. */
import type { CaptureTap } from "../link/capture-tap.ts";
import type { LabLink, LinkFilters, LinkState } from "./lab.ts";
import { LinkLine } from "./link-line.ts";

export class SimLink {
  readonly id: string;
  readonly ends: LabLink["ends"];
  readonly tap: CaptureTap | undefined;
  readonly aToB: LinkLine;
  readonly bToA: LinkLine;
  readonly #before: string;
  #filters: LinkFilters;
  #suspended: boolean;

  constructor(link: LabLink, seed: string, tap: CaptureTap | undefined) {
    this.id = link.id;
    this.ends = link.ends;
    this.tap = tap;
    this.#filters = link.filters;
    this.#suspended = link.suspended;
    this.#before = JSON.stringify(link.state ?? {});
    this.aToB = new LinkLine(link, "a-to-b", seed, tap);
    this.bToA = new LinkLine(link, "b-to-a", seed, tap);
  }

  get enteredPackets(): number {
    return this.aToB.enteredPackets + this.bToA.enteredPackets;
  }

  get suspended(): boolean {
    return this.#suspended;
  }

  get filters(): LinkFilters {
    return this.#filters;
  }

  /** Returns the direction that begins at a node's port. */
  lineFrom(nodeId: string, port: number): LinkLine | undefined {
    const [a, b] = this.ends;
    if (a?.nodeId === nodeId && a.port === port) return this.aToB;
    return b?.nodeId === nodeId && b.port === port ? this.bToA : undefined;
  }

  change(change: { filters?: LinkFilters; suspended?: boolean }): void {
    this.#filters = change.filters ?? this.#filters;
    this.#suspended = change.suspended ?? this.#suspended;
    for (const line of [this.aToB, this.bToA]) {
      line.change({ ...this.#filters, suspended: this.#suspended });
    }
  }

  /** Returns the filter positions; undefined if they have not changed. */
  changedState(): LinkState | undefined {
    const state: LinkState = withoutEmpty({
      "a-to-b": this.aToB.saveState(),
      "b-to-a": this.bToA.saveState(),
    });
    return JSON.stringify(state) === this.#before ? undefined : state;
  }
}

const withoutEmpty = (state: LinkState): LinkState =>
  Object.fromEntries(Object.entries(state).filter(([, chain]) => Object.keys(chain).length > 0));
