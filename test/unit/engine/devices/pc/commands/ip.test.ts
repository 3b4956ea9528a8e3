import { decodeArp } from "@wirelab/engine/wire/arp";
import { describe, expect, test } from "vitest";
import { onePc, output, twoPcs } from "./pc-bench.ts";

const CHECKING = "Checking for duplicate address...\n";

/** The lines of `show ip` about IPv4. */
function shown(bench: ReturnType<typeof onePc>["bench"]): string[] {
  const lines = output(bench, "A", "show ip").split("\n");
  return lines.filter((line) => /^(IP\/MASK|GATEWAY|MTU) /.test(line)).map((line) => line.slice(14));
}

describe("an IPv4 address set by hand", () => {
  test.each([
    ["ip 10.0.0.1", "10.0.0.1 255.255.255.0"],
    ["ip 10.0.0.1/26", "10.0.0.1 255.255.255.192"],
    ["ip 10.0.0.1 26", "10.0.0.1 255.255.255.192"],
    ["ip 10.0.0.1 /26", "10.0.0.1 255.255.255.192"],
    ["ip 10.0.0.1=26", "10.0.0.1 255.255.255.192"],
    ["ip 10.0.0.1 255.255.0.0", "10.0.0.1 255.255.0.0"],
    ["ip 10.0.0.1 255.0.0.0", "10.0.0.1 255.0.0.0"],
    ["ip 10.0.0.1 10.0.0.254", "10.0.0.1 255.255.255.0 gateway 10.0.0.254"],
    ["ip 10.0.0.1/25 10.0.0.126", "10.0.0.1 255.255.255.128 gateway 10.0.0.126"],
    ["ip 10.0.0.1 10.0.0.126 25", "10.0.0.1 255.255.255.128 gateway 10.0.0.126"],
    ["ip 10.0.0.1 255.255.255.128 10.0.0.126", "10.0.0.1 255.255.255.128 gateway 10.0.0.126"],
    ["ip 10.0.0.1/0", "10.0.0.1 255.255.255.0"],
    ["ip 10.0.0.1/31", "10.0.0.1 255.255.255.0"],
    ["ip 10.0.0.1/32", "10.0.0.1 255.255.255.0"],
    ["ip 10.0.0.1/99", "10.0.0.1 255.255.255.0"],
    ["ip 10.5", "10.0.0.5 255.255.255.0"],
    ["ip 240.0.0.1", "240.0.0.1 255.255.255.0"],
    ["ip 0.0.0.1", "0.0.0.1 255.255.255.0"],
  ])("%s gives %s", (line, result) => {
    expect(output(onePc().bench, "A", line)).toBe(`${CHECKING}VPCS : ${result}\n`);
  });

  test.each([
    ["ip 256.1.1.1", "Invalid address"],
    ["ip abc", "Invalid address"],
    ["ip 0.0.0.0", "Invalid address"],
    ["ip 127.0.0.1", "Invalid address"],
    ["ip 224.0.0.1", "Invalid address"],
    ["ip 239.1.1.1", "Invalid address"],
    ["ip 255.1.1.1", "Invalid address"],
    ["ip 10.0.0.1 10.0.0.999", "Invalid address"],
    ["ip 10.0.0.1 10.0.0.1", "Invalid address"],
    ["ip 10.0.0.0", "Invalid host address"],
    ["ip 10.0.0.255", "Invalid host address"],
    ["ip 10.0.0.127/25", "Invalid host address"],
    ["ip 10.0.0.1 10.0.0.255", "Invalid gateway address"],
    ["ip 10.0.0.1 10.0.0.0", "Invalid gateway address"],
    ["ip 10.0.0.1 10.0.1.254", "not same subnet"],
    ["ip 10.0.0.1/100", "Invalid options"],
    ["ip 10.0.0.1 word", "Invalid options"],
    ["ip 10.0.0.1 10.0.0.254 and-much-more-than-that", "Invalid options"],
    ["ip 10.0.0.1 255.255.0.255", "Invalid mask"],
  ])("%s is refused with %j, changes nothing and sends nothing", (line, error) => {
    const { bench, pc } = onePc();
    const before = pc.saveState();
    expect(output(bench, "A", line)).toBe(`${error}\n`);
    expect({ ...pc.saveState(), history: [] }).toEqual(before);
    expect(bench.frames).toEqual([]);
  });

  test("probes three times, a second apart, for another owner of the address, and ends after three seconds", () => {
    const { bench } = onePc();
    output(bench, "A", "ip 10.0.0.1/24");
    const asked = bench.frames.map(({ frame, atUs }) => [
      decodeArp(frame)?.senderIp,
      decodeArp(frame)?.targetIp,
      atUs,
    ]);
    expect(asked).toEqual([0, 1, 2].map((second) => [0x0a000001, 0x0a000001, second * 1_000_000]));
    expect(bench.nowUs).toBe(3_000_000);
  });

  test("sets the MTU back to 1500, and forgets a gateway that is not given again", () => {
    const { bench } = onePc();
    bench.type("A", "ip 10.0.0.1/24 10.0.0.254", "set mtu 1400");
    expect(shown(bench)).toEqual(["10.0.0.1/24", "10.0.0.254", "1400"]);
    bench.type("A", "ip 10.0.0.3/24");
    expect(shown(bench)).toEqual(["10.0.0.3/24", "0.0.0.0", "1500"]);
  });
});

describe("an address that another host has", () => {
  const CONFLICT = "10.0.0.2 is being used by MAC 00:50:79:66:68:01\nAddress not changed\n";

  test("is reported at once, and the PC keeps its address", () => {
    const bench = twoPcs();
    const startUs = bench.nowUs;
    expect(output(bench, "A", "ip 10.0.0.2/24")).toBe(CHECKING + CONFLICT);
    expect(bench.nowUs - startUs).toBeLessThan(1_000_000);
    expect(shown(bench)).toEqual(["10.0.0.1/24", "10.0.0.254", "1500"]);
  });

  test("is reported without a frame when its owner is in the ARP table", () => {
    const bench = twoPcs();
    bench.type("A", "ping 10.0.0.2 -c 1");
    const before = bench.frames.length;
    expect(output(bench, "A", "ip 10.0.0.2/24")).toBe(CHECKING + CONFLICT);
    expect(bench.frames).toHaveLength(before);
  });

  test("is not taken when the check is interrupted", () => {
    const { bench, pc } = onePc();
    bench.type("A", "ip 10.0.0.1/24");
    bench.begin("A", "ip 10.0.0.9/24");
    bench.run(bench.nowUs + 500_000);
    pc.console.interrupt();
    expect(bench.transcript("A")).toBe(`VPCS> ip 10.0.0.9/24\n${CHECKING}^C\nVPCS> `);
    expect(shown(bench)[0]).toBe("10.0.0.1/24");
  });
});

describe("names and servers", () => {
  const dns = (bench: ReturnType<typeof onePc>["bench"]): string | undefined =>
    /^DNS +: (.*)$/m.exec(output(bench, "A", "show ip"))?.[1];

  test("servers are set silently; one address leaves the second server unchanged", () => {
    const { bench } = onePc();
    expect(output(bench, "A", "ip dns 1.1.1.1 2.2.2.2")).toBe("");
    expect(dns(bench)).toBe("1.1.1.1  2.2.2.2");
    bench.type("A", "ip dns 3.3.3.3");
    expect(dns(bench)).toBe("3.3.3.3  2.2.2.2");
    bench.type("A", "ip dns 0");
    expect(dns(bench)).toBe("2.2.2.2");
  });

  test("servers over IPv6 are set silently", () => {
    const { bench, pc } = onePc();
    expect(output(bench, "A", "ip dns6 2001:DB8::53 2001:db8::54")).toBe("");
    bench.type("A", "ip dns6 0");
    expect(pc.saveState().ipv6.dns).toEqual(["", "2001:db8::54"]);
  });

  test.each([
    ["ip dns bad", "Invalid address\n"],
    ["ip dns 1.1.1.1 bad", "Invalid address: bad\n"],
    ["ip dns bad 1.1.1.1", "Invalid address: bad\n"],
    ["ip dns6 zz", "Invalid address: zz\n"],
    ["ip dns6 2001:db8::53 zz", "Invalid address: zz\n"],
    ["ip domain", "Incomplete command.\n"],
    ["ip domain a..b", "Invalid domain name.\n"],
    [`ip domain ${"x".repeat(65)}`, "Invalid domain name.\n"],
  ])("%s: %j", (line, error) => {
    const { bench, pc } = onePc();
    expect(output(bench, "A", line)).toBe(error);
    const { dns: servers, domain, ipv6 } = pc.saveState();
    expect([servers, domain, ipv6.dns]).toEqual([[0, 0], "", ["", ""]]);
  });

  test("a domain loses the dots at its ends", () => {
    const { bench, pc } = onePc();
    expect(output(bench, "A", "ip domain .lab.test.")).toBe("");
    expect(pc.saveState().domain).toBe("lab.test");
    bench.type("A", `ip domain ${"x".repeat(64)}`);
    expect(pc.saveState().domain).toHaveLength(64);
  });
});

test("IPv6 addresses and DHCP are passed to their own commands, invalid DHCP options print the help", () => {
  const { bench } = onePc();
  expect(output(bench, "A", "ip 2001:db8::1/64")).toBe("PC1 : 2001:db8::1/64 \n");
  expect(output(bench, "A", "ip dhcp")).toBe("DDD\nCan't find dhcp server\n");
  expect(output(bench, "A", "dhcp")).toBe("DDD\nCan't find dhcp server\n");
  expect(output(bench, "A", "ip dhcp -q")).toBe(output(bench, "A", "ip ?"));
});
