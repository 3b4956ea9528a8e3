import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LinuxSpec } from "@wirelab/engine/devices/linux/spec";
import { expect, test } from "vitest";
import { makeStartScript } from "../../../packages/linux/device/start-script.ts";

const spec: LinuxSpec = {
  type: "linux",
  name: "r1",
  image: "debian",
  ports: 2,
  mac: 0x0257_4c80_0040,
  addresses: [["10.0.0.1/24", "fd00::1/64"]],
  files: {},
  commands: ["echo started"],
};

test("the script names the node, gives it its ports with their carriers, and runs the image's commands before its own", () => {
  const script = makeStartScript(spec, ["bird"], 1_767_225_600_500_000, new Set([1]));
  expect(script.split("\n")).toEqual([
    "echo r1 > /proc/sys/kernel/hostname",
    'echo "127.0.1.1 r1" >> /etc/hosts',
    "date -s @1767225600 > /dev/null",
    "echo 'link set e0 netns 1 name eth0 address 02:57:4c:80:00:40",
    "link set e1 netns 1 name eth1 address 02:57:4c:80:00:41",
    "link set p1 down' > /run/wire.lines",
    "read done < /run/wire.done; [ ! -s /run/wire.output ] || cat /run/wire.output",
    "echo 'link set eth0 up",
    "address add 10.0.0.1/24 dev eth0",
    "address add fd00::1/64 dev eth0",
    "link set eth1 up' > /run/node.lines",
    "read done < /run/node.done; [ ! -s /run/node.output ] || cat /run/node.output",
    "bird",
    "echo started",
    "",
  ]);
});

test("a file has the text that was given, whatever the text or its path", () => {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-script-"));
  const path = join(folder, "it's a folder", "a file");
  const text = "one $HOME `date` \\n 'two'\n\n  three\n";
  const script = makeStartScript({ ...spec, ports: 0, files: { [path]: text } }, [], 0, new Set());
  execFileSync("sh", ["-c", script.slice(script.lastIndexOf("/run/node.output") + 16)]);
  expect(readFileSync(path, "utf8")).toBe(text);
});
