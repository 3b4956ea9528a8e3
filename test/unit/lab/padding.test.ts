/** Which devices pad their frames to Ethernet's minimum of 60 bytes. */
import { FrameLog } from "@wirelab/lab/play/frame-log";
import { play } from "@wirelab/lab/play/play";
import { expect, test } from "vitest";
import { parse } from "./helpers.ts";

const LAB = `
  nodes:
    pc1: 10.0.0.1/24
    sw: switch
    hub: {type: hub, ports: 2}
    server: {type: server, ip: 10.0.0.9/24}
    r: {type: router, ports: [10.0.0.254/24]}
    pc2: 10.0.0.2/24
  links: [pc1 -- sw:0, server -- sw:1, r -- sw:2, hub:0 -- sw:3, hub:1 -- pc2]
  run:
    - {at: 1s, console: {pc1: [ping 10.0.0.9 -c 1, ping 10.0.0.2 -c 1, ping 10.0.0.254 -c 1 -P 17 -l 1], r: ping 10.0.0.1 -c 1, pc2: ping 10.0.0.1 -P 17 -l 1 -c 1}}
    - {at: 9s, console: {server: send 10.0.0.1 -n 1}}
  duration: 12s
`;

test("servers, routers and switches pad; PCs send as VPCS does, and hubs repeat", () => {
  const log = new FrameLog();
  play(parse(LAB), { watchers: { timeline: log } });
  const shortest = (node: string, to?: string): number =>
    Math.min(
      ...log.frames.flatMap((each) =>
        each.from === node && (to ?? each.to) === each.to ? [each.frame.length] : [],
      ),
    );
  expect([shortest("server"), shortest("r"), shortest("sw")]).toEqual([60, 60, 60]);
  expect([shortest("pc1"), shortest("pc2"), shortest("hub", "sw"), shortest("hub", "pc2")]).toEqual([
    48, 48, 48, 60,
  ]);
  const forwarded = log.frames.filter(
    ({ from, to, frame }) => from === "sw" && to === "r" && frame.length === 60,
  );
  const short = log.frames.find(({ from, frame }) => from === "pc1" && frame.length === 48)!;
  expect(forwarded.map(({ frame }) => [...frame])).toContainEqual([...short.frame, ...new Uint8Array(12)]);
});
