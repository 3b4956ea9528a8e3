/** The lab file's model as types, for tests in TypeScript. */
import type { DeviceType, LabType } from "@wirelab/engine/devices/kinds";
import type { LabReport } from "@wirelab/lab/report/report";

/** Lab time: "1.5s", "20ms"; a number is seconds. */
export type Duration = string | number;
/** "< 65ms", "10..20", 0 */
export type Amount = string | number;
type Names = string | readonly string[];
type Filters = Readonly<Record<string, unknown>>;
/** The name of a preset, or a map like that of the service. */
type Impaired = string | Readonly<Record<string, unknown>>;

type DescribedNode =
  | {
      readonly type?: "pc" | "vpcs";
      readonly ip?: Names;
      readonly gateway?: string;
      readonly dns?: Names;
      readonly commands?: Names;
      readonly started?: boolean;
      readonly ignore_checksums?: boolean;
    }
  | {
      readonly type: "switch" | "ethernet_switch";
      readonly ports?: number | readonly object[];
      readonly vlans?: Readonly<Record<string, number | "trunk">>;
      readonly started?: boolean;
    }
  | { readonly type: "hub" | "ethernet_hub"; readonly ports?: number; readonly started?: boolean }
  | {
      readonly type: "router";
      readonly ports?: readonly (string | object)[];
      readonly routes?: Readonly<Record<string, string>> | readonly object[];
      readonly started?: boolean;
    }
  | {
      readonly type: "linux";
      /** An image of `wirelab image build`. */
      readonly image?: string;
      /** Their number, or the addresses of each. */
      readonly ports?: number | readonly (string | readonly string[] | null)[];
      /** By path in the guest. */
      readonly files?: Readonly<Record<string, string | { readonly from: string }>>;
      /** Addresses that its own commands give it. */
      readonly addresses?: Names;
      /** Names of the ports; default eth0, eth1, ... */
      readonly interfaces?: readonly string[];
      readonly commands?: string | readonly string[];
      /** A program that starts after the commands. */
      readonly main?: Program;
      /** Programs after the commands, each run without a shell. */
      readonly exec?: readonly Program[];
      /** Files that `wirelab test` keeps; a test in TypeScript keeps none. */
      readonly collect?: Names;
      readonly started?: boolean;
    }
  | { readonly type: "cloud" };

/** Fields as in lab files. */
interface OtherNode {
  readonly type: Exclude<LabType | DeviceType, DescribedNode["type"]>;
  readonly [field: string]: unknown;
}

export type NodeSpec = string | null | DescribedNode | OtherNode;

interface Program {
  readonly run: readonly string[];
  /** What reports name. */
  readonly place?: string;
}

export type LinkSpec =
  | string
  | {
      readonly link: string;
      readonly name?: string;
      readonly filters?: Filters;
      readonly impairments?: Impaired;
      readonly down?: boolean;
    };

export interface EventSpec {
  readonly at?: Duration;
  readonly name?: string;
  readonly console?: Readonly<Record<string, Names>>;
  readonly down?: Names;
  readonly up?: Names;
  readonly filters?: Readonly<Record<string, Filters | null>>;
  readonly impairments?: Readonly<Record<string, Impaired | null>>;
  readonly start?: Names;
  readonly stop?: Names;
  readonly suspend?: Names;
  readonly reload?: Names;
  readonly replay?: { readonly file: string; readonly from: string; readonly port?: string | number };
}

export interface LabSpec {
  readonly name?: string;
  readonly description?: string;
  readonly topology?: string;
  readonly seed?: string | number;
  readonly clock?: string | Date;
  readonly duration?: Duration;
  readonly limits?: { readonly events?: number; readonly packets?: number; readonly lab_seconds?: number };
  readonly routing?: { readonly quiet?: Duration; readonly limit?: Duration };
  readonly nodes?: Readonly<Record<string, NodeSpec>>;
  readonly links?: readonly LinkSpec[];
  readonly run?: readonly EventSpec[];
  readonly expect?: readonly Readonly<Record<string, unknown>>[];
}

/** A lab of a test. Nothing changes it: `run` returns another lab. */
export interface Lab {
  /** Returns the lab with further events. */
  run(...events: readonly EventSpec[]): Lab;
  /** Plays the lab and judges the expectations of its file. */
  report(): LabReport;
}

/** The fields that every expectation has. */
export interface When {
  readonly at?: Duration | "end";
  /** The name of an event. */
  readonly after?: string;
  readonly within?: Duration;
}
interface Protocol {
  readonly protocol?: "icmp" | "udp" | "tcp";
  readonly port?: number;
}
interface Where {
  readonly link?: string;
  readonly from?: string;
  readonly filters?: "before" | "after";
  readonly since?: Duration;
  readonly until?: Duration;
}

/** Each returns whether the lab holds it, as the expectation of the same kind in a lab file. */
export interface LabMatchers<R = unknown> {
  /** `reach`: "pc1 -> pc2", a list of these, or "all". */
  toReach(pairs: Names, options?: When & Protocol & { readonly tries?: number }): R;
  /** `ping`: statistics; without any, none is lost. */
  toPing(
    pair: string,
    options?: When &
      Protocol & {
        readonly count?: number;
        readonly interval?: Duration;
        readonly size?: number;
      } & Partial<
        Readonly<Record<"lost" | "duplicates" | "min" | "mean" | "p50" | "p90" | "p99" | "max", Amount>>
      >,
  ): R;
  /** `path`: the routers (`via`) or all nodes (`through`) between two ends. */
  toTakePath(
    pair: string,
    options: When &
      Protocol & {
        readonly via?: readonly string[];
        readonly through?: readonly string[];
        readonly hops?: Amount;
      },
  ): R;
  /** `seen`, or `count` with `is`: packets that match a pcap-filter expression. */
  toCarry(expression: string, options?: When & Where & { readonly is?: Amount }): R;
  /** `arp`: a PC or router knows a node or an address. */
  toHaveNeighbour(node: string, neighbour: string, options?: When & { readonly mac?: string }): R;
  /** `mac`: a switch has learned a node or a MAC address. */
  toHaveLearned(
    node: string,
    station: string,
    options?: When & { readonly port?: string | number; readonly vlan?: number },
  ): R;
  /** `route`: of a router, to a prefix or an address. */
  toHaveRoute(node: string, to: string, options?: When & { readonly via?: string }): R;
  /** `lease`: of a PC. */
  toHaveLease(node: string, options?: When & { readonly address?: string; readonly gateway?: string }): R;
  /** `console`: what a node printed. */
  toPrint(node: string, text: string | RegExp, options?: When): R;
  /** `loop`: packets go round. */
  toLoop(): R;
  /** All expectations of the lab's file. */
  toHold(): R;
}
