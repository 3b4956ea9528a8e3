/** Labs with more neighbours than a PC's tables hold. */

import { describe, expect, test } from "vitest";
import { ARP_TABLE_MAX } from "../../../../../packages/engine/devices/pc/stack/arp-table.ts";
import { LabBuilder, plan } from "../../../../helpers/engine/lab-builder.ts";

const PCS = ARP_TABLE_MAX + 8;
const numbers = Array.from({ length: PCS }, (_, index) => index + 1);
const PINGERS = [1, 2, 3];
const answered = (output: string): number => output.match(/_seq=1 ttl=64/g)?.length ?? 0;

describe.each([
  ["IPv4", (number: number) => `10.0.0.${number}`, 24],
  ["IPv6", (number: number) => `2001:db8::${number.toString(16)}`, 64],
] as const)("a PC over %s", (_family, addressOf, prefixLength) => {
  test(`gets the answers of all its ${PCS - 1} neighbours, which ping it and each other`, () => {
    const lab = new LabBuilder().ethernetSwitch("SW1", PCS);
    for (const number of numbers)
      lab.pc(number, `ip ${addressOf(number)}/${prefixLength}`).join([`PC${number}`, 0], ["SW1", number - 1]);
    const simulation = lab.simulate();
    const sessions = PINGERS.map((own) => {
      const others = numbers.filter((other) => other !== own);
      return plan(
        simulation,
        `PC${own}`,
        others.map((other) => `ping ${addressOf(other)} -c 1 -i 1`),
        5,
      );
    });
    simulation.advance();
    expect(sessions.map(({ output }) => answered(output))).toEqual(PINGERS.map(() => PCS - 1));
  });
});
