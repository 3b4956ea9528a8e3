import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LinuxSpec } from "@wirelab/engine/devices/linux/spec";
import { makeStartScript } from "@wirelab/linux/device/start-script";
import { expect, test } from "vitest";

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

test("the script names the node, makes its ports, and runs the image's commands before its own", () => {
  const script = makeStartScript(spec, ["bird"], 1_767_225_600_500_000);
  expect(script.split("\n")).toEqual([
    "echo r1 > /proc/sys/kernel/hostname",
    'echo "127.0.1.1 r1" >> /etc/hosts',
    "date -s @1767225600 > /dev/null",
    "ip -force -batch - <<'END'",
    "link add link trunk name eth0 type vlan id 100",
    "link set eth0 address 02:57:4c:80:00:40 up",
    "address add 10.0.0.1/24 dev eth0",
    "address add fd00::1/64 dev eth0",
    "link add link trunk name eth1 type vlan id 101",
    "link set eth1 address 02:57:4c:80:00:41 up",
    "END",
    "bird",
    "echo started",
    "",
  ]);
});

test("a file has the text that was given, whatever the text or its path", () => {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-script-"));
  const path = join(folder, "it's a folder", "a file");
  const text = "one $HOME `date` \\n 'two'\n\n  three\n";
  const script = makeStartScript({ ...spec, ports: 0, files: { [path]: text } }, [], 0);
  execFileSync("sh", ["-c", script.slice(script.indexOf("\nEND\n") + 5)]);
  expect(readFileSync(path, "utf8")).toBe(text);
});
