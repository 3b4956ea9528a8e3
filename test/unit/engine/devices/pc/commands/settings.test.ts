/** `set`, `show`, `clear`, `echo`, `sleep`, and commands that need a host. */
import { describe, expect, test } from "vitest";
import { BENCH_START_US } from "../../../../../helpers/engine/device-bench.ts";
import { onePc, output, twoPcs } from "./pc-bench.ts";

const BOLD_OFF = "\x1b[1mOff\x1b[0m";

describe("show", () => {
  test("of a new PC is VPCS's table", () => {
    expect(output(onePc().bench, "A", "show")).toBe(
      `
NAME   IP/MASK              GATEWAY           MAC                LPORT  RHOST:PORT
VPCS1  0.0.0.0/0            0.0.0.0           00:50:79:66:68:00  20000  127.0.0.1:30000
       fe80::250:79ff:fe66:6800/64
`,
    );
  });

  test("has VPCS's columns for any values", () => {
    const { bench } = onePc();
    bench.type("A", "set pcname R1", "ip 192.168.100.100/24 192.168.100.254", "ip 2001:db8::9/64");
    const [, title, row, linkLocal, global] = output(bench, "A", "show").split("\n");
    const starts = [0, 7, 28, 46, 65, 72];
    for (const start of starts)
      expect([title![start], title![start - 1] ?? " "]).toEqual([expect.stringMatching(/\S/), " "]);
    expect(starts.map((start) => row!.slice(start).split(" ")[0])).toEqual([
      ...["R1", "192.168.100.100/24", "192.168.100.254", "00:50:79:66:68:00", "20000", "127.0.0.1:30000"],
    ]);
    expect([linkLocal, global]).toEqual(["       fe80::250:79ff:fe66:6800/64", "       2001:db8::9/64 "]);
  });

  test("puts a space after a name that fills its column", () => {
    const { bench } = onePc();
    bench.type("A", "set pcname twelve-chars");
    expect(output(bench, "A", "show")).toContain("\ntwelve-chars 0.0.0.0/0 ");
  });

  test("marks an address that was made from the MAC", () => {
    const { bench } = onePc();
    bench.type("A", "ip 2001:db8::/64 eui-64");
    expect(output(bench, "A", "show")).toMatch(/\n {7}2001:db8::250:79ff:fe66:6800\/64 eui-64\n$/);
  });

  test("ip is VPCS's page", () => {
    const { bench } = onePc();
    const lines = ["ip 10.0.0.1/24 10.0.0.254", "ip dns 10.0.0.53 10.0.0.54", "ip domain lab"];
    bench.type("A", ...lines, "set lport 21100", "set rport 21101");
    const page = `
NAME        : VPCS[1]
IP/MASK     : 10.0.0.1/24
GATEWAY     : 10.0.0.254
DNS         : 10.0.0.53  10.0.0.54
DOMAIN NAME : lab
MAC         : 00:50:79:66:68:00
LPORT       : 21100
RHOST:PORT  : 127.0.0.1:21101
MTU         : 1500
`;
    expect(output(bench, "A", "show ip")).toBe(page);
    expect(output(bench, "A", "show ip 1")).toBe(page);
    expect(output(bench, "A", "show ip all")).toBe(
      `
NAME   IP/MASK              GATEWAY           MAC                DNS
VPCS1  10.0.0.1/24          10.0.0.254        00:50:79:66:68:00  10.0.0.53 10.0.0.54
`,
    );
    expect(output(bench, "A", "show ipv6 1")).toBe(output(bench, "A", "show ipv6"));
    expect(output(bench, "A", "show dump all")).toBe("\nVPCS[1] dumpflag: (none)\n");
  });

  test("ip of a PC without servers keeps the space after the colon, and has no domain", () => {
    const text = output(onePc().bench, "A", "show ip");
    expect(text).toContain("\nDNS         : \nMAC ");
  });

  test("ip shows a lease and its remaining time", () => {
    const lease = {
      server: 0x0a01_0001,
      serverMac: 1,
      leaseSeconds: 120,
      renewSeconds: 60,
      rebindSeconds: 105,
    };
    const { bench } = onePc({ lease: { ...lease, obtainedUs: BENCH_START_US }, domain: "lab.test" });
    bench.type("A", "sleep 1");
    const rows = (left: number): string => `
DNS         : 
DHCP SERVER : 10.1.0.1
DHCP LEASE  : ${left}, 120/60/105
DOMAIN NAME : lab.test
`;
    expect(output(bench, "A", "show ip")).toContain(rows(119));
    bench.type("A", "sleep 130");
    expect(output(bench, "A", "show ip")).toContain(rows(0));
  });

  test("arp counts down to the end of an entry", () => {
    const bench = twoPcs();
    expect(output(bench, "A", "show arp")).toBe("\narp table is empty\n");
    bench.type("A", "ping 10.0.0.2 -c 1 -i 10", "sleep 8");
    const entry = "00:50:79:66:68:01  10.0.0.2 expires in 112 seconds \n";
    expect(output(bench, "A", "show arp")).toBe(`\n${entry}`);
    expect(output(bench, "A", "arp")).toBe(`\n${entry}`);
    expect(output(bench, "A", "show arp 1")).toBe(`\n${entry}`);
    expect(output(bench, "A", "arp all")).toBe(`\nVPCS[1]:\n${entry}`);
    bench.type("A", "sleep 112");
    expect(output(bench, "A", "show arp")).toBe("\narp table is empty\n");
  });

  test.each([
    ["show foo", "Invalid arguments\n"],
    ["show arp x", "\nInvalid ID\n"],
    ["show dump", "\ndump flags: (none)\n"],
    ["show echo", `\nEcho ${BOLD_OFF}\nForeground color: default\nBackground color: default\n`],
    ["show mtu6", "\nIPV6 MTU table is empty\n"],
    ["show history", "show history\n"],
    ["history", "history\n"],
    ["show i", expect.stringMatching(/^\nNAME {14}: VPCS\[1\]\nLINK-LOCAL/)],
    ["neighbor", expect.stringMatching(/^\n/)],
  ])("%s", (line, expected) => {
    expect(output(onePc().bench, "A", line)).toEqual(expected);
  });

  test("version is what version prints", () => {
    const { bench } = onePc();
    const text = output(bench, "A", "version");
    expect(text).toMatch(/^\nWelcome to Virtual PC Simulator, version 0\.8\.3\n.*Wirelab/);
    expect(output(bench, "A", "show version")).toBe(text);
  });
});

describe("the history", () => {
  test("keeps fifty lines, duplicates included, but no empty ones and no comments", () => {
    const { bench } = onePc();
    bench.type("A", "show", "show", "", "# comment");
    expect(output(bench, "A", "history")).toBe("show\nshow\nhistory\n");
    bench.type("A", ...Array.from({ length: 60 }, (_, index) => `echo ${index}`));
    const lines = output(bench, "A", "history").trimEnd().split("\n");
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([50, "echo 11", "history"]);
  });

  test("is cleared by clear hist and its prefixes", () => {
    const { bench } = onePc();
    bench.type("A", "show", "clear h");
    expect(output(bench, "A", "history")).toBe("history\n");
  });
});

describe("clear", () => {
  test("ip leaves MAC, name and MTU", () => {
    const { bench, pc } = onePc();
    bench.type(
      "A",
      "set pcname R1",
      "ip 10.0.0.1/24 10.0.0.254",
      "ip dns 1.1.1.1",
      "ip domain lab",
      "set mtu 1400",
    );
    expect(output(bench, "A", "clear ip")).toBe("IPv4 address/mask, gateway, DNS, and DHCP cleared\n");
    expect(pc.saveState()).toMatchObject({
      name: "R1",
      mtuBytes: 1400,
      ipv4: { address: 0, prefixLength: 0, gateway: 0 },
      dns: [0, 0],
      domain: "",
    });
  });

  test("arp forgets the neighbours silently", () => {
    const bench = twoPcs();
    bench.type("A", "ping 10.0.0.2 -c 1");
    expect(output(bench, "A", "clear arp")).toBe("");
    expect(output(bench, "A", "show arp")).toBe("\narp table is empty\n");
  });

  test.each([
    ["clear ipv6", "IPv6 address/mask and router link-layer address cleared\n"],
    ["clear i", "IPv6 address/mask and router link-layer address cleared\n"],
    ["clear neighbor", ""],
    ["clear hist", ""],
    ["clear foo", "Invalid options\n"],
  ])("%s prints %j", (line, expected) => {
    expect(output(onePc().bench, "A", line)).toBe(expected);
  });
});

describe("set", () => {
  test("pcname changes the prompt at once", () => {
    const { bench } = onePc();
    expect(bench.type("A", "set pcname R1")).toBe("VPCS> set pcname R1\n\nR1> ");
  });

  test.each([
    ["set pcname", "Incomplete command.\n"],
    ["set pcname a b", "Incomplete command.\n"],
    ["set pcname thirteen-char", "Hostname is too long. (Maximum 12 characters)\n"],
    ["set mtu 575", "Invalid MTU, should bigger than 576\n"],
    ["set lport", "Incomplete command.\n"],
    ["set rport", "Incomplete command.\n"],
    ["set lport 1023", "Invalid port. 1024 > port < 65000.\n"],
    ["set rport 65001", "Invalid port. 1024 > port < 65000.\n"],
    ["set rport many", "Invalid port. 1024 > port < 65000.\n"],
    ["set rhost", "Incomplete command.\n"],
    ["set rhost here", "Invalid address: here\n"],
    ["set foo", "Invalid command.\n"],
    ["set echo", "Incomplete command.\n"],
    ["set echo maybe", ""],
    ["set echo color", ""],
    ["set echo color pink", ""],
    ["set echo color red blue green", ""],
    ["set dump", ""],
    ["set dump mac foo", "Invalid options\n"],
    ["set dump file", "There are no files of packets here: capture the PC's link instead\n"],
  ])("%s changes nothing: %j", (line, expected) => {
    const { bench, pc } = onePc();
    const before = { ...pc.saveState(), history: [line] };
    expect(output(bench, "A", line)).toBe(expected);
    expect(pc.saveState()).toEqual(before);
  });

  test("mtu without a number, or with one that is too large, prints its help", () => {
    const { bench } = onePc();
    const help = output(bench, "A", "set ?");
    for (const line of ["set mtu", "set mtu x", "set mtu 65536", "set"])
      expect(output(bench, "A", line)).toBe(help);
  });

  test("keeps its values silently", () => {
    const { bench, pc } = onePc();
    for (const line of ["set mtu 576", "set lport 1024", "set rport 65000", "set rhost 10.1.1.1", "set e on"])
      expect(output(bench, "A", line)).toBe("");
    expect(pc.saveState()).toMatchObject({
      mtuBytes: 576,
      settings: { localPort: 1024, remotePort: 65000, remoteHost: 0x0a01_0101, echo: true },
    });
    bench.type("A", "set echo off");
    expect(pc.saveState().settings.echo).toBe(false);
  });
});

describe("echo", () => {
  test.each([
    ["echo hi", "hi"],
    ['echo  two  spaces and "quotes" a/b=c', ' two  spaces and "quotes" a/b=c'],
    ["echo", ""],
    ["echo ?", "?"],
    ["e what is help", "what is help"],
  ])("%j prints %j and no line end of its own", (line, text) => {
    expect(onePc().bench.type("A", line)).toBe(`VPCS> ${line}\n${text}\nVPCS> `);
  });

  test("has the colours that are set", () => {
    const { bench } = onePc();
    bench.type("A", "set echo color red");
    expect(bench.type("A", "echo hi")).toContain("\n\x1b[31mhi\x1b[0m\n");
    bench.type("A", "set echo color red blue");
    expect(bench.type("A", "echo hi")).toContain("\n\x1b[31;44mhi\x1b[0m\n");
    expect(output(bench, "A", "show echo")).toContain("Foreground color: red\nBackground color: blue\n");
    bench.type("A", "set echo color clear");
    expect(bench.type("A", "echo hi")).toContain("\nhi\n");
  });
});

describe("sleep", () => {
  test.each([
    ["sleep 3", "\n", 3],
    ["sleep 3 so  many words", "so many words \n", 3],
    ["zzz 1 x", "x \n", 1],
    ["sleep", "Press any key to continue\n", 0],
    ["sleep 0", "Press any key to continue\n", 0],
    ["sleep 0 text", "text \n", 0],
    ["sleep some text", "some text \n", 0],
    ["sleep -1", "-1 \n", 0],
    ["sleep 99999999999", "\n", 1_000_000],
  ])("%s prints %j and takes %i s", (line, text, seconds) => {
    const { bench } = onePc();
    expect(output(bench, "A", line)).toBe(text);
    expect(bench.nowUs).toBe(seconds * 1_000_000);
  });
});

test.each([
  ["disconnect", "NOT daemon mode\n"],
  ["quit", "This PC does not end by itself: stop its node over the API\n"],
  ["quit ?", "This PC does not end by itself: stop its node over the API\n"],
  ["relay show", "There is no host network here to relay\n"],
  ["rlogin 2000", "There is no host network here to log in to\n"],
])("%s needs a program on a host, so a PC of a lab refuses it", (line, expected) => {
  expect(output(onePc().bench, "A", line)).toBe(expected);
});
