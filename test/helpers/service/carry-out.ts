/** Requests that run labs with Linux nodes, whose runs outlast them. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, Call, Client } from "./client.ts";
import { client } from "./lab.ts";

type Outcome = Pick<Answer, "status" | "json">;

const LOOK_AGAIN_MS = 200;

/** @returns what the run returns. */
export const carryOut = (path: string, body: unknown = {}): Promise<Outcome> =>
  outcomeOf(client, path, { body });

/** Plays a lab file. */
export const playFile = (path: string, raw: string): Promise<Outcome> => outcomeOf(client, path, { raw });

export async function outcomeOf(service: Client, path: string, call: Call): Promise<Outcome> {
  const answer = await service.call("POST", path, call);
  if (answer.status !== 202) return answer;
  const address = String(answer.headers.location).replace(/^\/v2/, "");
  for (;;) {
    const { answer, error, ...run } = (await service.get(address)).json;
    if (answer) return { status: answer.status, json: answer.body };
    if (error) return { status: error.status, json: error };
    if (run.status !== "running") throw new Error(`${address} has neither an answer nor an error`);
    await sleep(LOOK_AGAIN_MS);
  }
}
