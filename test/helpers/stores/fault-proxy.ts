/** A proxy between the functions and a store with DynamoDB's limits, which cuts the caller off at a chosen call: no later call gets through. */
import { PartitionLimits } from "./partition-limits.ts";
import { type StoreProxy, startStoreProxy } from "./store-proxy.ts";

/** One plan for all proxies of a test, so that calls to different servers count together. */
export class FaultPlan {
  #left = Number.POSITIVE_INFINITY;
  #moment: "before" | "after" = "before";
  #dead = false;
  /** Calls that change something and got through since the plan was last set or cleared. */
  passed: string[] = [];

  /** Kills call number `index` (from 0) of those that change something, before or after it takes effect. */
  killAt(index: number, moment: "before" | "after"): void {
    this.clear();
    this.#left = index;
    this.#moment = moment;
  }

  /** Lets every call through again. */
  clear(): void {
    this.#left = Number.POSITIVE_INFINITY;
    this.#dead = false;
    this.passed = [];
  }

  /** Reports whether the planned call has been made. */
  get struck(): boolean {
    return this.#dead;
  }

  /** Decides the fate of a call. */
  judge(name: string, changes: boolean): "pass" | "die-before" | "die-after" {
    if (this.#dead) return "die-before";
    if (!changes) return "pass";
    if (this.#left-- > 0) {
      this.passed.push(name);
      return "pass";
    }
    this.#dead = true;
    return this.#moment === "before" ? "die-before" : "die-after";
  }
}

export type FaultProxy = StoreProxy;

const FATES = { pass: "pass", "die-before": "cut-before", "die-after": "cut-after" } as const;

export const startFaultProxy = (target: string, plan: FaultPlan): Promise<FaultProxy> =>
  startStoreProxy(
    target,
    new PartitionLimits().over({ decide: ({ name, changes }) => FATES[plan.judge(name, changes)] }),
  );
