/** `wirelab live`: runs a lab in real time, with its clouds on real networks. */

import { kindOf } from "@wirelab/engine/devices/find-kind";
import { macOf } from "@wirelab/engine/devices/node-kind";
import type { DeviceSpec } from "@wirelab/engine/devices/readers";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { CommandLineError, parseCommandLine, type Surroundings } from "./command-line.ts";
import { DataError } from "./failure.ts";
import { readSeconds } from "./live/read-seconds.ts";
import { runLive } from "./live/run-live.ts";
import { loadLabFile } from "./load-lab-file.ts";

export const help = `Usage: wirelab live [options] FILE

Runs a lab file in real time. The file's clouds join real networks: machines, containers, or the nodes of another emulator. Ctrl-C ends the
run and prints what the links carried. A line NODE COMMAND on standard input types a command into the node's console.

  nodes:
    pc1: 10.0.0.1/24
    lan: { type: cloud, udp: { listen: 127.0.0.1:20000, to: 127.0.0.1:20001 } }
  links: [pc1 -- lan]

A cloud has one of these:
  udp: { listen, to }          a frame in each datagram, as the UDP tunnels of this interface
  vxlan: { vni, listen, to }   RFC 7348; addresses without a port have port 4789
  tap: NAME                    makes a tap interface, with socat, as root
  interface: NAME              an interface of this machine, with socat, as root

  --first N           numbers the nodes from N, 0 when absent: two labs on one network need different MAC addresses
  --seed S            instead of the file's seed
  --seconds N         ends the run after N seconds
  --real-time         runs before other programs of the machine (SCHED_RR): frames leave on time when it is busy; as root
  --json              the link counts as JSON

Exit status: 0 ended by the user or by --seconds, 1 a wire cannot be opened, 2 wrong usage or a bad lab file.
`;

export async function run(args: string[], surroundings: Surroundings): Promise<void> {
  const { values, positionals } = parseCommandLine(args, {
    options: {
      first: { type: "string", default: "0" },
      seed: { type: "string" },
      seconds: { type: "string" },
      "real-time": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
    positionals: ["FILE"],
  });
  const maxMs = readSeconds(values.seconds);
  const first = readFirst(values.first);
  const model = numberFrom(first, loadLabFile(positionals[0]!));
  for (const { name, spec, outside } of model.nodes) {
    if (spec.type === "cloud" && outside === undefined)
      throw new DataError(`the cloud ${name} needs udp, vxlan, tap or interface to run live`);
  }
  await runLive(
    model,
    { seed: values.seed ?? model.seed, maxMs, json: values.json, isRealTime: values["real-time"] },
    surroundings,
  );
}

/** A lab has at most this many nodes with MAC addresses of their own. */
const MAX_FIRST = 200;

function readFirst(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= MAX_FIRST) return Number(text);
  throw new CommandLineError(
    `--first is ${JSON.stringify(text)}, and must be a number from 0 to ${MAX_FIRST}`,
  );
}

const numberFrom = (first: number, model: LabModel): LabModel => ({
  ...model,
  nodes: model.nodes.map((node) => ({ ...node, spec: renumber(first, node.spec) })),
});

/** The number of a node decides its MAC addresses. */
function renumber(first: number, spec: DeviceSpec): DeviceSpec {
  const { macs } = kindOf(spec.type);
  if (spec.type === "vpcs") return { ...spec, index: spec.index + first };
  return macs && "mac" in spec ? { ...spec, mac: macOf({ ...macs, base: spec.mac }, first) } : spec;
}
