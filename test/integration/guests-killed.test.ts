/**
 * The function `guests` ends at once in the middle of a run: its thread is terminated, so that no code of it runs any more. The lab is as
 * before the run, or as after it, and the client reads that the run has failed.
 */
import type { Worker } from "node:worker_threads";
import { cacheFolder, imagesFolder, readFacts } from "@wirelab/linux/image/image";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ACCESS } from "../../infra/access.ts";
import type { LocalStack } from "../../infra/local/local-stack.ts";
import { outcomeOf } from "../helpers/service/carry-out.ts";
import { Client } from "../helpers/service/client.ts";
import { startInMemory } from "../helpers/stack/in-memory.ts";
import { environmentOf, localStack } from "../helpers/stack/this-stack.ts";
import { danglingReferences, objectKeys } from "../helpers/stores/store-checker.ts";
import { type StoreCall, type StoreProxy, startStoreProxy } from "../helpers/stores/store-proxy.ts";

const IMAGE = "bird";
/** Guests only compute, so a busy machine takes several times as long as an idle one, which takes some seconds. */
const GUESTS_MS = 180_000;
const hasImage = readFacts(imagesFolder(cacheFolder(process.env)), IMAGE) !== undefined;
const DAY_MS = 86_400_000;

/** The threads of the function, which no other function is as large as. */
const threads = new Set<Worker>();
const noteThread = (thread: Worker): void => {
  if (thread.resourceLimits?.maxOldGenerationSizeMb !== ACCESS.guests!.memoryMb) return;
  threads.add(thread);
  thread.once("exit", () => threads.delete(thread));
};
const endThreads = () => Promise.all([...threads].map((thread) => thread.terminate()));

type Moment = "before" | "after";
interface Strike {
  readonly call: (call: StoreCall) => boolean;
  readonly moment: Moment;
}

/** The next call that ends the function. */
let strike: Strike | undefined;
let ended: Promise<unknown> | undefined;

function end({ call, moment }: Strike, made: StoreCall, now: Moment): boolean {
  if (moment !== now || !call(made)) return false;
  strike = undefined;
  ended = endThreads();
  return true;
}

const isPut =
  (prefix: string) =>
  ({ store, method, path }: StoreCall): boolean =>
    store === "s3" && method === "PUT" && path.includes(`/${prefix}`);
const isTransaction = ({ name, headers }: StoreCall): boolean =>
  name === "TransactWriteItems" && /guests/i.test(String(headers["user-agent"]));

describe.skipIf(!hasImage)(
  `the end of a function in the middle of a run with guests (skipped without the image: wirelab image build ${IMAGE})`,
  { timeout: GUESTS_MS },
  () => {
    let stack: LocalStack;
    let client: Client;
    const proxies: StoreProxy[] = [];
    let project = "";
    let node = "";

    beforeAll(async () => {
      process.on("worker", noteThread);
      const watch = {
        decide: (call: StoreCall) =>
          strike && end(strike, call, "before") ? ("cut-before" as const) : ("pass" as const),
        answered: (call: StoreCall) => void (strike && end(strike, call, "after")),
      };
      stack = await startInMemory({
        synth: localStack().assembly,
        endpoints: async ({ dynamodb, s3 }) => {
          for (const target of [dynamodb, s3]) proxies.push(await startStoreProxy(target, watch));
          return { dynamodb: proxies[0]!.url, s3: proxies[1]!.url };
        },
      });
      Object.assign(process.env, environmentOf(stack));
      client = new Client(`${stack.url}/${stack.stage}`);
      const { json } = await client.post("/projects", { name: "killed" });
      project = `/projects/${json.project_id}`;
      const properties = { image: IMAGE, ports: [null] };
      const created = await client.post(`${project}/nodes`, {
        name: "a",
        compute_id: "local",
        node_type: "linux",
        properties,
      });
      node = `${project}/nodes/${created.json.node_id}`;
      expect((await outcomeOf(client, `${node}/start`, { body: {} })).status).toBe(200);
      expect(await type("echo begin > /root/note")).toBe("");
    });
    afterAll(async () => {
      process.off("worker", noteThread);
      await stack.stop();
      for (const proxy of proxies) proxy.close();
    });

    /** @returns what the command prints. */
    async function type(command: string): Promise<string> {
      const { status, json } = await outcomeOf(client, `${node}/console`, { body: { commands: [command] } });
      expect(status, JSON.stringify(json)).toBe(200);
      return json.output.replace(/^.*\n/, "").replace(/a# $/, "");
    }

    test.each<[string, string, Strike, string]>([
      [
        "while its guest computes",
        "i=0; while [ $i -lt 9999999 ]; do i=$((i+1)); done",
        { call: isPut("runs/"), moment: "after" },
        "begin\n",
      ],
      [
        "before the guest's state is stored",
        "echo first > /root/note",
        { call: isPut("guests/"), moment: "before" },
        "begin\n",
      ],
      [
        "before the run is committed",
        "echo second > /root/note",
        { call: isTransaction, moment: "before" },
        "begin\n",
      ],
      [
        "after the run was committed",
        "echo third > /root/note",
        { call: isTransaction, moment: "after" },
        "third\n",
      ],
    ])("%s: the run has failed, and the next one finds the lab whole", async (_when, command, at, note) => {
      // The request is stored before the function begins.
      const isRequest = isPut("runs/");
      strike = { ...at, call: (call) => at.call(call) && !(isRequest(call) && /request/.test(call.path)) };
      const { status, json } = await outcomeOf(client, `${node}/console`, { body: { commands: [command] } });
      expect({ status, json }).toMatchObject({ status: 500, json: { code: "run.guests-failed" } });
      expect(strike).toBeUndefined();
      await ended;
      const [runId] = /[0-9a-f-]{36}/.exec(json.message)!;
      const { json: run } = await client.get(`${project}/runs/${runId}`);
      expect(run).toMatchObject({ status: "failed", answer: null, error: { code: "run.guests-failed" } });
      expect(await danglingReferences(stack)).toEqual([]);
      expect(await type("cat /root/note")).toBe(note);
    });

    test("leaves objects that the sweeper deletes", async () => {
      const states = async () => (await objectKeys(stack)).filter((key) => key.startsWith("guests/"));
      expect((await states()).length).toBeGreaterThan(1);
      const { sweep } = await import("../../functions/sweeper/sweep.ts");
      await sweep({
        nowMs: Date.now() + 2 * DAY_MS,
        abandonedMs: 30 * DAY_MS,
        remainingTimeMs: () => 600_000,
      });
      expect(await states()).toHaveLength(1);
      expect(await danglingReferences(stack)).toEqual([]);
      expect(await type("cat /root/note")).toBe("third\n");
    });
  },
);
