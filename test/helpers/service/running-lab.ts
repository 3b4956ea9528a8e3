/** Running labs, over HTTP. */
import type { RunReport } from "../../../functions/shared/schemas/run.ts";
import { expectSound } from "../captures/sound-capture.ts";
import { client, freshName } from "./lab.ts";
import { type BuiltLab, buildLab, type Call, type LabFile, readLabFile } from "./lab-file.ts";

const call: Call = async (method, path, body) => {
  const answer = await client.call(method, path, body === undefined ? {} : { body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.bytes}`);
  return answer.bytes.length > 0 ? answer.json : {};
};

export interface ConsoleAnswer {
  readonly output: string;
  readonly elapsed: number;
  readonly started_at: string;
  readonly stopped: "idle" | "limit";
  readonly limit: string | null;
  readonly loop: string[] | null;
  readonly events: number;
  readonly digest: string;
}

export class RunningLab {
  readonly built: BuiltLab;

  constructor(built: BuiltLab) {
    this.built = built;
  }

  get path(): string {
    return this.built.path;
  }

  node(name: string): string {
    const id = this.built.nodes[name];
    if (id === undefined) throw new Error(`There is no node ${name}`);
    return id;
  }

  /** By its ends, as the lab's file names them: `PC1-SW1`. */
  link(ends: string): string {
    const id = this.built.links[ends];
    if (id === undefined) throw new Error(`There is no link ${ends}`);
    return `${this.path}/links/${id}`;
  }

  linkId(ends: string): string {
    return this.built.links[ends]!;
  }

  /** Types commands. @returns the run's response. */
  async console(name: string, ...commands: string[]): Promise<ConsoleAnswer> {
    return (await call("POST", `${this.path}/nodes/${this.node(name)}/console`, {
      commands,
    })) as unknown as ConsoleAnswer;
  }

  async type(name: string, ...commands: string[]): Promise<string> {
    return (await this.console(name, ...commands)).output;
  }

  async run(request: {
    consoles?: Record<string, string[]>;
    actions?: Record<string, unknown>[];
    duration?: number;
  }): Promise<RunReport> {
    const consoles = Object.entries(request.consoles ?? {}).map(([name, commands]) => ({
      node_id: this.node(name),
      commands,
    }));
    return (await call("POST", `${this.path}/run`, { ...request, consoles })) as unknown as RunReport;
  }

  /** Starts a capture on a link. @returns its path, which is valid at once and after the stop. */
  async startCapture(ends: string, options: Record<string, unknown> = {}): Promise<string> {
    await call("POST", `${this.link(ends)}/start_capture`, options);
    const { json } = await client.get(`${this.link(ends)}/captures`);
    return `${this.link(ends)}/captures/${json.at(-1).capture_id}`;
  }

  /** The file of a capture, checked with tshark. */
  async download(capture: string): Promise<Buffer> {
    const { bytes } = await client.get(`${capture}/pcap`);
    expectSound(bytes);
    return bytes;
  }

  /** The captures of all links as one file, checked with tshark. */
  async downloadAll(): Promise<Buffer> {
    const { bytes } = await client.get(`${this.path}/pcapng`);
    expectSound(bytes);
    return bytes;
  }

  async captureAll(): Promise<void> {
    await Promise.all(
      Object.values(this.built.links).map((id) => call("POST", `${this.path}/links/${id}/start_capture`, {})),
    );
  }
}

/** Builds a lab, from test/labs or another one, and starts all its nodes. */
export async function startLab(
  file: string | LabFile,
  project: Record<string, unknown> = {},
): Promise<RunningLab> {
  const labFile = typeof file === "string" ? readLabFile(file) : file;
  const built = await buildLab(call, labFile, { name: freshName(), ...project });
  await call("POST", `${built.path}/nodes/start`);
  return new RunningLab(built);
}
