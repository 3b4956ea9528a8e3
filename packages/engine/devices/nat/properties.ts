/**
 * Parses a NAT node's `properties` from the API:
 *
 *     { "internet": [ { "name": "www.example.com", "address": "203.0.113.10", "files": { "/": "text" } } ] }
 */
import { type Path, type Problem, PropertyReader } from "../../settings/property-reader.ts";
import { DOMAIN_NAME } from "../router/dhcp-pool-shape.ts";
import { parseRouterProperties } from "../router/properties.ts";
import { readFiles } from "../server/read-files.ts";
import { defaultAddressOf, MAX_SITES, type NatConfig, networkOf, type Site } from "./config.ts";

export type ParsedNat =
  | { readonly ok: true; readonly config: NatConfig }
  | { readonly ok: false; readonly problems: Problem[] };

/** @param input JSON data; undefined and `{}` give a gateway to an internet without hosts. */
export function parseNatProperties(input: unknown): ParsedNat {
  const reader = new PropertyReader();
  const root = reader.object(input ?? {}, [], ["internet"]) ?? {};
  const listed = reader.array(root.internet ?? [], ["internet"], 0, MAX_SITES) ?? [];
  const internet = Array.from(listed, (each, index) => readSite(reader, each, index));
  checkNames(reader, internet);
  if (reader.problems.length === 0) checkAddresses(reader, internet);
  return reader.problems.length > 0
    ? { ok: false, problems: reader.problems }
    : { ok: true, config: { internet } };
}

function readSite(reader: PropertyReader, value: unknown, index: number): Site {
  const path: Path = ["internet", index];
  const given = reader.object(value, path, ["name", "address", "files"]) ?? {};
  const name = reader.text(given.name, [...path, "name"]) ?? "";
  if (typeof given.name === "string" && !DOMAIN_NAME.test(name))
    reader.add([...path, "name"], "is not a domain name");
  return {
    name: name.toLowerCase(),
    address: reader.text(given.address ?? defaultAddressOf(index), [...path, "address"]) ?? "",
    files: readFiles(reader, given.files ?? {}, [...path, "files"]),
  };
}

function checkNames(reader: PropertyReader, internet: readonly Site[]): void {
  for (const [index, { name }] of internet.entries()) {
    const before = internet.findIndex((site) => site.name === name);
    if (before < index) reader.add(["internet", index, "name"], `${name} is also the name of host ${before}`);
  }
}

/** The addresses have the rules of a router's interfaces: no two are equal, and none is in the network of the gateway. */
function checkAddresses(reader: PropertyReader, internet: readonly Site[]): void {
  const { ports, interfaces } = networkOf({ type: "nat", name: "nat", mac: 0, internet });
  const plain = interfaces!.map(({ type, name, ipv4 }) => ({ type, name, ipv4 }));
  const [{ name, ipv4 }] = ports as [(typeof ports)[number]];
  const parsed = parseRouterProperties({ ports: [{ name, ipv4 }], interfaces: plain });
  if (parsed.ok) return;
  for (const { path, message } of parsed.problems)
    reader.add(["internet", Number(path[1]), "address"], message);
}
