/** The lab of docs/ci.md as a CI job runs it: in its own process, against the service. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parsePcap } from "../helpers/captures/pcap.ts";
import { expectSound } from "../helpers/captures/sound-capture.ts";
import { client } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

const SCRIPT = fileURLToPath(new URL("../../examples/ci-lab.ts", import.meta.url));
const { url, baseUrl } = localStack();

let captures: string;
beforeEach(() => {
  captures = mkdtempSync(join(tmpdir(), "ci-lab-"));
});
afterEach(() => rmSync(captures, { recursive: true, force: true }));

interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

async function run(service = baseUrl): Promise<Outcome> {
  const env = { ...process.env, WIRELAB_URL: service, WIRELAB_CAPTURES: captures };
  const child = spawn(process.execPath, [SCRIPT], { env, stdio: ["ignore", "pipe", "pipe"] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once("error", reject).once("close", resolve),
  );
  return { code, output: Buffer.concat(output).toString() };
}

const projectsOfJobs = async (): Promise<string[]> =>
  (await client.get("/projects")).json
    .map(({ name }: { name: string }) => name)
    .filter((name: string) => name.startsWith("ci-"));

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly answer: Buffer;
}

/** Maps an answer: returns the bytes to pass on, or undefined to drop the answer. */
type Meddle = (exchange: Exchange) => Buffer | undefined;

/** A proxy between the job and the service. */
async function startProxy(meddle: Meddle): Promise<{ service: string; server: Server }> {
  const server = createServer(async (incoming, outgoing) => {
    const body = await readAll(incoming);
    const { method = "", url: path = "", headers } = incoming;
    const forwarded = httpRequest(`${url}${path}`, { method, headers }, async (response) => {
      const bytes = meddle({ method, path, answer: await readAll(response) });
      if (bytes === undefined) {
        incoming.socket.destroy();
        return;
      }
      const { "content-length": _length, "transfer-encoding": _encoding, ...rest } = response.headers;
      outgoing.writeHead(response.statusCode!, rest);
      outgoing.end(bytes);
    });
    forwarded.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { service: `http://127.0.0.1:${port}${new URL(baseUrl).pathname}`, server };
}

const readAll = async (stream: IncomingMessage): Promise<Buffer> => Buffer.concat(await stream.toArray());

async function behind(meddle: Meddle): Promise<Outcome> {
  const { service, server } = await startProxy(meddle);
  try {
    return await run(service);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

test("a job passes, keeps its captures and leaves no project, and the next job loses the same packets", async () => {
  const first = await run();
  expect(first.code, first.output).toBe(0);
  expect(first.output.match(/^ok /gm)).toHaveLength(4);
  const files = readdirSync(captures);
  expect(files.toSorted()).toEqual(["PC1_0-0_to_SW1_0-0.pcap", "PC2_0-0_to_SW1_0-1.pcap", "lab.pcapng"]);
  for (const file of files) expectSound(readFileSync(join(captures, file)));
  expect(parsePcap(readFileSync(join(captures, files[0]!))).length).toBeGreaterThan(20);
  expect(await projectsOfJobs()).toEqual([]);
  const second = await run();
  const results = ({ output }: Outcome) => output.match(/^ok .*$/gm);
  expect(results(second)).toEqual(results(first));
});

test("a job whose lab fails an assertion exits with 1, keeps its captures and leaves no project", async () => {
  const { code, output } = await behind(({ path, answer }) =>
    path.includes("/packets")
      ? Buffer.from(JSON.stringify({ ...JSON.parse(String(answer)), matched: 19 }))
      : answer,
  );
  expect(code, output).toBe(1);
  expect(output).toContain("Not as expected: echo requests that PC1 sent");
  expect(readdirSync(captures)).toHaveLength(3);
  expect(await projectsOfJobs()).toEqual([]);
});

test("a job that loses the first answer to each request creates nothing twice", async () => {
  const lost = new Set<string>();
  const made: string[] = [];
  const { code, output } = await behind(({ method, path, answer }) => {
    const isNew = method === "POST" && /\/(projects|nodes|links)$/.test(path) && !lost.has(String(answer));
    if (!isNew) return answer;
    lost.add(String(answer));
    made.push(path.replace(/^.*\//, ""));
    return undefined;
  });
  expect(code, output).toBe(0);
  expect(made).toEqual(["projects", "nodes", "nodes", "nodes", "links", "links"]);
  expect(await projectsOfJobs()).toEqual([]);
});

test("a job whose request is rejected reports the error and exits with 2", async () => {
  const { code, output } = await run(`${baseUrl}/nosuch`);
  expect(code).toBe(2);
  expect(output).toContain("/nosuch/version: 404");
});
