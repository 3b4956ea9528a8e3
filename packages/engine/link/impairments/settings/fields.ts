/** The parameters of impairments: their kinds, bounds and defaults. Parser, JSON schema and documentation are made from this table. */
import { DISCIPLINES, DISTRIBUTIONS } from "./direction-settings.ts";

export type Field = { readonly about: string } & (
  | {
      readonly kind: "time" | "chance" | "rate" | "size" | "integer" | "number";
      readonly min: number;
      readonly max: number;
      readonly otherwise?: number;
      readonly required?: boolean;
    }
  | { readonly kind: "choice"; readonly of: readonly string[]; readonly otherwise: string }
  | { readonly kind: "boolean"; readonly otherwise: boolean }
  | { readonly kind: "packets" | "filter" | "table" | "opportunities" }
  | {
      readonly kind: "group";
      readonly fields: Fields;
      /** The field that a plain value sets: `delay: 20ms` is `delay: {delay: 20ms}`. */
      readonly main?: string;
    }
);

export type Fields = Readonly<Record<string, Field>>;

const HOUR_NS = 3_600_000_000_000;
const GIB = 1_073_741_824;
const PERCENT_100 = 1_000_000_000;

const chance = (about: string, otherwise?: number): Field => ({
  kind: "chance",
  min: 0,
  max: PERCENT_100,
  about,
  ...(otherwise === undefined ? { required: true } : { otherwise }),
});
const correlation = chance("how much an outcome depends on the last one", 0);
const time = (about: string, otherwise?: number, max = HOUR_NS): Field => ({
  kind: "time",
  min: 0,
  max,
  about,
  ...(otherwise === undefined ? { required: true } : { otherwise }),
});

const LOSS: Fields = {
  random: {
    kind: "group",
    about: "each packet by chance",
    main: "chance",
    fields: { chance: chance("of each packet"), correlation },
  },
  gilbert_elliott: {
    kind: "group",
    about: "losses in bursts: two states",
    main: "p",
    fields: {
      p: chance("good to bad"),
      r: chance("bad to good; without it 1 - p", -1),
      "1-h": chance("of loss in the bad state", PERCENT_100),
      "1-k": chance("of loss in the good state", 0),
    },
  },
  markov: {
    kind: "group",
    about: "losses in bursts: four states",
    main: "p13",
    fields: {
      p13: chance("received to a burst of losses"),
      p31: chance("burst of losses to received; without it 1 - p13", -1),
      p32: chance("burst of losses to received within the burst", 0),
      p23: chance("received within the burst to losses", 0),
      p14: chance("a loss alone", 0),
    },
  },
  listed: { kind: "packets", about: "the packets of these numbers, from 1" },
  ecn: { kind: "boolean", otherwise: false, about: "marks instead of dropping, if the packet allows it" },
};

export const DIRECTION_FIELDS: Fields = {
  broken: { kind: "boolean", otherwise: false, about: "nothing arrives; neither end sees it" },
  drop: { kind: "filter", about: "drops packets that match a pcap-filter expression" },
  mtu: {
    kind: "group",
    about: "largest network packet",
    main: "bytes",
    fields: {
      bytes: { kind: "integer", min: 68, max: 65_535, required: true, about: "largest packet in bytes" },
      larger: {
        kind: "choice",
        of: ["drop", "icmp"],
        otherwise: "drop",
        about:
          "whether the link drops larger packets, or the router, server, PC or Linux node that sends sees the MTU",
      },
    },
  },
  loss: { kind: "group", main: "random", fields: LOSS, about: "lost packets" },
  bit_error_rate: { kind: "number", min: 0, max: 1, about: "chance of an error in each bit" },
  duplicate: {
    kind: "group",
    about: "sends a packet twice",
    main: "chance",
    fields: { chance: chance("of each packet"), correlation },
  },
  corrupt: {
    kind: "group",
    about: "damages packets",
    main: "chance",
    fields: {
      chance: chance("of each packet"),
      correlation,
      bits: { kind: "integer", min: 1, max: 1_000, about: "bits to flip, 1 unless bytes is set" },
      bytes: { kind: "integer", min: 1, max: 1_000, about: "bytes to overwrite" },
      crc: {
        kind: "choice",
        of: ["deliver", "drop"],
        otherwise: "deliver",
        about: "whether a damaged frame arrives, or the receiver's CRC check drops it",
      },
    },
  },
  rate: {
    kind: "group",
    about: "bits a second",
    main: "rate",
    fields: {
      rate: { kind: "rate", min: 1, max: 1e12, otherwise: 0, about: "bits a second" },
      overhead: {
        kind: "integer",
        min: -1_500,
        max: 1_500,
        otherwise: 0,
        about: "bytes added to each packet",
      },
      cell_size: { kind: "integer", min: 0, max: 65_535, otherwise: 0, about: "payload of a cell in bytes" },
      cell_overhead: { kind: "integer", min: 0, max: 1_500, otherwise: 0, about: "bytes added to each cell" },
      burst: { kind: "size", min: 0, max: GIB, otherwise: 0, about: "token bucket in bytes" },
      peak_rate: { kind: "rate", min: 0, max: 1e12, otherwise: 0, about: "bits a second within a burst" },
      opportunities: { kind: "opportunities", about: "a mahimahi trace instead of a rate" },
    },
  },
  queue: {
    kind: "group",
    about: "packets that wait for the rate",
    main: "limit",
    fields: {
      discipline: { kind: "choice", of: DISCIPLINES, otherwise: "drop_tail", about: "which packet to drop" },
      limit: { kind: "integer", min: 1, max: 100_000, otherwise: 1_000, about: "packets" },
      limit_bytes: { kind: "size", min: 0, max: GIB, otherwise: 0, about: "bytes; 0 for no bound" },
      ecn: { kind: "boolean", otherwise: false, about: "marks instead of dropping, if the packet allows it" },
      target: time("CoDel: acceptable sojourn time", 5_000_000),
      interval: { ...time("CoDel: time to react", 100_000_000), min: 1 } as Field,
      flows: { kind: "integer", min: 1, max: 65_536, otherwise: 1_024, about: "fq_codel: number of queues" },
      quantum: {
        kind: "integer",
        min: 64,
        max: 65_535,
        otherwise: 1_514,
        about: "fq_codel: bytes of a turn",
      },
      drop_batch: {
        kind: "integer",
        min: 1,
        max: 64,
        otherwise: 64,
        about: "fq_codel: packets dropped at once",
      },
      min: { kind: "size", min: 1, max: GIB, otherwise: 30_000, about: "RED: average without drops, bytes" },
      max: {
        kind: "size",
        min: 1,
        max: GIB,
        otherwise: 90_000,
        about: "RED: average with all dropped, bytes",
      },
      probability: chance("RED: of a drop at max", 20_000_000),
      weight: { kind: "number", min: 1e-9, max: 1, otherwise: 0.002, about: "RED: weight of a sample" },
      avpkt: { kind: "size", min: 1, max: 65_535, otherwise: 1_000, about: "RED: average packet, bytes" },
    },
  },
  delay: {
    kind: "group",
    about: "later arrival",
    main: "delay",
    fields: {
      delay: time("of each packet", 0),
      jitter: time("spread around the delay", 0),
      distribution: { kind: "choice", of: DISTRIBUTIONS, otherwise: "uniform", about: "of the jitter" },
      table: { kind: "table", about: "a distribution in netem's format" },
      correlation,
      keep_order: { kind: "boolean", otherwise: false, about: "no packet overtakes another" },
    },
  },
  reorder: {
    kind: "group",
    about: "sends a packet without its delay",
    main: "chance",
    fields: {
      chance: chance("of each packet that may be sent early"),
      correlation,
      gap: { kind: "integer", min: 1, max: 65_535, otherwise: 1, about: "only every gap-th packet may be" },
    },
  },
  slots: {
    kind: "group",
    about: "packets arrive in groups",
    main: "min_delay",
    fields: {
      min_delay: time("shortest time between two slots"),
      max_delay: time("longest time; without it min_delay", -1),
      packets: { kind: "integer", min: 0, max: 100_000, otherwise: 0, about: "of one slot; 0 for no bound" },
      bytes: { kind: "size", min: 0, max: GIB, otherwise: 0, about: "of one slot; 0 for no bound" },
    },
  },
};
