/** Settings of netem and the same settings of this engine. */
export interface Case {
  readonly name: string;
  /** Arguments of `tc qdisc ... netem`. */
  readonly tc: string;
  /** Impairments of one direction. */
  readonly ours: Readonly<Record<string, unknown>>;
}

export const CASES: readonly Case[] = [
  { name: "delay 20ms", tc: "delay 20ms", ours: { delay: "20ms" } },
  {
    name: "uniform jitter",
    tc: "delay 20ms 5ms",
    ours: { delay: { delay: "20ms", jitter: "5ms" } },
  },
  ...["normal", "pareto", "paretonormal"].map((distribution) => ({
    name: `jitter ${distribution}`,
    tc: `delay 20ms 3ms distribution ${distribution}`,
    ours: { delay: { delay: "20ms", jitter: "3ms", distribution } },
  })),
  { name: "loss 5%", tc: "loss random 5%", ours: { loss: "5%" } },
  {
    name: "loss 20%, correlation 30% (netem's correlation changes the loss)",
    tc: "loss random 20% 30%",
    ours: { loss: { random: { chance: "20%", correlation: "30%" } } },
  },
  {
    name: "Gilbert-Elliott",
    tc: "loss gemodel 2% 20% 80% 1%",
    ours: { loss: { gilbert_elliott: { p: "2%", r: "20%", "1-h": "80%", "1-k": "1%" } } },
  },
  {
    name: "Markov",
    tc: "loss state 3% 30% 20% 40% 1%",
    ours: { loss: { markov: { p13: "3%", p31: "30%", p32: "20%", p23: "40%", p14: "1%" } } },
  },
  { name: "duplicate 10%", tc: "duplicate 10%", ours: { duplicate: "10%" } },
  {
    name: "reorder 25% gap 5",
    tc: "delay 10ms reorder 25% gap 5",
    ours: { delay: "10ms", reorder: { chance: "25%", gap: 5 } },
  },
  {
    name: "rate 6mbit, slower than the packets",
    tc: "rate 6mbit",
    ours: { rate: "6mbit", queue: { limit: 100_000 } },
  },
  {
    name: "rate with cells",
    tc: "rate 20mbit 20 48 5",
    ours: { rate: { rate: "20mbit", overhead: 20, cell_size: 48, cell_overhead: 5 } },
  },
  {
    name: "slots",
    tc: "slot 10ms 20ms packets 50",
    ours: { slots: { min_delay: "10ms", max_delay: "20ms", packets: 50 } },
  },
];
