/**
 * A POST that the client repeats with the same `Idempotency-Key` is executed once (after the IETF draft "The Idempotency-Key
 * HTTP Header Field").
 *
 *     begin       the key is stored with a fingerprint of the request     or: returns the stored response, if there is one
 *     carry out   ids of new resources derive from the stored record; a run records in its own transaction that it is committed
 *     keep        the response is stored for 24 hours
 *
 * If a function dies between these steps, the next request with the key continues: it derives the same ids and finds what exists
 * already, and it does not repeat a committed run.
 */
import { createHash } from "node:crypto";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { ApiError, failure, invalidRequest } from "./errors.ts";
import type { AnyAnswer } from "./http/response.ts";
import type { ResponseSpec } from "./route.ts";

/** Identifies one attempt to execute a request with a key. */
export interface Receipt {
  readonly id: string;
  /** Identifies this attempt among several that continue the same request. */
  readonly holder: string;
  /** The ids of the resources that the request creates derive from it. */
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
  /** Executed without a stored response: that was too large, or the holder died. */
  | { readonly state: "carried-out" }
  | { readonly state: "in-progress" }
  | { readonly state: "other-request" };

/** Stores keys. The store implements it, because this folder does not import the store. */
export interface RequestLedger {
  begin(user: string, key: string, fingerprint: string, holdMs: number): Promise<Begun>;
  keep(receipt: Receipt, answer: KeptAnswer): Promise<void>;
  /** Frees the key, because the request has changed nothing. */
  release(receipt: Receipt): Promise<void>;
  /** Lets the same request retry at once, because its outcome is unknown. */
  handBack(receipt: Receipt): Promise<void>;
}

const IDEMPOTENCY_KEY = "idempotency-key";
const REPLAYED = "idempotency-replayed";
/** Printable ASCII, like a string of a structured header. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** A holder counts as dead after this time; if it is alive, it finds that its receipt is no longer valid. */
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

/** Returns the same value for equal requests. */
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

/** Returns a fresh id; with a key, always the same id for the same `what`. @param what distinguishes the resources of one request. */
export function newId({ receipt }: { readonly receipt?: Receipt | undefined }, what: string): string {
  if (receipt === undefined) return crypto.randomUUID();
  const bytes = createHash("sha256").update(`${receipt.origin}\n${what}`).digest();
  // RFC 9562: version 8, for custom formats; variant 10.
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
 * Executes a request that has a key, or returns its stored response.
 * @param specOf returns the declaration of a response from the route.
 * @param onFault is called when the response could not be stored; the request has been executed.
 * @throws ApiError `idempotency.*`, or any error of `carryOut`.
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

/** Streams need no support: only routes that read return them, and those accept no key. */
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
