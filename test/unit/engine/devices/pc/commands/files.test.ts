import { describe, expect, test } from "vitest";
import { onePc, output } from "./pc-bench.ts";

const SETTINGS = [
  "set pcname R1",
  "ip 10.0.0.1/24 10.0.0.254",
  "ip 2001:db8::9/64",
  "ip domain ex.com",
  "ip dns 1.1.1.1 2.2.2.2",
  "set mtu 1400",
];

describe("save", () => {
  test("writes VPCS's commands to startup.vpc", () => {
    const { bench, pc } = onePc();
    bench.type("A", ...SETTINGS);
    expect(output(bench, "A", "save")).toBe("Saving startup configuration to startup.vpc\n.  done\n");
    expect(pc.saveState().files["startup.vpc"]).toBe(
      `set pcname R1
ip 10.0.0.1 10.0.0.254 24
ip 2001:db8::9/64
ip domain ex.com
ip dns 1.1.1.1 2.2.2.2
set mtu 1400
`,
    );
  });

  test("writes only the name of a PC that has nothing else", () => {
    const { bench, pc } = onePc();
    bench.type("A", "write");
    expect(pc.saveState().files).toEqual({ "startup.vpc": "set pcname VPCS\n" });
  });

  test("writes dhcp in place of a leased address, with its name servers and domain", () => {
    const { bench, pc } = onePc();
    const lease = {
      server: 1,
      serverMac: 2,
      obtainedUs: 3,
      leaseSeconds: 4,
      renewSeconds: 5,
      rebindSeconds: 6,
    };
    bench.type("A", ...SETTINGS);
    const leased = onePc({ ...pc.saveState(), lease });
    leased.bench.type("A", "save");
    expect(leased.pc.saveState().files["startup.vpc"]).toBe(
      "set pcname R1\ndhcp\nip 2001:db8::9/64\nset mtu 1400\n",
    );
  });

  test("writes the settings of IPv6 besides the address", () => {
    const { bench, pc } = onePc();
    bench.type("A", "ip 2001:db8::/64 eui-64", "ip auto", "ip dns6 2001:db8::53", "ip dns 0 2.2.2.2", "save");
    expect(pc.saveState().files["startup.vpc"]).toBe(
      `set pcname VPCS
ip 2001:db8::250:79ff:fe66:6800/64 eui-64
ip auto
ip dns 0 2.2.2.2
ip dns6 2001:db8::53
`,
    );
  });

  test("as VPCS does, writes ip auto even if no router has answered, and dhcp only if a server has", () => {
    const { bench, pc } = onePc();
    bench.type("A", "ip auto", "ip dhcp", "save");
    expect(bench.transcript("A")).toMatch(/No router answered[\s\S]*DDD\nCan't find dhcp server\n/);
    expect(pc.saveState().files["startup.vpc"]).toBe("set pcname VPCS\nip auto\n");
  });

  test("writes the address that a failed dhcp did not change", () => {
    const { bench, pc } = onePc();
    bench.type("A", "ip 10.0.0.1/24", "ip dhcp", "save");
    expect(pc.saveState().files["startup.vpc"]).toBe("set pcname VPCS\nip 10.0.0.1 24\n");
  });

  test("writes a file that restores the same PC when it is loaded", () => {
    const { bench, pc } = onePc();
    bench.type("A", ...SETTINGS, "save all");
    const before = pc.saveState();
    bench.type("A", "clear ip", "clear ipv6", "set pcname R2", "set mtu 1500", "load all");
    expect({ ...pc.saveState(), history: [] }).toEqual({ ...before, history: [] });
  });

  test("adds .vpc to a name without a dot", () => {
    const { bench, pc } = onePc();
    expect(output(bench, "A", "save lab")).toContain("to lab.vpc\n");
    expect(output(bench, "A", "save lab.txt")).toContain("to lab.txt\n");
    expect(output(bench, "A", "save __proto__")).toContain(".  done\n");
    expect(Object.keys(pc.saveState().files)).toEqual(["lab.vpc", "lab.txt", "__proto__.vpc"]);
  });

  test.each([
    ['save "dir/lab"', "failed: No such file or directory\n"],
    [`save ${"x".repeat(61)}`, "failed: File name too long\n"],
    ["save ..", "failed: Is a directory\n"],
  ])("refuses an invalid name: %s", (line, expected) => {
    const { bench, pc } = onePc();
    expect(output(bench, "A", line)).toEqual(expected);
    expect(pc.saveState().files).toEqual({});
  });

  test.each(["save a/b", "write a b", "load a/b"])(
    "%s has a word too many: it prints the help page",
    (line) => {
      const { bench, pc } = onePc({ files: { "a.vpc": "set pcname R1\n" } });
      expect(output(bench, "A", line)).toBe(
        output(bench, "A", line.startsWith("load") ? "load ?" : "save ?"),
      );
      expect(pc.saveState()).toMatchObject({ name: "VPCS", files: { "a.vpc": "set pcname R1\n" } });
    },
  );

  test("keeps sixteen files, and still overwrites them", () => {
    const { bench, pc } = onePc();
    bench.type("A", ...Array.from({ length: 16 }, (_, index) => `save f${index}`));
    expect(output(bench, "A", "save more")).toBe("failed: There are 16 files already\n");
    expect(output(bench, "A", "save f3")).toContain(".  done\n");
    expect(Object.keys(pc.saveState().files)).toHaveLength(16);
  });
});

describe("load", () => {
  test("runs the lines of a file, with a line end before each", () => {
    const { bench } = onePc();
    bench.type("A", "set pcname R1", "ip 10.0.0.1/24", "save lab", "set pcname R2");
    expect(output(bench, "A", "load lab")).toBe(
      `
Executing the file "lab"


Checking for duplicate address...
R1 : 10.0.0.1 255.255.255.0
`,
    );
  });

  test("names the file that it cannot open", () => {
    const { bench } = onePc();
    expect(output(bench, "A", "load nofile")).toBe('Can\'t open "nofile"\n');
    expect(output(bench, "A", "load")).toBe('Can\'t open "startup.vpc"\n');
    expect(output(bench, "A", "load constructor")).toBe('Can\'t open "constructor"\n');
  });

  test("does not put the lines into the history", () => {
    const { bench } = onePc();
    bench.type("A", "save", "clear hist", "load");
    expect(output(bench, "A", "history")).toBe("load\nhistory\n");
  });

  test("stops a file that loads itself", () => {
    const { bench } = onePc({ files: { "a.vpc": "load a\nload a\n" } });
    const text = output(bench, "A", "load a");
    expect(text).toContain("Too many files within files\n");
    expect(text.length).toBeLessThan(200_000);
  });

  test("stops after a limit of lines", () => {
    const { bench } = onePc({ files: { "a.vpc": "echo x\n".repeat(2_000), "b.vpc": "load a\n".repeat(5) } });
    const text = output(bench, "A", "load b");
    expect(text.match(/^x$/gm)!.length).toBeGreaterThan(4_000);
    expect(text.match(/^x$/gm)!.length).toBeLessThan(4_096);
    expect(text).toContain("\nToo many lines\n");
  });

  test("stops at Ctrl-C", () => {
    const { bench, pc } = onePc({ files: { "a.vpc": "sleep 1 one\nsleep 1 two\nsleep 1 three\n" } });
    bench.begin("A", "load a");
    bench.run(1_500_000);
    pc.console.interrupt();
    bench.run();
    expect(bench.transcript("A")).toBe('VPCS> load a\n\nExecuting the file "a"\n\none \n\ntwo \n^C\nVPCS> ');
  });
});
