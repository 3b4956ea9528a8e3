import { describe, expect, test } from "vitest";
import { dhcpCommand } from "../../../../../../packages/engine/devices/pc/dhcp/command.ts";
import { resumeLease } from "../../../../../../packages/engine/devices/pc/dhcp/renewal.ts";
import {
  DHCP_ACK,
  DHCP_NAK,
  messageType,
  numberOption,
  OPTION_LEASE_TIME,
} from "../../../../../../packages/engine/wire/dhcp.ts";
import { BENCH_START_US } from "../../../../../helpers/engine/device-bench.ts";
import {
  clientMessage,
  DhcpServer,
  goodServer,
  OFFERED_IP,
  type Rule,
  reply,
  SERVER_IP,
  SERVER_MAC,
  USUAL_OPTIONS,
} from "../../../../../helpers/engine/dhcp-server.ts";
import { hexOf, PcBench } from "../../../../../helpers/engine/script-pc.ts";

const NOTHING = { address: 0, prefixLength: 0, gateway: 0 };
const leaseFor = (seconds: number) =>
  USUAL_OPTIONS.map((option) =>
    option[0] === OPTION_LEASE_TIME ? ([OPTION_LEASE_TIME, numberOption(seconds)] as const) : option,
  );

/** A PC that gets its lease at second 5. */
function leased(seconds: number): { bench: PcBench; server: DhcpServer } {
  const server = new DhcpServer(goodServer(leaseFor(seconds)));
  const bench = new PcBench(server.answer);
  bench.command((host) => dhcpCommand(host, [], {}));
  server.heard.length = 0;
  return { bench, server };
}

const runTo = (bench: PcBench, seconds: number): void => bench.run(seconds * 1e6);

/** Seconds at which the PC sent a request, and the destination MAC. */
const asked = (bench: PcBench): [number, string][] =>
  bench.sent
    .filter(({ atUs, frame }) => atUs >= 5e6 && clientMessage(frame) !== null)
    .map(({ atUs, frame }) => [Math.round(atUs / 1e6), hexOf(frame.subarray(0, 6))]);

const TO_SERVER = "0200000000aa";
const TO_ALL = "ffffffffffff";

describe("A lease", () => {
  test("does not keep a run going", () => {
    const { bench, server } = leased(120);
    bench.run();
    expect(bench.nowUs).toBe(5_000_000);
    expect(server.heard).toEqual([]);
  });

  test("is renewed at half its time, again and again, without a word", () => {
    const { bench } = leased(8);
    const said = bench.transcript("PC1");
    runTo(bench, 18);
    expect(asked(bench)).toEqual([
      [9, TO_SERVER],
      [13, TO_SERVER],
      [17, TO_SERVER],
    ]);
    expect(bench.transcript("PC1")).toBe(said);
    expect(bench.pc.state.ipv4.address).toBe(OFFERED_IP);
    expect(bench.pc.state.lease?.obtainedUs).toBeGreaterThanOrEqual(BENCH_START_US + 17e6);
  });

  test("is renewed with a unicast request from the PC's own address: options 53, 61, 12, 55", () => {
    const { bench } = leased(8);
    bench.pc.state.name = "R1";
    runTo(bench, 10);
    const renewal = hexOf(bench.sent.at(-1)!.frame);
    expect(renewal.length).toBe(2 * 406);
    expect(renewal.slice(28, 48)).toBe("45100188000000001011");
    expect(renewal.slice(52, 68)).toBe("0a0100320a010001");
    expect(renewal.slice(108, 116)).toBe("0a010032");
    const options = "350103" + "3d0701005079666800" + "0c025231" + "37040103060f" + "ff";
    expect(renewal.slice(556)).toBe(`63825363${options}`.padEnd(2 * 406 - 556, "0"));
  });

  test("that its server does not renew is requested by broadcast at seven eighths, and lost at its end", () => {
    const { bench, server } = leased(8);
    server.rule = () => undefined;
    runTo(bench, 12.9);
    expect(asked(bench)).toEqual([
      [9, TO_SERVER],
      [12, TO_ALL],
    ]);
    expect(bench.pc.state.ipv4.address).toBe(OFFERED_IP);
    runTo(bench, 13);
    expect(bench.pc.state.ipv4).toEqual(NOTHING);
    expect(bench.pc.state.lease).toBeUndefined();
  });

  test("is requested again after half of the remaining time, but not within a minute", () => {
    const { bench, server } = leased(1600);
    server.rule = () => undefined;
    runTo(bench, 2000);
    expect(asked(bench)).toEqual([
      [805, TO_SERVER],
      [1105, TO_SERVER],
      [1255, TO_SERVER],
      [1330, TO_SERVER],
      [1390, TO_SERVER],
      [1405, TO_ALL],
      [1505, TO_ALL],
      [1565, TO_ALL],
    ]);
  });

  test("is kept when another server answers the broadcast", () => {
    const { bench, server } = leased(8);
    let requests = 0;
    server.rule = (message) => (++requests === 2 ? reply(message, DHCP_ACK, leaseFor(8)) : undefined);
    runTo(bench, 13);
    expect(bench.pc.state.ipv4.address).toBe(OFFERED_IP);
    expect(bench.pc.state.lease?.obtainedUs).toBeGreaterThanOrEqual(BENCH_START_US + 12e6);
  });

  test("that the server refuses to renew is lost at once", () => {
    const { bench, server } = leased(8);
    server.rule = (message) => reply(message, DHCP_NAK);
    runTo(bench, 9.1);
    expect(bench.pc.state.ipv4).toEqual(NOTHING);
    expect(bench.pc.state.lease).toBeUndefined();
  });

  test.each<[string, Rule]>([
    ["for another address", (message) => reply(message, DHCP_ACK, leaseFor(8), { yourIp: OFFERED_IP + 1 })],
    ["of another exchange", (message) => reply(message, DHCP_ACK, leaseFor(8), { xid: 7 })],
  ])("is not renewed by an answer %s", (_what, rule) => {
    const { bench, server } = leased(8);
    server.rule = rule;
    runTo(bench, 13);
    expect(bench.pc.state.lease).toBeUndefined();
  });

  test("without an end is never renewed", () => {
    const { bench } = leased(0xffff_ffff);
    runTo(bench, 4_000_000);
    expect(asked(bench)).toEqual([]);
    expect(bench.pc.state.ipv4.address).toBe(OFFERED_IP);
  });

  test("of many years is split into waits that a timer can hold", () => {
    const { bench, server } = leased(0xffff_fffe);
    runTo(bench, 1_000_000);
    expect(server.heard).toEqual([]);
    expect(bench.pc.state.ipv4.address).toBe(OFFERED_IP);
  });

  test("is not renewed after the address was set by hand", () => {
    const { bench, server } = leased(8);
    bench.pc.state.ipv4 = { address: 0x0a00_0001, prefixLength: 24, gateway: 0 };
    runTo(bench, 30);
    expect(server.heard).toEqual([]);
    expect(bench.pc.state.ipv4.address).toBe(0x0a00_0001);
  });

  test("that was released is not renewed", () => {
    const { bench, server } = leased(8);
    bench.command((host) => dhcpCommand(host, ["-x"], {}));
    runTo(bench, 30);
    expect(server.heard.map(messageType)).toEqual([7]);
  });

  test("obtained twice is renewed once", () => {
    const { bench, server } = leased(100);
    bench.command((host) => dhcpCommand(host, [], {}));
    server.heard.length = 0;
    runTo(bench, 61);
    expect(server.heard).toHaveLength(1);
  });
});

describe("A lease of an earlier run", () => {
  const lease = {
    server: SERVER_IP,
    serverMac: SERVER_MAC,
    leaseSeconds: 80,
    renewSeconds: 40,
    rebindSeconds: 70,
  };

  /** @param ageSeconds age of the lease when the run begins. */
  function resumed(ageSeconds: number): { bench: PcBench; server: DhcpServer } {
    const server = new DhcpServer(goodServer(leaseFor(80)));
    const bench = new PcBench(server.answer);
    bench.pc.state.ipv4 = { address: OFFERED_IP, prefixLength: 24, gateway: SERVER_IP };
    bench.pc.state.lease = { ...lease, obtainedUs: BENCH_START_US - ageSeconds * 1e6 };
    resumeLease(bench.pc);
    return { bench, server };
  }

  test("continues from its age", () => {
    const { bench, server } = resumed(30);
    runTo(bench, 9);
    expect(server.heard).toHaveLength(0);
    runTo(bench, 11);
    expect(server.heard.map(({ clientIp }) => clientIp)).toEqual([OFFERED_IP]);
  });

  test("whose renewal fell between two runs is renewed at once, but only while the run has other events", () => {
    const { bench, server } = resumed(50);
    bench.run();
    expect(server.heard).toHaveLength(0);
    runTo(bench, 1);
    expect(bench.sent[0]!.atUs).toBe(0);
    expect(bench.pc.state.lease?.obtainedUs).toBeGreaterThanOrEqual(BENCH_START_US);
  });

  test("whose rebinding fell between two runs is requested by broadcast", () => {
    const { bench } = resumed(75);
    runTo(bench, 1);
    expect(hexOf(bench.sent[0]!.frame.subarray(0, 6))).toBe(TO_ALL);
    expect(bench.pc.state.ipv4.address).toBe(OFFERED_IP);
  });

  test("that has expired is removed with its address, without a frame", () => {
    const { bench, server } = resumed(80);
    expect(bench.pc.state.ipv4).toEqual(NOTHING);
    expect(bench.pc.state.lease).toBeUndefined();
    runTo(bench, 100);
    expect(server.heard).toEqual([]);
  });
});
