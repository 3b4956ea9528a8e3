import { Pc } from "@wirelab/engine/devices/pc/index";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DeviceBench } from "../../../../helpers/engine/device-bench.ts";
import { onePc, timeless, twoPcs } from "./commands/pc-bench.ts";

describe("one exchange", () => {
  test.each([
    ["", "VPCS> \n\nVPCS> "],
    ["   ", "VPCS>    \n\nVPCS> "],
    ["# comment", "VPCS> # comment\n\nVPCS> "],
    ["; comment", "VPCS> ; comment\n\nVPCS> "],
    ["show arp", "VPCS> show arp\n\narp table is empty\n\nVPCS> "],
    ["  show   arp ", "VPCS>   show   arp \n\narp table is empty\n\nVPCS> "],
    ["s", "VPCS> s\nsave\nset\nshow\nsleep\n\nVPCS> "],
    ["1", "VPCS> 1\n\nVPCS> "],
  ])("of %j", (line, transcript) => {
    expect(onePc().bench.type("A", line)).toBe(transcript);
  });

  test.each([
    ["foo bar", 'Bad command: "foo bar". Use ? for help.'],
    ["PING 10.0.0.1", 'Bad command: "PING 10.0.0.1". Use ? for help.'],
    ["traceroute x", 'Bad command: "traceroute x". Use ? for help.'],
    ["tracert x", 'Bad command: "tracert x". Use ? for help.'],
    ["0", 'Bad command: "0". Use ? for help.'],
    ["2", "Only 1 VPCs actived"],
    ["9", "Only 1 VPCs actived"],
    ["h", "help\nhistory"],
    ["d", "dhcp\ndisconnect"],
    ["r", "relay\nrlogin"],
  ])("of %j prints %j", (line, expected) => {
    expect(onePc().bench.type("A", line)).toBe(`VPCS> ${line}\n${expected}\n\nVPCS> `);
  });

  test.each([
    ["sh", "show"],
    ["a", "arp"],
    ["v", "version"],
    ["n", "neighbor"],
  ])("of %s is one of %s", (short, long) => {
    expect(onePc().bench.type("A", short).split("\n").slice(1)).toEqual(
      onePc().bench.type("A", long).split("\n").slice(1),
    );
  });

  test("of a line that is too long prints its beginning and the reason for its rejection", () => {
    const { bench, pc } = onePc();
    expect(bench.type("A", "x".repeat(1_001))).toBe(
      `VPCS> ${"x".repeat(1_000)}...\nThe line is longer than 1000 characters\n\nVPCS> `,
    );
    expect(pc.saveState().history).toEqual([]);
    expect(bench.type("A", `echo ${"x".repeat(995)}`)).toContain(`\n${"x".repeat(995)}\n`);
  });

  test("leaves out characters that a terminal does not accept", () => {
    expect(onePc().bench.type("A", "e\x1bcho\x00 gr\u00fc\u00dfe\r\n\ud83d\ude00!")).toBe(
      "VPCS> echo gre!\ngre!\nVPCS> ",
    );
  });

  test("runs after another without growing the stack", () => {
    const lines = new Array<string>(20_000).fill("echo x");
    expect(onePc().bench.type("A", ...lines)).toHaveLength(20_000 * "VPCS> echo x\nx\n".length + 6);
  });
});

describe("Ctrl-C", () => {
  const interruptAt = (bench: DeviceBench, pc: Pc, delayUs: number, ...lines: string[]): string => {
    bench.begin("A", ...lines);
    bench.run(bench.nowUs + delayUs);
    pc.console.interrupt();
    return timeless(bench.transcript("A"));
  };

  test("ends only the running command: the console accepts the next line", () => {
    const { bench, pc } = onePc();
    const text = interruptAt(bench, pc, 1_500_000, "sleep 60 zzz");
    expect(text).toBe("VPCS> sleep 60 zzz\nzzz \n^C\nVPCS> ");
    expect(bench.type("A", "echo again")).toBe("VPCS> echo again\nagain\nVPCS> ");
    expect(bench.nowUs).toBe(1_500_000);
  });

  test("calls done even if other lines still wait", () => {
    const { bench, pc } = onePc();
    const done: string[] = [];
    pc.console.enter("sleep 60", () => done.push("first"));
    pc.console.enter("echo never", () => done.push("second"));
    bench.run(1_000_000);
    expect(done).toEqual([]);
    pc.console.interrupt();
    expect(done).toEqual(["first", "second"]);
    expect(bench.transcript("A")).not.toContain("never");
  });

  test("when nothing runs does nothing", () => {
    const { bench, pc } = onePc();
    bench.type("A", "show arp");
    const before = bench.transcript("A");
    pc.console.interrupt();
    expect(bench.transcript("A")).toBe(before);
  });

  test("lets a trace print the partial line of the current hop", () => {
    const { bench, pc } = onePc();
    bench.type("A", "ip 10.0.0.1/24");
    const state = pc.saveState();
    const entry = { ip: 0x0a00_0007, mac: 0x0200_0000_0007, expiresUs: Number.MAX_SAFE_INTEGER };
    const traced = onePc({ ...state, arp: [entry] });
    expect(interruptAt(traced.bench, traced.pc, 2_500_000, "trace 10.0.0.7")).toBe(
      "VPCS> trace 10.0.0.7\ntrace to 10.0.0.7, 8 hops max, press Ctrl+C to stop\n^C 1     *  *\n\nVPCS> ",
    );
    expect(interruptAt(traced.bench, traced.pc, 1_500_000, "ping 10.0.0.7 -t")).toBe(
      "VPCS> ping 10.0.0.7 -t\n\n10.0.0.7 icmp_seq=1 timeout\n^C\nVPCS> ",
    );
  });
});

describe("the start-up file", () => {
  /** A PC that has just been switched on, and its output until the start-up file ends. */
  function started(startupScript: string, name = "VPCS"): { bench: DeviceBench; pc: Pc; text: () => string } {
    const bench = new DeviceBench();
    const pc = bench.add("A", (world) => new Pc({ type: "vpcs", name, index: 0, startupScript }, world));
    pc.start();
    const text = (): string => {
      bench.run();
      return bench.transcript("A");
    };
    return { bench, pc, text };
  }

  test("runs before the first prompt, with its waits", () => {
    const { bench, text } = started("ip 10.0.0.1/24\r\n", "R1");
    expect(text()).toBe(
      `
Executing the startup file

Checking for duplicate address...
R1 : 10.0.0.1 255.255.255.0

R1> `,
    );
    expect(bench.nowUs).toBe(3_000_000);
  });

  test("skips empty lines and comments, and continues after errors", () => {
    expect(started("# a\n\n; b\n  \nfoo\nip bad\nset pcname R2\n").text()).toBe(
      `
Executing the startup file

Bad command: "foo". Use ? for help.

Invalid address


R2> `,
    );
  });

  test("shows its commands after set echo on, except echo, @ and sleep with a text", () => {
    const script = [
      "set echo on",
      "set pcname R1",
      "show arp",
      "@show arp",
      "echo hi",
      "sleep 1 text",
      "sleep 1",
    ];
    expect(started([...script, "nonsense"].join("\n")).text()).toBe(
      `
Executing the startup file


VPCS[1] set pcname R1

R1[1] show arp

arp table is empty


arp table is empty

hi
text 

R1[1] sleep 1


Bad command: "nonsense". Use ? for help.

R1> `,
    );
  });

  test("is not in the history", () => {
    const { pc, text } = started("show arp");
    text();
    expect(pc.saveState().history).toEqual([]);
  });

  test("makes lines wait that are typed before its end, and prints no prompt until then", () => {
    const { bench, pc } = started("ip 10.0.0.1/24", "R1");
    expect(pc.console.prompt).toBe("");
    expect(bench.type("A", "echo hi")).toBe("R1 : 10.0.0.1 255.255.255.0\n\nR1> echo hi\nhi\nR1> ");
    expect(pc.console.prompt).toBe("R1> ");
  });

  test("continues when the lines that wait for it are cancelled", () => {
    const { bench, pc, text } = started("sleep 10 x\necho end");
    let isDone = false;
    pc.console.enter("echo never", () => {
      isDone = true;
    });
    bench.run(1_000_000);
    pc.console.interrupt();
    expect(isDone).toBe(true);
    expect(text()).toBe("\nExecuting the startup file\n\nx \n\nend\nVPCS> ");
    expect(pc.console.prompt).toBe("VPCS> ");
  });
});

describe("any line", () => {
  const word = fc.oneof(
    fc.constantFrom(
      ...[
        "ip",
        "ping",
        "trace",
        "show",
        "set",
        "clear",
        "load",
        "save",
        "echo",
        "sleep",
        "arp",
        "dhcp",
        "history",
      ],
      ...["10.0.0.1", "10.0.0.2", "10.0.0.1/24", "8.8.8.8", "2001:db8::1/64", "2001:db8::2", "name", "a.b.c"],
      ...[
        "-1",
        "-2",
        "-3",
        "-c",
        "-t",
        "-i",
        "-w",
        "-l",
        "-T",
        "-D",
        "-P",
        "-s",
        "-p",
        "-f",
        "-u",
        "-m",
        "-d",
        "-r",
      ],
      ...[
        "all",
        "arp",
        "dns",
        "dns6",
        "domain",
        "auto",
        "dump",
        "mac",
        "raw",
        "detail",
        "color",
        "red",
        "mtu",
        "?",
      ],
      ...[
        "pcname",
        "lport",
        "rhost",
        "help",
        "255.255.255.0",
        "on",
        "off",
        "startup.vpc",
        "__proto__",
        '"',
        "=",
        "/",
      ],
    ),
    fc.integer({ min: -5, max: 70_000 }).map(String),
    fc.string({ maxLength: 12 }),
  );
  const line = fc.oneof(
    fc.array(word, { maxLength: 8 }).map((words) => words.join(" ")),
    fc.string({ unit: "binary", maxLength: 60 }),
  );

  test("ends with a prompt, by itself or by Ctrl-C, and the PC's state can be saved", () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => {
        const bench = twoPcs();
        const pc = bench.add(
          "C",
          (world) => new Pc({ type: "vpcs", name: "C", index: 2, startupScript: "" }, world),
        );
        let done = 0;
        for (const each of lines) pc.console.enter(each, () => (done += 1));
        bench.run(bench.nowUs + 20_000_000);
        pc.console.interrupt();
        expect(done).toBe(lines.length);
        expect(bench.transcript("C").endsWith(`\n${pc.saveState().name}> `)).toBe(true);
        const state = pc.saveState();
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      }),
      { numRuns: 200 },
    );
  });

  test("leaves the other PC of a wire in working order, too", () => {
    fc.assert(
      fc.property(line, (each) => {
        const bench = twoPcs();
        bench.begin("A", each);
        bench.run(bench.nowUs + 5_000_000);
        expect(bench.type("B", "echo fine")).toBe("VPCS> echo fine\nfine\nVPCS> ");
      }),
      { numRuns: 100 },
    );
  });
});
