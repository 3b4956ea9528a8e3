/** Transfers between servers over links that reorder and lose nothing: they take as long as over a link that keeps the order. */
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { runLab } from "@wirelab/lab/run-lab";
import { expect, it } from "vitest";

/** What is in front of an idle link of 20 Mb/s, and the transfer has at least three quarters of its rate. */
const lab = (link: string, bytes: string): string => `
nodes:
  a: {type: server, ip: 10.0.0.1/24}
  b: {type: server, ip: 10.0.0.2/24}
links:
  - {link: a -- b, ${link}}
run:
  - {at: 1s, console: {a: send 10.0.0.2 -n ${bytes}}}
expect:
  - {throughput: a -> b, is: "> 15mbit", timeouts: 0}
`;

it.each([
  ["delay of 20 ms +- 5 ms", "impairments: {both: {rate: 20mbit, delay: {delay: 20ms, jitter: 5ms}}}", "5M"],
  ["delay of 10 ms +- 5 ms", "impairments: {both: {rate: 20mbit, delay: {delay: 10ms, jitter: 5ms}}}", "3M"],
  ["filter delay with jitter", "filters: {delay: [10, 5]}, impairments: {both: {rate: 20mbit}}", "3M"],
  [
    "one packet in twenty early",
    "impairments: {both: {rate: 20mbit, delay: 10ms, reorder: {chance: 5%}}}",
    "3M",
  ],
  [
    "one packet in twenty twice",
    "impairments: {both: {rate: 20mbit, delay: 10ms, duplicate: {chance: 5%}}}",
    "3M",
  ],
])("%s", (_, link, bytes) => {
  const { verdicts } = runLab(parseLabFile(lab(link, bytes), { name: "lab", file: "lab" }));
  expect(verdicts.map(({ status, got }) => `${status}: ${got}`)).toEqual([expect.stringMatching(/^passed/)]);
});
