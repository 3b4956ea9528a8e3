/** Runs a lab in real time until the user ends it. */
import { createInterface } from "node:readline";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import type { Outside, SocketAddress } from "@wirelab/lab/model/outside";
import { countLinks } from "@wirelab/lab/report/count-links";
import type { Surroundings } from "../command-line.ts";
import { DataError } from "../failure.ts";
import { formatLinks } from "../format-links.ts";
import { untilSignal } from "../until-signal.ts";
import { LiveLab } from "./live-lab.ts";
import { openNetwork } from "./open-network.ts";
import { scheduleInRealTime } from "./real-time-scheduling.ts";
import { openWire } from "./wires/open-wire.ts";
import type { Wire } from "./wires/wire.ts";

export interface LiveOptions {
  readonly seed: string;
  /** Without it, until a signal. */
  readonly maxMs?: number | undefined;
  readonly json: boolean;
  readonly isRealTime: boolean;
}

/** @throws DataError if a wire cannot be opened, the lab reaches a limit, or the system refuses real-time scheduling. */
export async function runLive(
  model: LabModel,
  { seed, maxMs, json, isRealTime }: LiveOptions,
  { stdin, stdout }: Surroundings,
): Promise<void> {
  if (isRealTime) await scheduleInRealTime();
  const wires = new Map<string, Wire>();
  const closeAll = () => Promise.all([...wires.values()].map((wire) => wire.close()));
  let lab: LiveLab | undefined;
  const clouds = model.nodes.flatMap(({ name, outside }) => (outside ? [{ name, outside }] : []));
  const network = await openNetwork(clouds.map(({ outside }) => outside));
  try {
    for (const { name, outside } of clouds)
      wires.set(name, await openWire(network, outside, (frame) => lab?.enter(name, frame)));
  } catch (error) {
    await closeAll();
    throw error;
  }
  const lines = createInterface({ input: stdin });
  // Before anything is printed: a program that waits for these lines may then send a signal at once.
  const ended = untilSignal(maxMs);
  try {
    stdout.write(`sockets: ${network.name}\n`);
    for (const { name, outside } of clouds) stdout.write(`${name}: ${describe(outside)}\n`);
    const overflow = new Promise<never>((_resolve, reject) => {
      lab = new LiveLab({
        model,
        seed,
        time: network.time,
        startUs: Date.now() * 1_000,
        leave: (cloud, frame) => wires.get(cloud)?.send(frame),
        print: (_node, text) => stdout.write(text),
        end: (limit) => reject(new DataError(`the lab reached its limit of ${limit}`)),
      });
    });
    const names = new Set(model.nodes.map(({ name }) => name));
    lines.on("line", (line) => typeLine(lab!, names, line, stdout));
    await Promise.race([ended, overflow]);
    const links = countLinks(lab!.simulation);
    stdout.write(json ? `${JSON.stringify({ seed, links }, null, 2)}\n` : formatLinks(links).join("\n"));
  } finally {
    lines.close();
    lab?.stop();
    await closeAll();
  }
}

/** `NODE COMMAND` types the command into the node's console. */
function typeLine(
  lab: LiveLab,
  names: ReadonlySet<string>,
  line: string,
  stdout: Surroundings["stdout"],
): void {
  const [, node = "", command = ""] = /^\s*(\S+)\s*(.*)$/.exec(line) ?? [];
  if (names.has(node)) lab.type(node, command);
  else if (node !== "") stdout.write(`no node is named ${node}; the nodes are ${[...names].join(", ")}\n`);
}

const place = ({ host, port }: SocketAddress): string => `${host} port ${port}`;

function describe(outside: Outside): string {
  switch (outside.kind) {
    case "udp":
      return `UDP, listens at ${place(outside.listen)}, sends to ${place(outside.to)}`;
    case "vxlan":
      return `VXLAN ${outside.vni}, listens at ${place(outside.listen)}, sends to ${place(outside.to)}`;
    case "tap":
      return `tap interface ${outside.name}`;
    case "interface":
      return `interface ${outside.name}`;
  }
}
