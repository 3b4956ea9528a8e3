/** Consoles over WebSocket in labs in which Linux nodes are on. */
import { cacheFolder, imagesFolder, readFacts } from "@wirelab/linux/image/image";
import { afterEach, describe, expect, test } from "vitest";
import { Screen } from "../helpers/engine/screen.ts";
import { carryOut } from "../helpers/service/carry-out.ts";
import { ConsoleClient } from "../helpers/service/console-client.ts";
import { addLink, addNode, end, type Lab, makeLab } from "../helpers/service/lab.ts";

const IMAGE = "bird";
/** Guests only compute, so a busy machine takes several times as long as an idle one, which takes some seconds. */
const GUESTS_MS = 180_000;
const hasImage = readFacts(imagesFolder(cacheFolder(process.env)), IMAGE) !== undefined;
const ENTER = "\r";

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

interface Started extends Lab {
  /** Paths. */
  readonly linux: string;
  readonly pc: string;
}

/** A Linux node and a PC, which are on. */
async function start(): Promise<Started> {
  const lab = await makeLab();
  const properties = { image: IMAGE, ports: ["10.0.0.1/24"] };
  const a = await addNode(lab, { name: "a", node_type: "linux", properties });
  const b = await addNode(lab, { name: "PC1", properties: { startup_script: "ip 10.0.0.2/24" } });
  await addLink(lab, [end(a), end(b)]);
  expect((await carryOut(`${lab.path}/nodes/start`)).status).toBe(204);
  return { ...lab, linux: `${lab.path}/nodes/${a}`, pc: `${lab.path}/nodes/${b}` };
}

async function open(node: string, prompt: string): Promise<ConsoleClient> {
  const console = await ConsoleClient.open(node);
  opened.push(console);
  return console.untilText(prompt);
}

const rows = (text: string): string[] => new Screen().print(text).rows;

describe.skipIf(!hasImage)(
  `consoles (skipped without the image: wirelab image build ${IMAGE})`,
  { timeout: GUESTS_MS },
  () => {
    test("a shell shows its prompt, runs lines, and keeps its state; what is typed meanwhile runs next", async () => {
      const { linux } = await start();
      const console = await open(linux, "\r\n\r\na# ".slice(4));
      console.type(`cd /etc; X=kept${ENTER}`);
      await console.until(({ text }) => text.includes("[running]"));
      console.type(`pwd; echo $X${ENTER}half`);
      await console.untilText("a# half");
      expect(rows(console.text).filter((row) => !row.startsWith("[running"))).toEqual(
        expect.arrayContaining(["/etc", "kept"]),
      );
      expect(new Screen().print(console.text).line).toBe("a# half|");
    });

    test("Ctrl-C during a run ends the command of the guest, and the run is stored", async () => {
      const { linux } = await start();
      const shell = await open(linux, "a# ");
      shell.type(`ping 10.0.0.2${ENTER}`);
      await shell.until(({ text }) => text.includes("[running"));
      shell.type("lost\x03");
      await shell.until(({ text }) => /packets transmitted.*\r\na# $/s.test(text));
      expect(shell.text).not.toContain("Stopped after");
      await shell.type(`echo next${ENTER}`).until(({ text }) => text.endsWith("\r\x1b[Knext\r\na# "));
    });

    test("closes with the reason when the node is stopped during a run", async () => {
      const { linux, path } = await start();
      const shell = await open(linux, "a# ");
      shell.type(`sleep 60${ENTER}`);
      await shell.until(({ text }) => text.includes("[running"));
      await carryOut(`${path}/nodes/stop`);
      await shell.untilClosed();
      expect(shell.text).toMatch(/is stopped|was stopped/);
    });

    test("a shell and a PC of one lab reach each other, and other consoles of the node show it", async () => {
      const { linux, pc } = await start();
      const [shell, other, pcConsole] = await Promise.all([
        open(linux, "a# "),
        open(linux, "a# "),
        open(pc, "PC1> "),
      ]);
      await shell
        .type(`ping -c 2 10.0.0.2${ENTER}`)
        .until(({ text }) => /packets received.*a# $/s.test(text));
      await other.until(({ text }) => /ping -c 2 10\.0\.0\.2\r\n.*packets received.*a# $/s.test(text));
      await pcConsole
        .type(`ping 10.0.0.1 -c 1${ENTER}`)
        .until(({ text }) => /icmp_seq=1 ttl=64[^\n]*\r\n\r\nPC1> $/.test(text));
      expect(rows(pcConsole.text).join("\n")).not.toContain("[running");
    });
  },
);
