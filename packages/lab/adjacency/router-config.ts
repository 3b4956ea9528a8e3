/** What the configuration of a routing daemon says about its neighbours; the same for FRR and BIRD. */
import type { IpPort } from "../guest-state/ip.ts";

/** A line of a configuration. */
export interface ConfigLine {
  /** A path in the guest, or `running configuration`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** What the reader does not understand: nothing is promised by it. */
export interface Unread {
  readonly at: ConfigLine;
  readonly why: string;
}

/** OSPF runs on the interfaces that match. The first rule of a version that matches an interface holds for it. */
export interface OspfRule {
  readonly version: 2 | 3;
  /** Undefined for the default table of routes. */
  readonly vrf: string | undefined;
  readonly matches: (port: IpPort) => boolean;
  /** In dotted form. */
  readonly area: string;
  readonly at: ConfigLine;
  readonly isPassive: (port: string) => boolean;
  /** `none`, `simple` or `message digest`, with the keys; undefined if the reader does not know. */
  readonly authentication: (port: string) => string | undefined;
  /** `ordinary`, `stub` or `nssa`. */
  readonly areaKind: string;
}

export interface IsisRule {
  readonly port: string;
  readonly at: ConfigLine;
  /** 1 and 2. */
  readonly levels: readonly number[];
  /** Undefined without a `net`. */
  readonly area: string | undefined;
}

export interface BgpRule {
  /** An address, or an interface whose only neighbour is meant. */
  readonly name: string;
  readonly isByPort: boolean;
  /** Undefined for the default table of routes. */
  readonly vrf: string | undefined;
  readonly localAs: number | undefined;
  readonly remoteAs: number | "external" | "internal";
  readonly isPassive: boolean;
  readonly hasBfd: boolean;
  readonly password: string | undefined;
  /** The own address of the session, or the interface whose address it is. */
  readonly source?: string | undefined;
  readonly at: ConfigLine;
}

export interface RouterConfig {
  readonly ospf: readonly OspfRule[];
  readonly isis: readonly IsisRule[];
  readonly bgp: readonly BgpRule[];
  readonly unread: readonly Unread[];
}

/** `1` and `0.0.0.1` are one area. @returns undefined for what is no area. */
export function toArea(text: string): string | undefined {
  if (/^[0-9]+$/.test(text)) {
    const number = Number(text);
    return number > 0xffff_ffff
      ? undefined
      : [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join(".");
  }
  return /^[0-9]+(\.[0-9]+){3}$/.test(text) ? text : undefined;
}
