/**
 * Compares what a simulated PC prints for some 780 lines with a recording of VPCS 0.8.3: command names, addresses in all
 * notations, and missing, wrong or surplus words. Lines that need another host are in test/proof.
 */
import { describe, expect, test } from "vitest";
import { type Printed, recordedConsole, simulatedConsole } from "../../../../helpers/engine/vpcs-console.ts";

/** Lines whose output differs from VPCS's, by the row of docs/compatibility.md that gives the reason. */
const DIFFERENT: Readonly<Record<string, readonly string[]>> = {
  "IPv6 addresses that no host can have": [
    ...["ip fe80::1/64", "ip fe80::1/10", "ip ::", "ip ::1", "ip ::1/128", "ip ff02::1", "ip ff02::1/64"],
    "ping ::",
  ],
  "eui-64": ["ip 2001:db8::1/48 eui-64", "ip 2001:db8:: 64 eui-64", "ip 2001:db8::1 eui-64"],
  "an IPv6 address that ends in an IPv4 one": ["ip ::10.0.0.1/96"],
  "a mask behind the gateway": ["ip 10.0.0.1 10.0.0.2 255.255.255.0"],
  "load of a folder": ["load .", "load .."],
  "saved files": [`save ${"a".repeat(89)}`],
  "set mtu over 65535": ["set mtu 65536", "set mtu 100000"],
  "several PCs in one program": ["show arp 2", "show ip 2", "show ipv6 2", "show mtu6 2", "arp 2"],
  "show ipv6 all": ["show ipv6 all"],
  "clear mtu": ["clear m"],
  "ping of a group": ["ping ff02::1 -c 1 -w 100"],
  "ping with too much or too little data": [
    ...["65508", "70000", "1000000", "-1"].map((bytes) => `ping 10.0.0.1 -c 1 -l ${bytes}`),
    "ping 10.0.0.2 -c 1 -l 70000",
  ],
};

const different: ReadonlySet<string> = new Set(Object.values(DIFFERENT).flat());
const linesOf = (group: readonly Printed[]): string[] => group.map(({ line }) => line);

describe("a PC's console", () => {
  test.each(recordedConsole.map((group) => ({ first: group[0]!.line, group })))(
    "prints what VPCS 0.8.3 prints, from $first on",
    ({ group }) => {
      const isSame = ({ line }: Printed): boolean => !different.has(line);
      expect(simulatedConsole(linesOf(group)).filter(isSame)).toEqual(group.filter(isSame));
    },
  );

  test("prints something else than VPCS for every line listed as different", () => {
    const unlike = recordedConsole.flatMap((group) => {
      const ours = simulatedConsole(linesOf(group));
      return ours.filter(({ printed }, at) => printed !== group[at]!.printed);
    });
    expect(new Set(linesOf(unlike))).toEqual(different);
  });
});
