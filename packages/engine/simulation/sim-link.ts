/** A link during a run: one line each way, one tap for both. */
import type { CaptureTap } from "../link/capture-tap.ts";
import type { DelayCounter } from "../link/direction-report.ts";
import { NO_IMPAIRMENTS, type WireSink } from "../link/impairments/index.ts";
import type { LabLink, LinkFilters, LinkImpairments, LinkState } from "./lab.ts";
import { LinkLine } from "./link-line.ts";

/** What a link needs of its run. */
export interface LinkRun {
  readonly seed: string;
  readonly startUs: number;
  readonly nowNs: () => number;
  /** Gets the packets that leave the impairments of a line. */
  sinkOf(line: LinkLine): WireSink;
  readonly makeDelays: () => DelayCounter;
}

export interface LinkChange {
  readonly filters?: LinkFilters;
  readonly suspended?: boolean;
  /** Null removes them. */
  readonly impairments?: LinkImpairments | null;
}

/** A link in the middle of a run. */
export type FrozenLink = ReturnType<SimLink["freeze"]>;

export class SimLink {
  readonly id: string;
  readonly ends: LabLink["ends"];
  readonly tap: CaptureTap | undefined;
  readonly aToB: LinkLine;
  readonly bToA: LinkLine;
  readonly #link: LabLink;
  readonly #before: string;
  #filters: LinkFilters;
  #suspended: boolean;
  readonly #run: LinkRun;
  #impairments: LinkImpairments | undefined;

  constructor(link: LabLink, run: LinkRun, tap: CaptureTap | undefined) {
    this.#link = link;
    this.id = link.id;
    this.ends = link.ends;
    this.tap = tap;
    this.#filters = link.filters;
    this.#suspended = link.suspended;
    this.#before = JSON.stringify(link.state ?? {});
    this.#run = run;
    this.#impairments = link.impairments;
    this.aToB = new LinkLine(link, "a-to-b", run.seed, tap, run.makeDelays());
    this.bToA = new LinkLine(link, "b-to-a", run.seed, tap, run.makeDelays());
    if (link.impairments) this.#impair(link.impairments);
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

  /** The lab time of the check of the carrier that is planned; Infinity without one. */
  carrierPlannedNs = Number.POSITIVE_INFINITY;

  /** Whether the carrier is ever down. */
  get losesCarrier(): boolean {
    const { initial, changes } = this.#impairments?.impairments ?? NO_IMPAIRMENTS;
    return initial.carrier === "down" || changes.some(({ settings }) => settings.carrier === "down");
  }

  /** Whether both ends see a carrier now. */
  get hasCarrier(): boolean {
    const { impaired } = this.aToB;
    if (impaired === undefined) return true;
    impaired.advance(this.#run.nowNs());
    return impaired.settings.carrier === "up";
  }

  get impairments(): LinkImpairments | undefined {
    return this.#impairments;
  }

  /** Returns the direction that begins at a node's port. */
  lineFrom(nodeId: string, port: number): LinkLine | undefined {
    const [a, b] = this.ends;
    if (a?.nodeId === nodeId && a.port === port) return this.aToB;
    return b?.nodeId === nodeId && b.port === port ? this.bToA : undefined;
  }

  change(change: LinkChange): void {
    if (change.impairments !== undefined) this.#impair(change.impairments ?? undefined);
    if (change.filters === undefined && change.suspended === undefined) return;
    this.#filters = change.filters ?? this.#filters;
    this.#suspended = change.suspended ?? this.#suspended;
    for (const line of [this.aToB, this.bToA]) {
      line.change({ ...this.#filters, suspended: this.#suspended });
    }
  }

  /** Returns the positions of filters and impairments; undefined if they have not changed. */
  changedState(): LinkState | undefined {
    const state: LinkState = {
      ...withoutEmpty({ "a-to-b": this.aToB.saveState(), "b-to-a": this.bToA.saveState() }),
      ...this.#impairedState(),
    };
    return JSON.stringify(state) === this.#before ? undefined : state;
  }

  /** Returns the link at this moment, without its capture. */
  freeze() {
    const { tap: _tap, ...link } = this.#link;
    const chains = { "a-to-b": this.aToB.saveState(), "b-to-a": this.bToA.saveState() };
    return {
      link: {
        ...link,
        filters: this.#filters,
        suspended: this.#suspended,
        impairments: this.#impairments,
        // Impairments that were removed go on with what they held; their state before the run has no other use.
        state: { ...(this.aToB.impaired ? {} : link.state), ...chains },
      } satisfies LabLink,
      isImpaired: this.aToB.impaired !== undefined,
      lines: [this.aToB, this.bToA].map((line) => line.freeze()),
      wakePlannedNs: [this.aToB.wakePlannedNs, this.bToA.wakePlannedNs],
      targets: [this.aToB.target, this.bToA.target],
      carrierPlannedNs: this.carrierPlannedNs,
    };
  }

  /** Continues a link that was made with `link` of what was frozen. */
  thaw({ isImpaired, lines, wakePlannedNs, targets, carrierPlannedNs }: FrozenLink): void {
    const { impairments = NO_IMPAIRMENTS } = this.#impairments ?? {};
    if (isImpaired && this.#impairments === undefined) this.#impair({ impairments });
    this.#impairments = this.#link.impairments;
    for (const [index, line] of [this.aToB, this.bToA].entries()) {
      line.thaw(impairments, lines[index]!);
      line.wakePlannedNs = wakePlannedNs[index] ?? Number.POSITIVE_INFINITY;
      if (targets[index] !== undefined) line.connect(targets[index]);
    }
    this.carrierPlannedNs = carrierPlannedNs;
  }

  #impairedState(): Pick<LinkState, "impairments"> {
    const [aToB, bToA] = [this.aToB.impaired, this.bToA.impaired];
    if (this.#impairments === undefined || aToB === undefined || bToA === undefined) return {};
    const nowNs = this.#run.nowNs();
    return { impairments: { "a-to-b": aToB.saveState(nowNs), "b-to-a": bToA.saveState(nowNs) } };
  }

  #impair(impairments: LinkImpairments | undefined): void {
    this.#impairments = impairments;
    const { seed, startUs, nowNs, sinkOf } = this.#run;
    for (const line of [this.aToB, this.bToA])
      line.setImpairments(impairments, { seed, startUs, nowNs: nowNs(), sink: sinkOf(line) });
  }
}

const withoutEmpty = (state: LinkState): LinkState =>
  Object.fromEntries(Object.entries(state).filter(([, chain]) => Object.keys(chain).length > 0));
