/** Keeps the elements of the graph equal to the devices and links of the lab. Only what has changed is styled anew. */
import { effect } from "@preact/signals";
import type { Core, ElementDefinition } from "cytoscape";
import type { Impairments, Link, Node } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";
import type { LinkTraffic } from "../lab/traffic.ts";
import { marksOf } from "../link/marks.ts";
import { knownPicture, pictureOf } from "../ui/symbols.ts";
import { centreOf, EMPTY, imagesOf, linkElement, nodeElement, parallelLinks } from "./elements.ts";

/** What a link was drawn from. */
interface Drawn {
  readonly link: Link;
  readonly ends: readonly (Node | undefined)[];
  readonly isParallel: boolean;
  readonly impairments: Impairments | undefined;
  readonly lost: LinkTraffic["recent"];
}

const endsOf = (link: Link, nodes: ReadonlyMap<string, Node>) =>
  link.nodes.map(({ node_id }) => nodes.get(node_id));

const isSame = (a: Drawn | undefined, b: Drawn): boolean =>
  a !== undefined &&
  a.link === b.link &&
  a.isParallel === b.isParallel &&
  a.impairments === b.impairments &&
  a.lost === b.lost &&
  a.ends.length === b.ends.length &&
  a.ends.every((end, index) => end === b.ends[index]);

/** @returns a function that ends it. */
export function showElements(graph: Core, lab: Lab): () => void {
  const drawnNodes = new Map<string, Node>();
  const drawnLinks = new Map<string, Drawn>();

  const updateNodes = () => {
    const nodes = lab.nodes.value;
    const added: ElementDefinition[] = [];
    const waiting: Node[] = [];
    graph.batch(() => {
      for (const id of drawnNodes.keys()) {
        if (nodes.has(id)) continue;
        drawnNodes.delete(id);
        graph.getElementById(id).remove();
      }
      for (const node of nodes.values()) {
        const id = node.node_id;
        const before = drawnNodes.get(id);
        if (before === node) continue;
        drawnNodes.set(id, node);
        const picture = knownPicture(node.symbol);
        const element = nodeElement(node, picture ?? EMPTY);
        if (picture === undefined) waiting.push(node);
        if (before === undefined) {
          added.push(element);
          continue;
        }
        const shown = graph.getElementById(id);
        shown.data(element.data);
        shown.classes(element.classes as string);
        if (node.locked) shown.ungrabify();
        else shown.grabify();
        if (!shown.grabbed()) shown.position(centreOf(node));
      }
      graph.add(added);
    });
    for (const node of waiting) void showPicture(node);
  };

  const showPicture = ({ node_id: id, symbol }: Node) =>
    pictureOf(symbol).then((picture) => {
      const node = lab.nodes.peek().get(id);
      if (picture === "" || node?.symbol !== symbol || graph.destroyed()) return;
      graph.getElementById(id).data("images", imagesOf(node, picture));
    });

  const updateLinks = () => {
    const links = lab.links.value;
    const nodes = lab.nodes.value;
    const impaired = lab.impairments.value;
    const traffic = lab.traffic.value;
    const parallel = parallelLinks(links.values());
    const added: ElementDefinition[] = [];
    graph.batch(() => {
      // The graph removes the links of a node that it removes.
      for (const id of drawnLinks.keys()) {
        if (links.has(id) && graph.hasElementWithId(id)) continue;
        drawnLinks.delete(id);
        graph.getElementById(id).remove();
      }
      for (const link of links.values()) {
        const id = link.link_id;
        const recent = traffic.get(id)?.recent;
        const now: Drawn = {
          link,
          ends: endsOf(link, nodes),
          isParallel: parallel.has(id),
          impairments: impaired.get(id),
          // A link that carries packets and loses none is drawn as before.
          lost: recent?.lost ? recent : undefined,
        };
        const before = drawnLinks.get(id);
        if (isSame(before, now)) continue;
        const element = linkElement(link, nodes, now.isParallel, marksOf(link, now.impairments, now.lost));
        if (element === null) continue;
        drawnLinks.set(id, now);
        if (before === undefined) {
          added.push(element);
          continue;
        }
        const shown = graph.getElementById(id);
        shown.data(element.data);
        shown.classes(element.classes as string);
      }
      graph.add(added);
    });
  };

  const stops = [effect(updateNodes), effect(updateLinks)];
  return () => {
    for (const stop of stops) stop();
  };
}
