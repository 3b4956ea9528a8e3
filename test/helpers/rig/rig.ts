/** A service of this repository, and real computes that are registered in it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assemble } from "../../../infra/local/assemble.ts";
import type { LocalStack } from "../../../infra/local/local-stack.ts";
import { startInMemory } from "../stack/in-memory.ts";
import { type CallCount, ComputeProxy } from "./compute-proxy.ts";
import { computePrograms } from "./programs.ts";
import { type RealCompute, startCompute } from "./real-compute.ts";

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of many shapes
  readonly json: any;
}

export interface RigOptions {
  /** Puts a proxy before each compute, which counts its calls. */
  readonly count?: CallCount;
  /** The timeout of all functions, in seconds. Default: that of the stack. */
  readonly timeoutSeconds?: number;
}

export class Rig {
  readonly stack: LocalStack;
  readonly computes: readonly RealCompute[];
  /** The ids of the computes in the service. */
  readonly ids: readonly string[];
  readonly #closers: (() => unknown)[];

  private constructor(
    stack: LocalStack,
    computes: readonly RealCompute[],
    ids: readonly string[],
    closers: (() => unknown)[],
  ) {
    this.stack = stack;
    this.computes = computes;
    this.ids = ids;
    this.#closers = closers;
  }

  static async start(number: number, { count, timeoutSeconds }: RigOptions = {}): Promise<Rig> {
    const [synth, ...computes] = await Promise.all([
      timeoutSeconds === undefined ? undefined : assembleWithTimeout(timeoutSeconds),
      ...Array.from({ length: number }, () => startCompute(computePrograms!)),
    ]);
    const stack = await startInMemory({ ...(synth && { synth }) });
    const proxies = count && (await Promise.all(computes.map((each) => ComputeProxy.start(each, count))));
    const ids = computes.map((_compute, index) => `compute-${index + 1}`);
    const rig = new Rig(stack, computes, ids, [
      () => stack.stop(),
      ...computes.map((compute) => () => compute.remove()),
      ...(proxies ?? []).map((proxy) => () => proxy.stop()),
      () => synth && rmSync(synth, { recursive: true }),
    ]);
    for (const [index, { host, port, account }] of computes.entries()) {
      const compute = { compute_id: ids[index], name: ids[index], protocol: "http", host, ...account };
      await rig.done("POST", "/computes", { ...compute, port: proxies?.[index]?.port ?? port });
    }
    return rig;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#closers.map((close) => close()));
  }

  get url(): string {
    return `${this.stack.url}/v2`;
  }

  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === "" ? undefined : JSON.parse(text) };
  }

  /** Returns the body of a successful response. @throws Error for others. */
  async done(method: string, path: string, body?: unknown): Promise<Answer["json"]> {
    const { status, json } = await this.call(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
    return json;
  }
}

export interface RealPair {
  readonly project: string;
  /** Paths of the nodes: `PC1` on the first compute with 10.0.0.1, `PC2` on the last with 10.0.0.2. */
  readonly nodes: readonly [string, string];
  /** Path of their link. */
  readonly link: string;
}

/** Makes two VPCS nodes, which are not started, and a link between them. */
export async function makeRealPair(rig: Rig, name: string, filters: object = {}): Promise<RealPair> {
  const { project_id } = await rig.done("POST", "/projects", { name });
  const project = `/projects/${project_id}`;
  const ids: string[] = [];
  for (const [index, compute_id] of [rig.ids[0], rig.ids.at(-1)].entries()) {
    const host = index + 1;
    const { node_id } = await rig.done("POST", `${project}/nodes`, {
      name: `PC${host}`,
      node_type: "vpcs",
      compute_id,
      properties: { startup_script: `set pcname PC${host}\nip 10.0.0.${host}/24\n` },
    });
    ids.push(node_id);
  }
  const sides = ids.map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
  const { link_id } = await rig.done("POST", `${project}/links`, { nodes: sides, filters });
  return {
    project,
    nodes: [`${project}/nodes/${ids[0]}`, `${project}/nodes/${ids[1]}`],
    link: `${project}/links/${link_id}`,
  };
}

/** Returns a folder with the stack, whose functions have another timeout. */
async function assembleWithTimeout(seconds: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-rig-"));
  await assemble(folder, { settings: { auth: "none", ephemeral: "true" } });
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".template.json"))) {
    const file = join(folder, name);
    const template = JSON.parse(readFileSync(file, "utf8"));
    for (const { Type, Properties } of Object.values<Resource>(template.Resources))
      if (Type === "AWS::Lambda::Function") Properties.Timeout = seconds;
    writeFileSync(file, JSON.stringify(template));
  }
  return folder;
}

interface Resource {
  readonly Type: string;
  readonly Properties: { Timeout?: number };
}
