/** Equal attributes are one object in a router, so that routes with the same attributes are found, compared and announced together. */
import { toHex } from "../../base/bytes.ts";
import type { RouteAttributes } from "./attributes.ts";

const FIRST_SWEEP = 1_024;

export class Interning {
  #known = new Map<string, RouteAttributes>();
  readonly #keys = new WeakSet<RouteAttributes>();
  #sweepAt = FIRST_SWEEP;

  /** The object that stands for all with the same values. */
  intern(attributes: RouteAttributes): RouteAttributes {
    if (this.#keys.has(attributes)) return attributes;
    const key = textOf(attributes);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, attributes);
    this.#keys.add(attributes);
    return attributes;
  }

  /** Forgets attributes that no route has; cheap unless many were added. @param used of all routes. */
  sweep(used: () => ReadonlySet<RouteAttributes>): void {
    if (this.#known.size < this.#sweepAt) return;
    const live = used();
    for (const [key, attributes] of this.#known) {
      if (live.has(attributes)) continue;
      this.#known.delete(key);
      this.#keys.delete(attributes);
    }
    this.#sweepAt = Math.max(FIRST_SWEEP, 2 * this.#known.size);
  }
}

const textOf = (attributes: RouteAttributes): string =>
  JSON.stringify([
    attributes.origin,
    attributes.asPath.map(({ type, systems }) => [type, systems]),
    attributes.nextHop,
    attributes.med,
    attributes.localPreference,
    attributes.isAtomicAggregate,
    attributes.aggregator && [attributes.aggregator.system, attributes.aggregator.address],
    attributes.communities,
    attributes.extendedCommunities,
    attributes.largeCommunities,
    attributes.originatorId,
    attributes.clusterList,
    attributes.unknown.map(({ flags, type, value }) => [flags, type, toHex(value)]),
  ]);
