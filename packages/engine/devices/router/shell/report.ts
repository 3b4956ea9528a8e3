/** What a router knows between two runs beside its console, read from its state. */
import { ownValue } from "../../../base/own-value.ts";
import type { VxlanSpec } from "../../../net/plane/config.ts";
import { interfacesOf } from "../../../net/plane/config.ts";
import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import { formatMac } from "../../../wire/mac.ts";
import type { RouterConfig } from "../services/base/config.ts";
import { remoteOf } from "../services/vxlan/bridge.ts";
import type { RouterState } from "./state.ts";

/** An empty list: the router does not have the feature. */
export interface RouterReport {
  readonly vxlan: readonly SegmentReport[];
}

export interface SegmentReport {
  readonly name: string;
  readonly vni: number;
  readonly local: string;
  readonly remotes: readonly string[];
  readonly members: readonly string[];
  /** Each has the interface or the remote end behind which the address is. */
  readonly macs: readonly {
    readonly mac: string;
    readonly interface?: string;
    readonly remote?: string;
    /** Seconds since its last frame. */
    readonly age: number;
  }[];
}

/** @param state undefined for a router that is off. @param nowUs the lab's clock. */
export function reportRouter(
  configured: RouterConfig,
  state: RouterState | undefined,
  nowUs: number,
): RouterReport {
  const running = state?.running ?? configured;
  const names = interfacesOf(running).map(({ name }) => name);
  const segments = (running.interfaces ?? []).filter((each) => each.type === "vxlan");
  return { vxlan: segments.map((each) => reportSegment(each, names, state, nowUs)) };
}

function reportSegment(
  { name, vni, local, remotes, members = [], ageingSeconds }: VxlanSpec & { readonly name: string },
  names: readonly string[],
  state: RouterState | undefined,
  nowUs: number,
): SegmentReport {
  const macs = (ownValue(state?.services?.vxlan, name) ?? []).flatMap(([, mac, place, heardUs]) => {
    const age = (nowUs - heardUs) / 1_000_000;
    const remote = remoteOf(place);
    const where = remote === undefined ? { interface: names[place]! } : { remote: formatIpv4(remote) };
    return age < ageingSeconds ? [{ mac: formatMac(mac), ...where, age }] : [];
  });
  return { name, vni, local, remotes: [...remotes], members: [...members], macs };
}
