/** A guest that was configured in an earlier play goes on from there with the bytes of one that is configured now. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FrameLog } from "@wirelab/lab/play/frame-log";
import { play } from "@wirelab/lab/play/play";
import { LinuxDevice, type LinuxState } from "@wirelab/linux/device/linux-device";
import { type HostOptions, ThreadHost } from "@wirelab/linux/guest/thread-host";
import { cacheFolder, configuredFolder, imagesFolder } from "@wirelab/linux/image/image";
import { describe, expect } from "vitest";
import { parseLabText } from "../../packages/wirelab/load-lab-file.ts";
import { drawnTest } from "../helpers/cases/drawn-test.ts";
import { hasImage } from "../helpers/play-linux.ts";

const test = drawnTest(3);
const images = imagesFolder(cacheFolder(process.env));
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const newFolder = () => mkdtempSync(join(tmpdir(), "wirelab-configured-"));

/** The router answers the guest while it is configured. */
const lab = ({ delayMs = 1, command = "true", seed = "1" } = {}): string => `
seed: "${seed}"
nodes:
  h1: { type: linux, image: bird, ports: [10.0.0.1/24], commands: ["${command}", ping -c 1 10.0.0.254] }
  gw: { type: router, ports: [{ ipv4: 10.0.0.254/24, ipv6: "2001:db8::1/64" }] }
links: [{ link: "h1 -- gw:0", filters: { delay: ${delayMs}ms } }]
run: [{ at: 500ms, console: { h1: ["ping -c 1 10.0.0.254; ip addr; date; head -c 9 /dev/urandom | md5sum"] } }]
duration: 2s
expect: [{ console: h1, contains: 1 packets received }]
`;

function outcomeOf(text: string, options: HostOptions = {}) {
  const host = new ThreadHost(images, options);
  const model = parseLabText(text, "lab.yaml", {
    problemOf: () => undefined,
    makeDevice: (spec, world, state) => new LinuxDevice(spec, world, host, state as LinuxState | undefined),
  });
  const [boot, timeline] = [new FrameLog(), new FrameLog()];
  const played = play(model, { watchers: { boot, timeline } });
  const state = played.stateAt(undefined).nodes.get("h1")!.state!.device as LinuxState;
  const saved = host.stateOf(state.guest)!;
  host.close();
  return {
    frames: [...boot.frames, ...timeline.frames].map(
      (each) => `${each.from} ${each.enteredNs} ${sha256(each.frame)}`,
    ),
    consoles: played.timeline.sessions.map(({ output }) => output),
    state: { ...state, guest: sha256(saved.difference), nowNs: saved.nowNs },
  };
}

/** By name: a file that is written again has another number. */
const filesOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(join(folder, "bird")).map((name) => [name, statSync(join(folder, "bird", name)).ino]),
  );

describe.skipIf(!hasImage("bird"))("a guest (skipped without the image: wirelab image build bird)", () => {
  test("gives the same bytes without recordings, when it is recorded, and from its recording, at once or in turn", () => {
    const configured = newFolder();
    const plain = outcomeOf(lab());
    expect(plain.consoles.join()).toContain("1 packets received");
    expect(plain.frames.some((each) => each.startsWith("gw"))).toBe(true);
    expect(outcomeOf(lab(), { configured })).toEqual(plain);
    const files = filesOf(configured);
    expect(Object.keys(files)).toHaveLength(1);
    expect(outcomeOf(lab(), { configured })).toEqual(plain);
    expect(outcomeOf(lab(), { configured, isParallel: false })).toEqual(plain);
    // It was used, and nothing was recorded.
    expect(filesOf(configured)).toEqual(files);
  });

  for (const [name, change, recordings] of [
    ["frames arrive at another time", { delayMs: 7 }, 1],
    ["it is configured otherwise", { command: "ip link set eth0 mtu 1400" }, 2],
    ["the lab has another seed", { seed: "2" }, 2],
  ] as const)
    test(`gives the bytes of a guest without recordings when ${name}`, () => {
      const configured = newFolder();
      const before = outcomeOf(lab(), { configured });
      const files = filesOf(configured);
      const plain = outcomeOf(lab(change));
      expect(plain).not.toEqual(before);
      expect(outcomeOf(lab(change), { configured })).toEqual(plain);
      expect(Object.keys(filesOf(configured))).toHaveLength(recordings);
      expect(filesOf(configured)).not.toEqual(files);
      expect(outcomeOf(lab(change), { configured })).toEqual(plain);
    });

  test("is configured again when its recording is damaged", () => {
    const configured = newFolder();
    const before = outcomeOf(lab(), { configured });
    const [name] = Object.keys(filesOf(configured));
    const path = join(configured, "bird", name!);
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, whole.length / 2));
    expect(outcomeOf(lab(), { configured })).toEqual(before);
    expect(readFileSync(path).length).toBe(whole.length);
  });

  test("may be configured by two processes at once", async () => {
    const cache = newFolder();
    symlinkSync(images, imagesFolder(cache));
    mkdirSync(configuredFolder(cache));
    const file = join(cache, "lab.yaml");
    writeFileSync(file, lab());
    const index = new URL("../../packages/wirelab/index.ts", import.meta.url);
    const script = join(cache, "play.mjs");
    writeFileSync(
      script,
      `import { loadLabFile, runLab } from "${index}";
       const { status, digest } = runLab(loadLabFile("${file}"));
       console.log(status, digest);
       process.exit();`,
    );
    const outputOf = async () => {
      const env = { ...process.env, WIRELAB_CACHE: cache };
      const child = spawn(process.execPath, [script], { env });
      const texts: string[] = [];
      child.stdout.on("data", (data) => texts.push(String(data)));
      await once(child, "close");
      return texts.join("");
    };
    const [one, other] = await Promise.all([outputOf(), outputOf()]);
    expect(one).toMatch(/^passed [0-9a-f]+/);
    expect(other).toBe(one);
    expect(await outputOf()).toBe(one);
    expect(Object.keys(filesOf(configuredFolder(cache)))).toHaveLength(1);
  });
});
