import { connect, refuseMixed } from "../shared/compute/links.ts";
import { failureOf } from "../shared/edge/errors.ts";
import { newId } from "../shared/edge/idempotency.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { LINK_ERRORS } from "../shared/edge/own-errors/link.ts";
import type { LinkType } from "../shared/schemas/common.ts";
import type { LinkEnd, LinkEndInput } from "../shared/schemas/link.ts";
import type { Port } from "../shared/schemas/node.ts";
import { nowUs } from "../shared/store/base/table.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import { type Found, readItems } from "../shared/store/contents/read.ts";
import { begin } from "../shared/store/lab/doing.ts";
import { type LinkItem, createLink as storeLink, toLink } from "../shared/store/lab/link.ts";
import { existingNode, isOnCompute, type NodeItem, portKey } from "../shared/store/lab/node.ts";
import { refuseOverQuota } from "../shared/store/limits/quota.ts";
import { openedProject } from "../shared/store/project/project.ts";
import { normalizeFilters } from "./filters.ts";
import type { group } from "./routes.ts";

/** Style of default labels of link ends in existing clients. */
const LABEL_STYLE =
  "font-family: TypeWriter;font-size: 10.0;font-weight: bold;fill: #000000;fill-opacity: 1.0;";

export const createLink: Operation<typeof group.routes.createLink> = async ({
  access,
  params,
  body,
  receipt,
}) => {
  const { project_id } = params;
  const created_by = receipt && newId({ receipt }, "link");
  const link_id = body.link_id ?? created_by ?? crypto.randomUUID();
  const filters = await normalizeFilters(body.filters ?? {});
  const link = await untilFresh(async () => {
    const nodes = body.nodes.map((side) => side.node_id);
    const found = await readItems(access, project_id, { nodes, links: [link_id] });
    const project = openedProject(found.project, project_id);
    const existing = found.links.get(link_id);
    if (existing) {
      // The client repeats the request that created the link, because it did not receive the response.
      if (created_by !== undefined && existing.created_by === created_by) return existing;
      throw failureOf(LINK_ERRORS, "link.id-taken", { link_id });
    }
    const ends = findEnds(found, body.nodes);
    refuseOverQuota(project, { link_count: 1 });
    const nodesAt = ends.map((end) => end.node);
    const isReal = nodesAt.some(isOnCompute);
    if (isReal) refuseMixed(nodesAt);
    const fresh: LinkItem = {
      project_id,
      link_id,
      link_type: commonLinkType(ends.map((end) => end.port)),
      revision: 1,
      created_us: nowUs(),
      created_by,
      ...(isReal && ends.length === 2 && { doing: begin("connect") }),
      document: {
        nodes: body.nodes.map(withLabel),
        filters,
        link_style: body.link_style ?? {},
        suspend: body.suspend ?? false,
      },
    };
    return (await storeLink(fresh, nodesAt)) ? fresh : STALE;
  });
  if (link.doing !== undefined) {
    const body = toLink(await connect(access, link));
    return { status: 201, body };
  }
  return { status: 201, body: toLink(link) };
};

interface End {
  readonly node: NodeItem;
  readonly port: Port;
}

/** @throws ApiError for the first invalid side, in the order that clients expect. */
function findEnds(found: Found, sides: readonly LinkEndInput[]): End[] {
  const ends = sides.map((side) => {
    const node = existingNode(found.nodes.get(side.node_id), side.node_id);
    const key = portKey(side.adapter_number, side.port_number);
    const port = node.document.ports.find((each) => portKey(each.adapter_number, each.port_number) === key);
    if (port === undefined) {
      const shown = `${side.adapter_number}/${side.port_number}`;
      throw failureOf(LINK_ERRORS, "link.port-not-found", { port: shown, name: node.name });
    }
    if (node.links[key]) throw failureOf(LINK_ERRORS, "link.port-in-use", {});
    return { node, port };
  });
  if (ends.length === 2 && ends[0]!.node.node_id === ends[1]!.node.node_id)
    throw failureOf(LINK_ERRORS, "link.same-node", {});
  return ends;
}

function commonLinkType(ports: readonly Port[]): LinkType {
  const [first, second] = ports.map((port) => port.link_type);
  if (first && second && first !== second)
    throw failureOf(LINK_ERRORS, "link.type-mismatch", { first, second });
  return first ?? "ethernet";
}

function withLabel({ label, ...side }: LinkEndInput): LinkEnd {
  const text = `${side.adapter_number}/${side.port_number}`;
  return { ...side, label: label ?? { style: LABEL_STYLE, text } };
}
