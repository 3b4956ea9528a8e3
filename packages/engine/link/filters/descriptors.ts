/** The filters a link offers and the parameters of each: the interface's list, in its order. */

/** A whole number with bounds, both included. */
export interface IntParameter {
  readonly name: string;
  readonly type: "int";
  readonly minimum: number;
  readonly maximum: number;
  readonly unit: string;
}

/** Free text: no bounds, no unit. */
export interface TextParameter {
  readonly name: string;
  readonly type: "text";
}

export interface FilterDescriptor {
  readonly type: SettableFilterType;
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly (IntParameter | TextParameter)[];
}

/** The filters a client can set; `suspend` is a field of the link, not a filter of the list. */
export type SettableFilterType = "frequency_drop" | "packet_loss" | "delay" | "corrupt" | "bpf";

export const FILTER_DESCRIPTORS: readonly FilterDescriptor[] = [
  {
    type: "frequency_drop",
    name: "Frequency drop",
    description: "Drops every Nth packet of a direction; -1 drops all of them, 0 none.",
    parameters: [{ name: "Frequency", type: "int", minimum: -1, maximum: 32767, unit: "th packet" }],
  },
  {
    type: "packet_loss",
    name: "Packet loss",
    description: "Drops each packet with the given chance.",
    parameters: [{ name: "Chance", type: "int", minimum: 0, maximum: 100, unit: "%" }],
  },
  {
    type: "delay",
    name: "Delay",
    description:
      "Delivers each packet later by the latency, plus or minus a random part of up to the jitter.",
    parameters: [
      { name: "Latency", type: "int", minimum: 0, maximum: 32767, unit: "ms" },
      { name: "Jitter (-/+)", type: "int", minimum: 0, maximum: 32767, unit: "ms" },
    ],
  },
  {
    type: "corrupt",
    name: "Corrupt",
    description: "Flips one bit of a packet with the given chance.",
    parameters: [{ name: "Chance", type: "int", minimum: 0, maximum: 100, unit: "%" }],
  },
  {
    type: "bpf",
    name: "Berkeley Packet Filter (BPF)",
    description: "Drops every packet that matches any of the expressions, written one per line.",
    parameters: [{ name: "Filters", type: "text" }],
  },
];
