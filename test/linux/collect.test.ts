/** Files that a lab collects from real guests (`collect`): docs/linux-nodes.md. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasImage } from "../helpers/play-linux.ts";
import { makeFolder, runCli } from "../unit/wirelab/run-cli.ts";

const folder = makeFolder();

/** Plays a lab with `wirelab test`. @returns the only case of the reporter `json`, and the exit code. */
async function play(name: string, text: string) {
  const file = join(folder, `${name}.lab.yaml`);
  writeFileSync(file, text);
  const options = ["--captures", join(folder, "captures"), "--reporter", "json"];
  const { code, stdout } = await runCli(["test", file, ...options]);
  return { code, ...JSON.parse(stdout.toString()).labs[0].cases[0] };
}

const copyOf = (path: string) => join(folder, "captures", path);

const lab = (collect: string) => `
nodes:
  h1:
    type: linux
    ports: [10.0.0.1/24]
    files: { "root/it's": "a text\\nof two lines" }
    commands: ["head -c 1048576 /dev/urandom > /tmp/most", "head -c 1048577 /dev/zero > /tmp/more"]
    ${collect}
  h2: { type: linux, ports: [10.0.0.2/24], collect: proc/sys/kernel/hostname }
links: [h1 -- h2]
run:
  - { at: 1s, console: { h1: ["sha256sum /tmp/most", "ping -c 1 10.0.0.2 > /tmp/ping"] } }
duration: 10s
`;

describe.skipIf(!hasImage("debian"))(
  "files of a guest (skipped without the image: wirelab image build debian)",
  () => {
    test("texts, and a mebibyte of any bytes, come out as the guest has them; the lab is the same without", async () => {
      const played = await play("all", lab(`collect: ["root/it's", tmp/most, /tmp/ping]`));
      expect(played.report.verdicts.map(({ got }: { got: string }) => got)).toContain("1048576 bytes");
      expect(played.code).toBe(0);
      expect(readFileSync(copyOf("all/h1/root/it's"), "utf8")).toBe("a text\nof two lines\n");
      expect(readFileSync(copyOf("all/h1/tmp/ping"), "utf8")).toContain("1 packets received");
      expect(readFileSync(copyOf("all/h2/proc/sys/kernel/hostname"), "utf8")).toBe("h2\n");
      const hash = createHash("sha256")
        .update(readFileSync(copyOf("all/h1/tmp/most")))
        .digest("hex");
      expect(played.report.transcripts[0].output).toContain(hash);
      const { verdicts: _, ...report } = played.report;
      const less = await play("all", lab("# nothing of h1"));
      expect(less.report).toEqual({ ...report, verdicts: [expect.objectContaining({ status: "passed" })] });
    });

    test("a file that is missing, and one that is too large, fail", async () => {
      const { code, report } = await play("bad", lab("collect: [tmp/none, tmp/more, tmp]"));
      expect(code).toBe(1);
      expect(report.verdicts.map(({ status, got }: Record<string, string>) => `${status}: ${got}`)).toEqual([
        "failed: h1 has no file /tmp/none",
        "failed: /tmp/more of h1 has 1048577 bytes",
        "failed: /tmp of h1 is no regular file",
        "passed: 3 bytes",
      ]);
      expect(existsSync(copyOf("bad/h1"))).toBe(false);
    });
  },
);
