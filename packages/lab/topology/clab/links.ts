/** Reads the links of a containerlab file. */

import { fieldsOf } from "../../file/fields.ts";
import type { Path, Problems } from "../../file/problem.ts";
import { checkKeys } from "./check-keys.ts";
import { ENDPOINT_KEYS, LINK_KEYS, LINK_TYPES } from "./keys.ts";

export interface End {
  readonly node: string;
  readonly port: string;
  readonly mac: string | undefined;
  readonly mtu: number | undefined;
}

export interface Link {
  /** One for a link of the type `dummy`. */
  readonly ends: readonly End[];
}

/** Ends that are not nodes of the lab. */
const HOST_ENDS = new Set(["host", "mgmt-net", "macvlan"]);

export function readLinks(value: unknown, nodes: readonly string[], problems: Problems): Link[] {
  return (Array.isArray(value) ? value : []).flatMap((each, index) => {
    const path = ["topology", "links", index];
    const link = fieldsOf(each);
    const { type = "veth", endpoints, endpoint, mtu } = link;
    const known = Object.hasOwn(LINK_TYPES, String(type)) ? LINK_TYPES[String(type)] : undefined;
    if (known?.is !== "done") {
      const why = known?.is === "refused" ? known.because : "containerlab has no such type.";
      problems.add(
        [...path, "type"],
        `cannot be run here: a link of the type ${JSON.stringify(type)}: ${why}`,
        {
          given: String(type),
          known: known === undefined ? Object.keys(LINK_TYPES) : [],
        },
      );
      return [];
    }
    checkKeys(link, path, LINK_KEYS, problems);
    const isDummy = type === "dummy";
    const given = isDummy ? [endpoint] : Array.isArray(endpoints) ? endpoints : [];
    const size = typeof mtu === "number" ? mtu : undefined;
    const where = (at: number): Path => (isDummy ? [...path, "endpoint"] : [...path, "endpoints", at]);
    const ends = given.map((end, at) => readEnd(end, nodes, size, where(at), problems));
    if (!isDummy && ends.length !== 2) problems.add(path, "needs two endpoints.");
    const found = ends.filter((end) => end !== undefined);
    return found.length === (isDummy ? 1 : 2) ? [{ ends: found }] : [];
  });
}

function readEnd(
  value: unknown,
  nodes: readonly string[],
  mtu: number | undefined,
  path: Path,
  problems: Problems,
): End | undefined {
  const fields = fieldsOf(value);
  checkKeys(fields, path, ENDPOINT_KEYS, problems);
  const text = typeof value === "string" ? value : `${fields.node}:${fields.interface}`;
  const [node = "", port = ""] = text.split(":").map((part) => part.trim());
  if (HOST_ENDS.has(node) && !nodes.includes(node)) {
    const { because = "" } = LINK_TYPES[node] as { readonly because?: string };
    problems.add(path, `cannot be run here: ${JSON.stringify(text)}: ${because}`);
  } else if (!nodes.includes(node)) {
    problems.add(path, `names no node: ${JSON.stringify(text)}.`, { given: node, known: nodes });
  } else if (port === "") {
    problems.add(path, `must be node:interface, got ${JSON.stringify(text)}.`);
  } else {
    const { mac } = fields;
    return { node, port, mtu, mac: typeof mac === "string" ? mac : undefined };
  }
  return undefined;
}
