import { typeCommands } from "@wirelab/engine/simulation/actions";
import { ConsoleSession } from "@wirelab/engine/simulation/console-session";
import { expect, test } from "vitest";
import { LabBuilder } from "../../../helpers/engine/lab-builder.ts";

const ROUTER = {
  type: "router",
  name: "R1",
  mac: 0x0257_4c00_0000,
  ports: [],
  routes: [],
} as const;

function typed(node: "PC1" | "R1", lines: readonly string[]): ConsoleSession {
  const builder = new LabBuilder().pc(1, "").pc(2).join(["PC1", 0], ["PC2", 0]).add("R1", ROUTER);
  const simulation = builder.simulate();
  const session = new ConsoleSession(node, lines, { isEchoed: false });
  simulation.schedule(0, typeCommands(session));
  builder.advanceLazily(simulation);
  return session;
}

const outputsOf = ({ printed }: ConsoleSession, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    printed.flatMap(({ command, text }) => (command === index ? [text] : [])).join(""),
  );

test("without an echo, the transcript of a PC has the output of each command and the prompt after it", () => {
  const lines = ["show arp", "", "x".repeat(1_001), "echo a  b"];
  expect(outputsOf(typed("PC1", lines), lines.length)).toEqual([
    "\narp table is empty\n\nPC1> ",
    "\nPC1> ",
    "The line is longer than 1000 characters\n\nPC1> ",
    "a  b\nPC1> ",
  ]);
});

test("without an echo, the transcript of a router has the output of each command and the prompt after it", () => {
  const [help, blank] = outputsOf(typed("R1", ["help", ""]), 2);
  expect(help).toMatch(/^(?!help\n)[\s\S]+\n\nR1> $/);
  expect(blank).toBe("\nR1> ");
});

test("each text has the lab time at which the console printed it", () => {
  const { printed } = typed("PC1", ["ip 10.0.0.1/16", "ping 10.0.0.2 -c 3"]);
  const seconds = printed.flatMap(({ atNs, text }) => (text.includes("icmp_seq") ? [atNs / 1e9] : []));
  expect(seconds.map(Math.floor)).toEqual([3, 4, 5]);
});
