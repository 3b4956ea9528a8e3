/** Our router reports to rsyslogd on a real wire, which takes each message apart as RFC 5424 says. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasPrograms, LiveLab } from "../helpers/live/live-lab.ts";
import { Namespaces, obstacle } from "../helpers/live/namespaces.ts";

const why =
  obstacle() ??
  (hasPrograms("rsyslogd", "tcpdump", "tshark") ? undefined : "rsyslog, tcpdump or tshark is not installed");

/** What rsyslogd makes of a datagram: its properties, one object a line. */
const PROPERTIES = {
  facility: "syslogfacility-text",
  severity: "syslogseverity-text",
  version: "protocol-version",
  host: "hostname",
  app: "app-name",
  process: "procid",
  id: "msgid",
  data: "structured-data",
  text: "msg",
  from: "fromhost-ip",
  raw: "rawmsg",
};

interface Message extends Record<keyof typeof PROPERTIES, string> {
  readonly time: string;
}

const configuration = (output: string): string => `
module(load="imudp")
template(name="parts" type="list" option.jsonf="on") {
${Object.entries(PROPERTIES)
  .map(([key, name]) => `  property(outname="${key}" name="${name}" format="jsonf")`)
  .join("\n")}
  property(outname="time" name="timereported" format="jsonf" dateFormat="rfc3339" date.inUTC="on")
}
input(type="imudp" address="10.2.0.9" port="514")
action(type="omfile" file="${output}" template="parts" flushOnTXEnd="on" asyncWriting="off")
`;

describe.skipIf(why !== undefined)(`syslog to rsyslogd${why ? ` (skipped: ${why})` : ""}`, () => {
  let spaces: Namespaces;
  let lab: LiveLab;
  beforeEach(async () => {
    spaces = new Namespaces("lab");
    lab = new LiveLab(spaces);
    await lab.start(
      {
        nodes: {
          pc: {},
          sw: "switch",
          r1: {
            type: "router",
            ports: [
              { ipv4: "10.50.0.1/24", dhcp: { first: "10.50.0.100", last: "10.50.0.100" }, acl_in: "GUESTS" },
              "10.2.0.1/24",
              "10.3.0.1/24",
            ],
            acls: [{ name: "GUESTS", rules: ["deny icmp any any log", "permit ip any any"] }],
            syslog: { servers: ["10.2.0.9"], facility: 16 },
          },
          wire: { type: "cloud", tap: "ta" },
        },
        links: ["pc -- r1:0", "r1:1 -- wire", "r1:2 -- sw"],
      },
      { ta: ["10.2.0.9/24"] },
    );
  });
  afterEach(async () => {
    await spaces.end();
    lab.end();
  });

  const messages = (): Message[] =>
    lab
      .read("messages")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Message);

  async function startRsyslogd(): Promise<void> {
    lab.write("messages", "");
    const file = lab.write("rsyslog.conf", configuration(`${lab.folder}/messages`));
    lab.begin("rsyslogd", "-n", "-f", file, "-i", `${lab.folder}/rsyslog.pid`);
    await expect
      .poll(() => lab.run("ss", "-Hlun", "sport", "=", ":514"), { timeout: 15_000 })
      .toContain("10.2.0.9");
  }

  /** Returns the messages of a deed, when there are `count`. */
  async function after(count: number, deed: () => Promise<unknown>): Promise<Message[]> {
    const before = messages().length;
    await deed();
    await expect.poll(() => messages().length - before, { timeout: 10_000 }).toBe(count);
    return messages().slice(before);
  }

  test("each event arrives with facility, severity, host, time, kind and text", async () => {
    const end = await lab.capture("ta", "udp port 514");
    await startRsyslogd();
    const all = [
      ...(await after(2, async () => {
        await lab.type("r1", "shutdown Ethernet2");
        await lab.type("r1", "no shutdown Ethernet2");
      })),
      ...(await after(1, () => lab.type("pc", "ip dhcp"))),
      ...(await after(1, () => lab.type("pc", "ping 10.50.0.1 -c 1"))),
    ];
    expect(all.map(({ severity, id, text }) => [severity, id, text])).toEqual([
      ["notice", "LINK_DOWN", "Ethernet2 is down"],
      ["notice", "LINK_UP", "Ethernet2 is up"],
      ["info", "DHCP_LEASE", expect.stringMatching(/^10\.50\.0\.100 to 00:50:79:\S+ for \d+ s$/)],
      ["info", "ACCESS_LIST", expect.stringMatching(/GUESTS.*icmp.*10\.50\.0\.100.*10\.50\.0\.1/)],
    ]);
    for (const { facility, version, host, app, process, data, from } of all)
      expect([facility, version, host, app, process, data, from]).toEqual([
        "local0",
        "1",
        "r1",
        "router",
        "-",
        "-",
        "10.2.0.1",
      ]);
    for (const { time, raw } of all) {
      const [, sent] = /^<\d+>1 (\S+) /.exec(raw)!;
      expect(time.replace("+00:00", "Z")).toBe(sent);
    }
    const { all: frames, wrong } = await end();
    expect([frames, wrong]).toEqual([all.length, []]);
  });

  test("a facility and a severity of the console decide what is sent, and how", async () => {
    await startRsyslogd();
    await lab.type("r1", "syslog facility 3");
    await lab.type("r1", "syslog severity 5");
    // A lease is less severe.
    await lab.type("pc", "ip dhcp");
    const sent = await after(2, async () => {
      await lab.type("r1", "shutdown Ethernet2");
      await lab.type("r1", "no shutdown Ethernet2");
    });
    expect(sent.map(({ facility, id }) => `${facility} ${id}`)).toEqual([
      "daemon LINK_DOWN",
      "daemon LINK_UP",
    ]);
    expect(messages()).toHaveLength(2);
  });
});
