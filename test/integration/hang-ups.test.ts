/** Clients that disconnect at each stage of a request, on every route. The service must not fail or leak because of them. */
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GROUPS } from "../../functions/routes.ts";
import { type Gateway, startGateway } from "../../infra/local/gateway.ts";
import { type LambdaPool, makeLambdaPool } from "../../infra/local/lambda-pool.ts";
import { readTemplate } from "../../infra/local/template/template.ts";
import { NOT_MEASURED, RECIPES, type Recipe, type Send, type Shot } from "../bench/recipes.ts";
import { FAULTY_RECIPES } from "../helpers/service/faulty-labs.ts";
import { HangingUp } from "../helpers/service/hang-up.ts";
import { settles } from "../helpers/settles.ts";
import { environmentOf, localStack } from "../helpers/stack/this-stack.ts";
import { inTurns } from "../helpers/stores/in-turns.ts";

const HOLD = "x-test-hold";

const stack = localStack();
const uncaught: unknown[] = [];
const errors: string[] = [];
/** The promises that invocations await before they respond, by the value of the header HOLD. */
const holds = new Map<string, Promise<void>>();
let invoked = 0;
let ended = 0;
let gateway: Gateway;
let pool: LambdaPool;

const note = (error: unknown) => uncaught.push(error);

beforeAll(() => {
  const template = readTemplate(stack.assembly);
  pool = makeLambdaPool(template.functions, environmentOf(stack), (level, line) => {
    if (level === "error") errors.push(line);
    else if (line.includes('"message":"request"')) ended += 1;
  });
  const holding: LambdaPool = {
    ...pool,
    async invoke(functionId, requestId, event) {
      invoked += 1;
      const invocation = await pool.invoke(functionId, requestId, event);
      await holds.get(JSON.parse(event).headers[HOLD]);
      return invocation;
    },
  };
  process.on("uncaughtExceptionMonitor", note);
  return startGateway(template, holding, { host: "127.0.0.1", port: 0 }).then((started) => {
    gateway = started;
  });
});

afterAll(async () => {
  await gateway.stop();
  await pool.stop();
  process.off("uncaughtExceptionMonitor", note);
});

const send: Send = async ({ method, path, body = null }) => {
  const response = await fetch(`http://127.0.0.1:${gateway.port}/v2${path}`, {
    method,
    body: body as string | null,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return /^[{[]/.test(text) ? JSON.parse(text) : undefined;
};

const headOf = ({ method, path, body = "" }: Shot, hold = ""): string =>
  `${method} /v2${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${HOLD}: ${hold}\r\n\r\n`;

const wholeOf = (shot: Shot, hold?: string): Buffer =>
  Buffer.concat([Buffer.from(headOf(shot, hold)), Buffer.from(shot.body ?? "")]);

const open = (sent: string | Buffer) => HangingUp.open(gateway.port, sent);

type Stage = (shot: Shot, index: number) => Promise<void>;

const STAGES = {
  async "before the head ends"(shot, index) {
    const head = headOf(shot);
    const client = await open(head.slice(0, 1 + ((index * 7) % (head.length - 1))));
    await client.hangUp();
  },
  async "in mid body"(shot, index) {
    const length = Buffer.byteLength(shot.body ?? "");
    const client = await open(
      wholeOf(shot).subarray(0, headOf(shot).length + (length > 0 ? index % length : 0)),
    );
    await client.response;
    await client.hangUp();
  },
  async "before the answer begins"(shot) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const hold = crypto.randomUUID();
    holds.set(hold, promise);
    const client = await open(wholeOf(shot, hold));
    await client.response;
    await client.hangUp();
    resolve();
  },
  async "in mid answer"(shot) {
    const client = await open(wholeOf(shot));
    await client.answerBegun();
    await client.hangUp();
  },
  async "after the answer"(shot) {
    const client = await open(wholeOf(shot));
    const response = await client.response;
    if (!response.closed) await once(response, "close");
    await client.hangUp();
  },
} satisfies Record<string, Stage>;

const recipes: Readonly<Record<string, Recipe>> = { ...RECIPES, streamPcap: FAULTY_RECIPES.streamPcap! };
const names = GROUPS.flatMap(({ routes }) => Object.keys(routes));
/** Requests of each route, one for each stage if the recipe makes so many. */
const shots = new Map<string, readonly Shot[]>();

describe("a client that hangs up", () => {
  beforeAll(() =>
    inTurns(names, async (name) => {
      shots.set(name, await recipes[name]!(send, Object.keys(STAGES).length));
    }),
  );

  test.each(Object.entries(STAGES).map(([title, stage], round) => ({ title, stage, round })))(
    "$title of any route leaves nothing behind",
    async ({ stage, round }) => {
      await inTurns(names, async (name, index) => {
        const all = shots.get(name)!;
        if (stage === STAGES["after the answer"] && NOT_MEASURED.has(name)) return;
        await stage(all[round % all.length]!, index);
      });

      await settles(() => expect(ended).toBe(invoked));
      expect(errors).toEqual([]);
      expect(uncaught).toEqual([]);
    },
  );
});
