/** `?`, abbreviations and errors. The texts are those of vtysh 8.4.4, measured in a terminal. */
import { describe, expect, it } from "vitest";
import { makeBed, say } from "./probe.ts";

describe("a question mark", () => {
  it("lists what may follow the complete words, with descriptions", () => {
    expect(say(makeBed(), "show ip route ?")).toEqual(["  <cr>", "  vrf   Table of routes"]);
  });

  it("lists the words that begin like the last one", () => {
    const lines = say(makeBed(), "show ip r?");
    expect(lines.map((line) => line.trim().split(/\s+/)[0])).toEqual(["rip", "route"]);
  });

  it("lists the names of interfaces below the value", () => {
    const lines = say(makeBed({ ports: [{}, {}], interfaces: [{ name: "lo0", type: "loopback" }] }), "mtu ?");
    expect(lines).toEqual([
      "  PORT  Name of an interface, or a port's number",
      "     Ethernet0 Ethernet1 lo0",
    ]);
    expect(say(makeBed(), "mtu x?")).toEqual(["  PORT  Name of an interface, or a port's number"]);
  });

  it("alone lists the first words of all commands", () => {
    const words = say(makeBed(), "?").map((line) => line.trim().split(/\s+/)[0]);
    expect(words).toEqual(words.toSorted());
    expect(words).toEqual(expect.arrayContaining(["interface", "ip", "no", "ping", "show", "write"]));
  });

  it("does not offer an option that the line has", () => {
    const words = say(makeBed(), "ping 10.0.1.2 -c 3 ?").map((line) => line.trim().split(/\s+/)[0]);
    expect(words).toEqual(["<cr>", "-D", "-I", "-S", "-V", "-s"]);
  });

  it("offers no option in another letter case: -s and -S differ", () => {
    expect(say(makeBed(), "ping 10.0.1.2 -s?")).toEqual(["  -s  Bytes of data (56)"]);
    expect(say(makeBed(), "ping 10.0.1.2 -d?")).toEqual(["% There is no matched command."]);
    const words = say(makeBed(), "ping 10.0.1.2 -?").map((line) => line.trim().split(/\s+/)[0]);
    expect(words).toEqual(["-D", "-I", "-S", "-V", "-c", "-s"]);
  });

  it("describes a word by the only command that it ends, if others have it in other places", () => {
    expect(say(makeBed(), "show vla?")).toEqual(["  vlan  VLANs with their interfaces and switched ports"]);
    expect(say(makeBed(), "interface Ethernet0.5 vla?")).toEqual(["  vlan  Subinterface: frames with a tag"]);
  });

  it.each(["frobnicate ?", "show nosuch ?", "help me ?", "xyz?"])("finds nothing after `%s`", (line) => {
    expect(say(makeBed(), line)).toEqual(["% There is no matched command."]);
  });

  it("runs nothing", () => {
    const bed = makeBed();
    const before = bed.router.saveState();
    say(bed, "clear arp ?");
    say(bed, "shutdown 0?");
    expect(bed.router.saveState()).toEqual(before);
  });
});

describe("an abbreviation", () => {
  it.each([
    ["sh ip ro", "show ip route"],
    ["sho run", "show running-config"],
    ["SH INT", "show interfaces"],
    ["show ip nat tr", "show ip nat translations"],
    // As in vtysh, commands that would need more words do not count: no shutdown PORT, no switchport PORT.
    ["no s", "no syslog"],
  ])("%s is %s", (short, long) => {
    expect(say(makeBed(), short)).toEqual(say(makeBed(), long));
  });

  it("changes what the whole words change", () => {
    const bed = makeBed();
    expect(say(bed, "rou a 10.9.0.0/16 v 10.0.1.9 d 7")).toEqual([]);
    expect(say(bed, "show run")).toContain("ip route 10.9.0.0/16 10.0.1.9 7");
  });

  it("of an option is none: -s and -S differ", () => {
    const bed = makeBed();
    expect(say(bed, "ping 10.0.1.2 -s x")).toEqual(["-s takes a number from 0 to 65507"]);
    expect(say(bed, "ping 10.0.1.2 -S x")).not.toEqual(["-s takes a number from 0 to 65507"]);
  });

  it.each(["sh ip r", "sh i", "sh", "s", "d"])("is rejected if `%s` may be several commands", (line) => {
    expect(say(makeBed(), line)).toEqual([`% Ambiguous command: ${line}`]);
  });

  it("gives way to a whole word: ip is not ipv6, and route not router", () => {
    expect(say(makeBed(), "show ip")[0]).toMatch(/^Port /);
    expect(say(makeBed(), "route x")[0]).toMatch(/^Usage: route /);
  });

  it("gives way to the name of a port", () => {
    const bed = makeBed({ ports: [{ name: "na" }] });
    expect(say(bed, "ip na 10.0.9.1/24")).toEqual([]);
    expect(say(bed, "show run")).toContain(" ip address 10.0.9.1/24");
  });
});

describe("a line that is no command", () => {
  it.each([
    ["foo", "% Unknown command: foo"],
    ["show", "% Command incomplete: show"],
    ["show ip foo", "% Unknown command: show ip foo"],
    ["show ip route vrf", "% Command incomplete: show ip route vrf"],
    ["show arp now", "% Unknown command: show arp now"],
    ["help me", "% Unknown command: help me"],
  ])("%s: %s", (line, complaint) => expect(say(makeBed(), line)).toEqual([complaint]));
});
