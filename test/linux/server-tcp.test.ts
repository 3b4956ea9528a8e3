/** The TCP of servers with Linux as its peer, in both directions. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { captureOf } from "@wirelab/lab/capture/capture-lab";
import { FrameLog } from "@wirelab/lab/play/frame-log";
import { type Played, play } from "@wirelab/lab/play/play";
import { cacheFolder, imagesFolder, readFacts } from "@wirelab/linux/image/image";
import { describe, expect, test } from "vitest";
import { loadLabFile } from "../../packages/wirelab/index.ts";
import { drawn, drawOf } from "../helpers/cases/draw.ts";
import { isInstalled, linesOf } from "../helpers/engine/programs.ts";

const hasImage = readFacts(imagesFolder(cacheFolder(process.env)), "debian") !== undefined;

interface Transfer {
  readonly sender: "linux" | "server";
  readonly receiver: "linux" | "server";
  readonly bytes: number;
  readonly impairments?: string;
}

function labOf({ sender, receiver, bytes, impairments = "" }: Transfer): string {
  const nodes = {
    a: {
      linux: `{ type: linux, ports: [10.0.0.1/24] }`,
      server: `{ type: server, ip: 10.0.0.1/24 }`,
    },
    b: {
      // The listener ends with its standard input.
      linux: `{ type: linux, ports: [10.0.0.2/24], commands: ["sleep 10000 | nc -l -p 5001 > /root/received &"] }`,
      server: "{ type: server, ip: 10.0.0.2/24 }",
    },
  };
  const send = {
    linux: `dd if=/dev/zero bs=1000 count=${bytes / 1_000} | nc -w 30 10.0.0.2 5001`,
    server: `send 10.0.0.2 -n ${bytes}`,
  };
  const count = { linux: "wc -c /root/received", server: "show throughput" };
  return `
seed: 1
nodes: { a: ${nodes.a[sender]}, b: ${nodes.b[receiver]} }
links: [{ link: a -- b, filters: { delay: 20ms }${impairments && `, impairments: { a_to_b: ${impairments} }`} }]
run:
  - { at: 1s, console: { a: ["${send[sender]}"] } }
  - { at: 24s, console: { b: ["${count[receiver]}"] } }
duration: 25s
`;
}

interface Result {
  readonly played: Played;
  /** What the receiver's console says at the end. */
  readonly counted: string;
  readonly capture: Uint8Array;
}

function run(transfer: Transfer): Result {
  const file = join(mkdtempSync(join(tmpdir(), "wirelab-server-")), "lab.yaml");
  writeFileSync(file, labOf(transfer));
  const [boot, timeline] = [new FrameLog(), new FrameLog()];
  const played = play(loadLabFile(file), { watchers: { boot, timeline } });
  const counted = played.timeline.sessions.find(({ nodeId }) => nodeId === "b")!.output;
  return { played, counted, capture: captureOf(played, boot, timeline) };
}

/** Frames of which tshark has something to note, or which it calls malformed. */
function noted({ capture }: Result): string[] {
  const file = join(mkdtempSync(join(tmpdir(), "wirelab-server-")), "lab.pcapng");
  writeFileSync(file, capture);
  const filter = "tcp.analysis.flags or _ws.malformed or tcp.checksum.status == 0";
  return linesOf("tshark", ["-r", file, "-n", "-o", "tcp.check_checksum:TRUE", "-Y", filter]);
}

const DIRECTIONS = [
  ["linux", "server"],
  ["server", "linux"],
] as const;

describe.skipIf(!hasImage || !isInstalled("tshark"))(
  "servers and Linux (skipped without tshark or the image: wirelab image build debian)",
  () => {
    test.each(drawn(DIRECTIONS, drawOf(2)))(
      "a transfer from %s to %s arrives whole, and tshark has nothing to note",
      (sender, receiver) => {
        const result = run({ sender, receiver, bytes: 1_000_000, impairments: "{ rate: 10mbit }" });
        expect(result.counted).toContain("1000000");
        expect(noted(result)).toEqual([]);
      },
    );

    test("Linux reports a server's losses by SACK, and the server sends nothing else again", () => {
      const result = run({
        sender: "server",
        receiver: "linux",
        bytes: 2_000_000,
        impairments: "{ loss: 1% }",
      });
      expect(result.counted).toContain("2000000");
      const [line] = [...result.played.timeline.links.values()];
      const { dropped } = line!.aToB.report();
      const sent = result.played.timeline.sessions.find(({ nodeId }) => nodeId === "a")!.output;
      expect(sent).toContain(`${dropped.packets} retransmissions, 0 timeouts`);
    });
  },
);
