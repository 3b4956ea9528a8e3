/** Whole transcripts of the real program, prompts included: the settings of one PC. Times are replaced by T. */

import { Pc } from "@wirelab/engine/devices/pc/index";
import { describe, expect, test } from "vitest";
import { DeviceBench } from "../helpers/engine/device-bench.ts";
import { simulatedSpec } from "../helpers/proof/simulated-pair.ts";
import { onePc, timeless, twoPcs } from "../unit/engine/devices/pc/commands/pc-bench.ts";

/** ESC [ numbers m */
const COLOUR = new RegExp(`${String.fromCharCode(0x1b)}\\[[\\d;]*m`, "g");
const CONFIGURE = ["set pcname R1", "ip 10.0.0.1/24 10.0.0.254", "ip 2001:db8::9/64", "ip domain ex.com"];
const CONFIGURE_MORE = ["ip dns 1.1.1.1 2.2.2.2", "set mtu 1400"];

/** Returns the output of one PC for the last line, from the prompt before it to the one after it. */
function typed(...lines: readonly string[]): string {
  const { bench } = onePc();
  const last = lines.at(-1)!;
  if (lines.length > 1) bench.type("A", ...lines.slice(0, -1));
  return bench.type("A", last);
}

describe("a PC's console", () => {
  test("quotes an unknown command", () => {
    expect(typed("foo bar")).toBe('VPCS> foo bar\nBad command: "foo bar". Use ? for help.\n\nVPCS> ');
  });

  test("lists the commands that a prefix may stand for", () => {
    expect(typed("s")).toBe("VPCS> s\nsave\nset\nshow\nsleep\n\nVPCS> ");
    expect(typed("h")).toBe("VPCS> h\nhelp\nhistory\n\nVPCS> ");
    expect(typed("d")).toBe("VPCS> d\ndhcp\ndisconnect\n\nVPCS> ");
    expect(typed("r")).toBe("VPCS> r\nrelay\nrlogin\n\nVPCS> ");
  });

  test("prints nothing for an empty line and a comment", () => {
    for (const line of ["", "# why", "; why", "1"]) expect(typed(line)).toBe(`VPCS> ${line}\n\nVPCS> `);
  });

  test("has no other PC to go to", () => {
    expect(typed("2")).toBe("VPCS> 2\nOnly 1 VPCs actived\n\nVPCS> ");
  });

  test("prints name and version first, and again in show", () => {
    const banner = typed("version");
    expect(banner).toMatch(/^VPCS> version\n(\n)?[^\n]*\d+\.\d+/);
    expect(typed("show version").replace("show version", "version")).toBe(banner);
  });

  test("lists every command in alphabetical order, the syntax in 25 columns", () => {
    const lines = typed("?").replaceAll(COLOUR, "").split("\n").slice(1, -2);
    expect(lines.at(0)).toBe("");
    expect(lines.at(-2)).toBe("");
    expect(lines.at(-1)).not.toBe("");
    const commands = lines.slice(1, -2);
    for (const line of commands) expect(line).toMatch(/^(.{24} |.{25,} {2})\S/);
    const names = commands.map((line) => line.split(" ")[0]!);
    expect(names).toEqual([...names].sort());
    expect(names).toEqual(expect.arrayContaining(["?", "arp", "clear", "dhcp", "ping", "show", "version"]));
  });

  test("echoes words unchanged, without a line break", () => {
    expect(typed('echo  a  "b"')).toBe('VPCS> echo  a  "b"\n a  "b"\nVPCS> ');
  });

  test("prints the text of a sleep", () => {
    expect(typed("sleep 2 two words")).toBe("VPCS> sleep 2 two words\ntwo words \n\nVPCS> ");
  });
});

describe("show", () => {
  test("lists a PC without addresses", () => {
    expect(typed("show")).toBe(`VPCS> show

NAME   IP/MASK              GATEWAY           MAC                LPORT  RHOST:PORT
VPCS1  0.0.0.0/0            0.0.0.0           00:50:79:66:68:00  20000  127.0.0.1:30000
       fe80::250:79ff:fe66:6800/64

VPCS> `);
  });

  test("lists a PC with addresses of both families, by its own name", () => {
    expect(typed("set pcname R1", "ip 10.0.0.1/24 10.0.0.254", "ip 2001:db8::9/64", "show")).toBe(`R1> show

NAME   IP/MASK              GATEWAY           MAC                LPORT  RHOST:PORT
R1     10.0.0.1/24          10.0.0.254        00:50:79:66:68:00  20000  127.0.0.1:30000
       fe80::250:79ff:fe66:6800/64
       2001:db8::9/64${" "}

R1> `);
  });

  test("prints all IPv4 settings", () => {
    const lines = ["ip 10.0.0.1/24 10.0.0.254", "ip dns 10.0.0.53 10.0.0.54", "ip domain lab", "show ip"];
    expect(typed(...lines)).toBe(`VPCS> show ip

NAME        : VPCS[1]
IP/MASK     : 10.0.0.1/24
GATEWAY     : 10.0.0.254
DNS         : 10.0.0.53  10.0.0.54
DOMAIN NAME : lab
MAC         : 00:50:79:66:68:00
LPORT       : 20000
RHOST:PORT  : 127.0.0.1:30000
MTU         : 1500

VPCS> `);
  });

  test("prints all IPv6 settings", () => {
    expect(typed("ip 2001:db8::1/64", "show ipv6")).toBe(`VPCS> show ipv6

NAME              : VPCS[1]
LINK-LOCAL SCOPE  : fe80::250:79ff:fe66:6800/64
GLOBAL SCOPE      : 2001:db8::1/64
DNS               :${" "}
ROUTER LINK-LAYER :${" "}
MAC               : 00:50:79:66:68:00
LPORT             : 20000
RHOST:PORT        : 127.0.0.1:30000
MTU:              : 1500

VPCS> `);
  });

  test.each([
    ["show foo", "Invalid arguments\n"],
    ["show mtu6", "\nIPV6 MTU table is empty\n"],
    ["show dump", "\ndump flags: (none)\n"],
    ["show arp", "\narp table is empty\n"],
    ["arp", "\narp table is empty\n"],
  ])("%s, with nothing to show, prints %j", (line, printed) => {
    expect(typed(line)).toBe(`VPCS> ${line}\n${printed}\nVPCS> `);
  });

  test("lists what was typed, itself included", () => {
    expect(typed("clear arp", "show arp", "history")).toBe(
      "VPCS> history\nclear arp\nshow arp\nhistory\n\nVPCS> ",
    );
  });
});

describe("settings", () => {
  test.each([
    ["clear ip", "IPv4 address/mask, gateway, DNS, and DHCP cleared\n"],
    ["clear ipv6", "IPv6 address/mask and router link-layer address cleared\n"],
    ["clear arp", ""],
    ["clear neighbor", ""],
    ["clear h", ""],
    ["clear foo", "Invalid options\n"],
    ["set pcname", "Incomplete command.\n"],
    ["set pcname two words", "Incomplete command.\n"],
    ["set pcname thirteen-long", "Hostname is too long. (Maximum 12 characters)\n"],
    ["set mtu 500", "Invalid MTU, should bigger than 576\n"],
    ["set lport 80", "Invalid port. 1024 > port < 65000.\n"],
    ["set rhost nowhere", "Invalid address: nowhere\n"],
    ["set foo", "Invalid command.\n"],
    ["set echo", "Incomplete command.\n"],
    ["set dump mac", "\ndump flags: mac\n"],
    ["set dump nonsense", "Invalid options\n"],
    ["set dump", ""],
    ["ip dns bad", "Invalid address\n"],
    ["ip dns 10.0.0.53 bad", "Invalid address: bad\n"],
    ["ip dns6 zz", "Invalid address: zz\n"],
    ["ip domain", "Incomplete command.\n"],
    ["ip domain a..b", "Invalid domain name.\n"],
    ["ip 2001:db8::1/64", "PC1 : 2001:db8::1/64 \n"],
    ["ip 2001:db8::zz", "Invalid ipv6 address.\n"],
    ["disconnect", "NOT daemon mode\n"],
    ["load nofile", `Can't open "nofile"\n`],
  ])("%s prints %j", (line, printed) => {
    expect(typed(line)).toBe(`VPCS> ${line}\n${printed}\nVPCS> `);
  });

  test("a new name is in the prompt at once", () => {
    expect(typed("set pcname R1")).toBe("VPCS> set pcname R1\n\nR1> ");
  });

  test("a dump of a ping describes its packets in words", () => {
    const bench = twoPcs();
    bench.type("A", "set dump detail");
    const dumped = timeless(bench.type("A", "ping 10.0.0.2 -c 1")).replaceAll(COLOUR, "");
    expect(dumped).toMatch(/^IPv4, id: [0-9a-f]+, length: 84, ttl: 64, sum: [0-9a-f]+$/m);
    expect(dumped).toMatch(
      /^Address: 10\.0\.0\.1 -> 10\.0\.0\.2\nProto: icmp, type: 8, code: 0\nDesc: Echo$/m,
    );
  });
});

describe("a saved configuration", () => {
  const SAVED = [
    "set pcname R1",
    "ip 10.0.0.1 10.0.0.254 24",
    "ip 2001:db8::9/64",
    "ip domain ex.com",
    "ip dns 1.1.1.1 2.2.2.2",
    "set mtu 1400",
    "",
  ].join("\n");

  test("has a line for each setting", () => {
    const { bench, pc } = onePc();
    bench.type("A", ...CONFIGURE, ...CONFIGURE_MORE);
    expect(bench.type("A", "save")).toBe(
      "R1> save\nSaving startup configuration to startup.vpc\n.  done\n\nR1> ",
    );
    expect(pc.saveState().files["startup.vpc"]).toBe(SAVED);
  });

  test("is printed while it runs, before the first prompt, with a line end for every command", () => {
    const startupScript =
      "set pcname R1\n# a comment\n\nip 10.0.0.1/24\nset pcname R2\nip dns 1.1.1.1\nshow arp\nfoo\necho hi\nshow arp\n";
    const bench = new DeviceBench();
    const pc = bench.add("A", (world) => new Pc({ ...simulatedSpec(0), startupScript }, world));
    pc.start();
    bench.run();
    expect(bench.transcript("A")).toBe(`
Executing the startup file


Checking for duplicate address...
R1 : 10.0.0.1 255.255.255.0




arp table is empty

Bad command: "foo". Use ? for help.

hi

arp table is empty

R2> `);
  });
});
