/**
 * Calls of EC2's Query API (version 2016-11-15): a signed form, answered in XML. EC2's own client of the SDK would add 730 KB to a bundle;
 * docs/dependencies.md has the sizes.
 */
import { createHash, createHmac } from "node:crypto";
import { fromEnv } from "@aws-sdk/credential-provider-env";
import { SignatureV4 } from "@smithy/signature-v4";
import { ec2Failure, unreachable } from "./ec2-failure.ts";
import { readXml, type Xml } from "./read-xml.ts";

const VERSION = "2016-11-15";
const FORM = "application/x-www-form-urlencoded; charset=utf-8";
const TIMEOUT_MS = 5_000;

/** The hash that the signer asks for; with a secret, its HMAC. */
class Sha256 {
  readonly #hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash =
      secret === undefined
        ? createHash("sha256")
        : createHmac("sha256", secret as string | NodeJS.ArrayBufferView);
  }
  update(data: string | Uint8Array): void {
    this.#hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  /** The signer never uses a hash twice. */
  reset(): void {}
}

/** A value of the request; a list becomes `Name.1`, `Name.2`, an object `Name.Field`. */
export type Parameter =
  | string
  | number
  | boolean
  | undefined
  | readonly Parameter[]
  | { readonly [name: string]: Parameter };

/** Returns the form of a request, by the rules of the Query API: `{ Filter: [{ Name: "a" }] }` is `Filter.1.Name=a`. */
function formOf(parameters: Readonly<Record<string, Parameter>>, prefix = ""): [string, string][] {
  return Object.entries(parameters).flatMap(([name, value]) => entriesOf(`${prefix}${name}`, value));
}

function entriesOf(name: string, value: Parameter): [string, string][] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((each, index) => entriesOf(`${name}.${index + 1}`, each));
  if (typeof value === "object") return formOf(value as Record<string, Parameter>, `${name}.`);
  return [[name, String(value)]];
}

const endpoint = (): URL =>
  new URL(process.env.AWS_ENDPOINT_URL_EC2 || `https://ec2.${process.env.AWS_REGION}.amazonaws.com`);

/**
 * Performs an action and returns the root element of the response.
 * @throws ApiError `simvm.unavailable` when a repetition may help, `simvm.refused` otherwise.
 */
export async function callEc2(action: string, parameters: Readonly<Record<string, Parameter>>): Promise<Xml> {
  const url = endpoint();
  const body = new URLSearchParams([
    ["Action", action],
    ["Version", VERSION],
    ...formOf(parameters),
  ]).toString();
  const signer = new SignatureV4({
    service: "ec2",
    region: process.env.AWS_REGION ?? "us-east-1",
    credentials: fromEnv(),
    sha256: Sha256,
  });
  const { headers } = await signer.sign({
    method: "POST",
    protocol: url.protocol,
    hostname: url.hostname,
    port: url.port === "" ? undefined : Number(url.port),
    path: "/",
    query: {},
    headers: { host: url.host, "content-type": FORM },
    body,
  });
  let status: number;
  let text: string;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers,
      body,
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    status = response.status;
    text = await response.text();
  } catch (error) {
    throw unreachable(action, error);
  }
  if (status >= 300) throw ec2Failure(action, status, text);
  return readXml(text);
}
