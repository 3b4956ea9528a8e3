/**
 * Calls of EC2's Query API (version 2016-11-15): a signed form, answered in XML. EC2's own client of the SDK would add 730 KB to a bundle;
 * docs/dependencies.md has the sizes.
 */
import { endpointOf, signedPost } from "../base/signed-post.ts";
import { ec2Failure, unreachable } from "./ec2-failure.ts";
import { readXml, type Xml } from "./read-xml.ts";

const VERSION = "2016-11-15";
const FORM = "application/x-www-form-urlencoded; charset=utf-8";
const TIMEOUT_MS = 5_000;

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

/**
 * Performs an action and returns the root element of the response.
 * @throws ApiError `simvm.unavailable` when a repetition may help, `simvm.refused` otherwise.
 */
export async function callEc2(action: string, parameters: Readonly<Record<string, Parameter>>): Promise<Xml> {
  const body = new URLSearchParams([
    ["Action", action],
    ["Version", VERSION],
    ...formOf(parameters),
  ]).toString();
  const { status, text } = await signedPost({
    service: "ec2",
    url: endpointOf("ec2"),
    headers: { "content-type": FORM },
    body,
    timeoutMs: TIMEOUT_MS,
  }).catch((error: unknown) => {
    throw unreachable(action, error);
  });
  if (status >= 300) throw ec2Failure(action, status, text);
  return readXml(text);
}
