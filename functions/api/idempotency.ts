/**
 * A POST that is sent again under its `Idempotency-Key` is carried out once (after the draft of the RFC, "The
 * Idempotency-Key HTTP Header Field").
 *
 *     begin       the key is written down with what the request is     or: its answer, if there is one already
 *     carry out   ids of what is made follow from what was written; a run writes down in its own transaction that it happened
 *     keep        the answer, for 24 hours
 *
 * What dies between these steps is taken up by the next request under the key: it makes the same things, which are there
 * already, and a run that has happened does not happen again.
 */
import { createHash } from "node:crypto";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { ApiError, failure, invalidRequest } from "./errors.ts";
import type { AnyAnswer } from "./http/response.ts";
import type { ResponseSpec } from "./route.ts";

/** What the holder of a key has in hand while the request is carried out. */
export interface Receipt {
  readonly id: string;
  /** Of several that take up the same request one after another, this one. */
  readonly holder: string;
  /** The ids of what the request makes follow from it. */
  readonly origin: string;
  readonly user: string;
}

export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType?: string | undefined;
  readonly body: Uint8Array;
}

export type Begun =
  | { readonly state: "begun"; readonly receipt: Receipt }
  | { readonly state: "answered"; readonly answer: KeptAnswer }
  /** Carried out, and there is no answer to give: it was too large, or whoever had it died. */
  | { readonly state: "carried-out" }
  | { readonly state: "in-progress" }
  | { readonly state: "other-request" };

/** Where keys are written down: the store's, which this room does not import. */
export interface RequestLedger {
  begin(user: string, key: string, fingerprint: string, holdMs: number): Promise<Begun>;
  keep(receipt: Receipt, answer: KeptAnswer): Promise<void>;
  /** Nothing has happened: the key is free again. */
  release(receipt: Receipt): Promise<void>;
  /** Whether anything has happened is not known: the same request may try again at once. */
  handBack(receipt: Receipt): Promise<void>;
}

export const IDEMPOTENCY_KEY = "idempotency-key";
const REPLAYED = "idempotency-replayed";
/** Printable ASCII, as a structured header's string is. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** A holder that is silent for so long is taken for dead; if it lives, it finds the receipt no longer its own. */
const HOLD_MS = 30_000;

/**
 * @returns null when the request has no key.
 * @throws ApiError `request.invalid`
 */
export function readKey(headers: Readonly<Record<string, string | undefined>>): string | null {
  const given = headers[IDEMPOTENCY_KEY];
  if (given === undefined) return null;
  const key = given.trim().replace(/^"(.*)"$/, "$1");
  if (KEY.test(key)) return key;
  throw invalidRequest([
    { path: "headers.idempotency-key", message: "is not 1 to 255 printable ASCII characters without spaces" },
  ]);
}

/** Two requests with the same one are the same request. */
export function fingerprintOf(event: APIGatewayProxyEvent): string {
  const { httpMethod, path, multiValueQueryStringParameters, headers, body, isBase64Encoded } = event;
  const query = Object.entries(multiValueQueryStringParameters ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const bytes = Buffer.from(body ?? "", isBase64Encoded ? "base64" : "utf8");
  return createHash("sha256")
    .update(JSON.stringify([httpMethod, path, query, headers.accept ?? ""]))
    .update("\n")
    .update(bytes)
    .digest("hex");
}

/** A fresh id; under a key always the same one for the same thing. @param what tells the things of one request apart. */
export function newId({ receipt }: { readonly receipt?: Receipt | undefined }, what: string): string {
  if (receipt === undefined) return crypto.randomUUID();
  const bytes = createHash("sha256").update(`${receipt.origin}\n${what}`).digest();
  // RFC 9562: version 8, made by a rule of one's own; variant 10.
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

interface Keyed {
  readonly key: string;
  readonly user: string;
  readonly fingerprint: string;
}

/**
 * Carries out a request that has a key, or gives the answer it was given before.
 * @param specOf what the route declares of an answer.
 * @param onFault told when the answer could not be kept: the request has been carried out all the same.
 * @throws ApiError `idempotency.*`, or what `carryOut` throws.
 */
export async function carryOutOnce(
  ledger: RequestLedger,
  { key, user, fingerprint }: Keyed,
  specOf: (status: number) => ResponseSpec | undefined,
  carryOut: (receipt: Receipt) => Promise<AnyAnswer>,
  onFault: (error: unknown) => void,
): Promise<AnyAnswer> {
  const begun = await ledger.begin(user, key, fingerprint, HOLD_MS);
  if (begun.state === "other-request") throw failure("idempotency.key-reused");
  if (begun.state === "in-progress") throw failure("idempotency.in-progress");
  if (begun.state === "carried-out") throw failure("idempotency.answer-not-kept");
  if (begun.state === "answered") return toAnswer(begun.answer);
  const { receipt } = begun;
  const answer = await carryOut(receipt).catch(async (error: unknown) => {
    const refused = error instanceof ApiError && error.status < 500;
    await (refused ? ledger.release(receipt) : ledger.handBack(receipt)).catch(onFault);
    throw error;
  });
  const kept = toKept(answer, specOf(Number(answer.status)));
  await ledger.keep(receipt, kept).catch(onFault);
  return answer;
}

const toAnswer = ({ status, headers, contentType, body }: KeptAnswer): AnyAnswer => ({
  status,
  headers: { ...headers, [REPLAYED]: "true" },
  ...(contentType && { contentType, body }),
});

/** Answers that are streams belong to routes that read, and those take no key. */
function toKept(answer: AnyAnswer, spec: ResponseSpec | undefined): KeptAnswer {
  const { body, headers = {} } = answer;
  const head = { status: Number(answer.status), headers };
  if (body === undefined) return { ...head, body: new Uint8Array() };
  if (body instanceof Uint8Array) {
    return {
      ...head,
      contentType: answer.contentType ?? spec?.contentType ?? "application/octet-stream",
      body,
    };
  }
  return { ...head, contentType: "application/json", body: Buffer.from(JSON.stringify(body)) };
}
