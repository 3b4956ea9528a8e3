/**
 * Impairments of well-known networks. The first end of a link (a) is the user, the second (b) the network: a to b is the upload.
 * A round trip is divided evenly between both directions. docs/impairments.md has the sources of the numbers.
 */
export interface Preset {
  readonly about: string;
  readonly source: string;
  readonly impairments: Readonly<Record<string, unknown>>;
}

const WEBPAGETEST = "WebPageTest's connectivity profiles";
const OWN = "chosen for this preset";

const asymmetric = (up: string, down: string, oneWay: string, more: object = {}) => ({
  both: { delay: oneWay, queue: { limit: 1_000 }, ...more },
  a_to_b: { rate: up },
  b_to_a: { rate: down },
});

export const PRESETS: Readonly<Record<string, Preset>> = {
  "3g": {
    about: "1.6 Mb/s down, 768 kb/s up, 300 ms round trip",
    source: `${WEBPAGETEST}, 3G`,
    impairments: asymmetric("768kbit", "1.6mbit", "150ms"),
  },
  lte: {
    about: "12 Mb/s both ways, 70 ms round trip",
    source: `${WEBPAGETEST}, LTE`,
    impairments: asymmetric("12mbit", "12mbit", "35ms"),
  },
  "5g": {
    about: "166 Mb/s down, 21 Mb/s up, 30 ms round trip",
    source: `rates: Ookla, "Growing and Slowing: The State of 5G Worldwide in 2021" (medians of Q3 2021: 166.13 and 21.08 Mb/s); delay: ${OWN}`,
    impairments: asymmetric("21.08mbit", "166.13mbit", "15ms"),
  },
  dsl: {
    about: "1.5 Mb/s down, 384 kb/s up, 50 ms round trip, cells of ATM",
    source: `${WEBPAGETEST}, DSL; cells of 48 + 5 bytes: ITU-T I.361`,
    impairments: {
      both: { delay: "25ms", queue: { limit: 1_000 } },
      a_to_b: { rate: { rate: "384kbit", cell_size: 48, cell_overhead: 5 } },
      b_to_a: { rate: { rate: "1.5mbit", cell_size: 48, cell_overhead: 5 } },
    },
  },
  cable: {
    about: "5 Mb/s down, 1 Mb/s up, 28 ms round trip",
    source: `${WEBPAGETEST}, Cable`,
    impairments: asymmetric("1mbit", "5mbit", "14ms"),
  },
  "wifi-busy": {
    about: "20 Mb/s, packets in groups every 2 to 10 ms, losses in bursts",
    source: OWN,
    impairments: {
      both: {
        rate: "20mbit",
        queue: { limit: 500 },
        delay: { delay: "2ms", jitter: "1ms", keep_order: true },
        slots: { min_delay: "2ms", max_delay: "10ms", packets: 32 },
        loss: { gilbert_elliott: { p: "0.5%", r: "30%", "1-h": "50%" } },
      },
    },
  },
  "geo-satellite": {
    about: "10 Mb/s down, 2 Mb/s up, 250 ms each way",
    source: `delay: RFC 2488, section 2 (239.6 to 279.0 ms over one satellite); rates: ${OWN}`,
    impairments: asymmetric("2mbit", "10mbit", "250ms"),
  },
  "leo-satellite": {
    about: "100 Mb/s down, 10 Mb/s up, 40 ms round trip with jitter",
    source: `within Starlink's published 25 to 220 Mb/s down, 5 to 20 Mb/s up and 25 to 60 ms; jitter: ${OWN}`,
    impairments: {
      both: {
        delay: { delay: "20ms", jitter: "5ms", distribution: "normal", keep_order: true },
        queue: 1_000,
      },
      a_to_b: { rate: "10mbit" },
      b_to_a: { rate: "100mbit" },
    },
  },
  transatlantic: {
    about: "90 ms round trip, one loss in 10,000",
    source: `delay: Verizon's service level for London to New York (90 ms round trip); loss: ${OWN}`,
    impairments: { both: { delay: "45ms", loss: "0.01%" } },
  },
  "lossy-vpn": {
    about:
      "2 % loss, 40 ms each way with jitter, 60 bytes more a packet, largest packet 1,420 bytes, which senders see",
    source: `60 bytes and 1,420: WireGuard over IPv4 and the default MTU of its interface; loss and delay: ${OWN}`,
    impairments: {
      both: {
        mtu: { bytes: 1_420, larger: "icmp" },
        loss: "2%",
        delay: { delay: "40ms", jitter: "10ms", distribution: "normal" },
        rate: { rate: "50mbit", overhead: 60 },
        queue: 1_000,
      },
    },
  },
};
