/** Frames that reach the card of a real guest faster than its driver gives the card buffers. */
import type { LinuxSpec } from "@wirelab/engine/devices/linux/spec";
import { typeCommands } from "@wirelab/engine/simulation/actions";
import { ConsoleSession } from "@wirelab/engine/simulation/console-session";
import { Simulation } from "@wirelab/engine/simulation/simulation";
import { LinuxDevice, type LinuxState } from "@wirelab/linux/device/linux-device";
import { ThreadHost } from "@wirelab/linux/guest/thread-host";
import { cacheFolder, imagesFolder } from "@wirelab/linux/image/image";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../packages/lab/play/run-stage.ts";
import { drawn, drawOf } from "../helpers/cases/draw.ts";
import { hasImage } from "../helpers/play-linux.ts";

const IMAGE = "bird";
const SECOND = 1e9;
/** More than the ring of the card has buffers. */
const FRAMES = 2_000;
const BUSY = "while :; do :; done & sleep 0.6; kill $!";
/** The card, in the namespace of the wire. */
const RECEIVED = "cat /run/wire/class/net/trunk/statistics/rx_packets";

describe.skipIf(!hasImage(IMAGE))(
  `a flood of frames (skipped without the image: wirelab image build ${IMAGE})`,
  () => {
    let host: ThreadHost;
    beforeAll(() => {
      host = new ThreadHost(imagesFolder(cacheFolder(process.env)));
    });
    afterAll(() => host.close());

    function makeLab() {
      const discarded: { readonly reason: string; readonly atNs: number }[] = [];
      const spec: LinuxSpec = {
        type: "linux",
        name: "a",
        image: IMAGE,
        ports: 1,
        mac: 0x02_57_4c_00_00_01,
        addresses: [],
        files: {},
        commands: [],
        makeDevice: (own, world, state) => new LinuxDevice(own, world, host, state as LinuxState | undefined),
      };
      const simulation = new Simulation({
        startUs: 1_000_000,
        seed: "1",
        limits: { ...DEFAULT_LIMITS, events: 1_000_000 },
        durationNs: 6 * SECOND,
        makeTap: () => undefined,
        observer: { discarded: ({ reason, atNs }) => discarded.push({ reason, atNs }) },
      });
      simulation.addNode({
        id: "a",
        name: "a",
        spec,
        wires: new Map(),
        status: "started",
        state: undefined,
      });
      return { simulation, discarded };
    }

    function typeAt(simulation: Simulation, seconds: number, command: string): ConsoleSession {
      const session = new ConsoleSession("a", [command]);
      simulation.schedule(seconds * SECOND, typeCommands(session));
      return session;
    }

    function floodAt(simulation: Simulation, seconds: number, frames: number): void {
      const frame = new Uint8Array(60).fill(0xff, 0, 6);
      simulation.schedule(seconds * SECOND, {
        kind: "other",
        nodes: ["a"],
        links: [],
        perform() {
          for (let sent = 0; sent < frames; sent++) simulation.nodes.get("a")!.receive(0, frame);
        },
      });
    }

    const numberIn = ({ output }: ConsoleSession): number => Number(/^(\d+)$/m.exec(output)![1]);

    const draw = drawOf(2);
    test.each(
      drawn(
        [
          ["waits", "true"],
          ["computes", BUSY],
        ] as const,
        draw,
      ),
    )(
      `of a guest that %s is discarded where the card has no buffer, and each frame is reported${draw.note}`,
      (_how, command) => {
        const { simulation, discarded } = makeLab();
        const before = typeAt(simulation, 3, RECEIVED);
        typeAt(simulation, 3.1, command);
        floodAt(simulation, 3.5, FRAMES);
        floodAt(simulation, 4.5, 10);
        const after = typeAt(simulation, 5, RECEIVED);
        while (simulation.advance());
        const received = numberIn(after) - numberIn(before);
        expect(received).toBeGreaterThan(100);
        expect(discarded.length).toBeGreaterThan(100);
        expect(discarded.length + received).toBe(FRAMES + 10);
        expect(new Set(discarded.map(({ reason }) => reason))).toEqual(
          new Set(["the guest has no free buffer"]),
        );
        // Those of the second flood find room again.
        expect(discarded.every(({ atNs }) => atNs >= 3.5 * SECOND && atNs < 3.6 * SECOND)).toBe(true);
      },
    );
  },
);
