/** A lab of a service becomes a lab file that plays as the lab does. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { kindOf } from "@wirelab/engine/devices/find-kind";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { runLab } from "@wirelab/lab/run-lab";
import { readTopologyFile } from "@wirelab/lab/topology/read-topology";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { readGns3Project } from "../../../../packages/lab/topology/gns3project.ts";
import { writeLabFile } from "../../../../packages/lab/write/write-lab-file.ts";

const FOLDER = new URL("../../../../examples/labs", import.meta.url).pathname;
const FILES = globSync("**/*.lab.yaml", { cwd: FOLDER }).toSorted();

/** The lab of a model as a service exports it, before it has run. */
function archiveOf({ nodes, links }: LabModel): Uint8Array {
  const ends = ({ ends }: LabModel["links"][number]) =>
    ends.map(({ node, port }) => ({ node_id: `id-${node}`, adapter_number: 0, port_number: port }));
  const project = {
    topology: {
      nodes: nodes.map(({ name, spec }) => {
        const { image, type } = kindOf(spec.type);
        return { node_id: `id-${name}`, name, node_type: image ? "docker" : type, properties: { image } };
      }),
      links: links.map((link, index) => ({
        link_id: `l${index}`,
        nodes: ends(link),
        filters: link.filters.settings,
        suspend: link.isDown,
      })),
    },
  };
  const copy = {
    nodes: nodes.map(({ name, spec, properties }) => ({
      node_id: `id-${name}`,
      status: "stopped",
      document: { node_type: spec.type, properties },
    })),
    links: links.map(({ impairments }, index) => ({
      link_id: `l${index}`,
      document: impairments && { impairments: { settings: impairments.settings } },
    })),
  };
  return zipSync({
    "project.gns3": strToU8(JSON.stringify(project)),
    "wirelab/lab.json": strToU8(JSON.stringify(copy)),
  });
}

function open(file: string) {
  const path = join(FOLDER, file);
  const load = (name: string): Uint8Array => readFileSync(join(dirname(path), name));
  const loadTopology = (name: string) => readTopologyFile(name, load(name));
  const read = (text: string): LabModel => parseLabFile(text, { name: file, file, load, loadTopology });
  const text = readFileSync(path, "utf8");
  const document = parseDocument(text);
  for (const key of ["nodes", "links", "topology"]) document.delete(key);
  const tests = document.toString({ lineWidth: 0 });
  for (const key of ["run", "expect"]) document.delete(key);
  return { model: read(text), read, tests, head: document.toString({ lineWidth: 0 }) };
}

describe("each lab of examples/labs", () => {
  test.each(FILES)("%s is the same lab after an export and Save as", (file) => {
    const { model, read, head } = open(file);
    const topology = readGns3Project(archiveOf(model), "lab.gns3project");
    const again = read(writeLabFile({ name: model.name, topology, tests: head }));
    expect(again.nodes.map(({ spec, ports }) => ({ spec, ports }))).toEqual(
      model.nodes.map(({ spec, ports }) => ({ spec, ports })),
    );
    const linkOf = ({ ends, filters, impairments, isDown }: LabModel["links"][number]) => ({
      ends,
      settings: filters.settings,
      impairments: impairments?.settings,
      isDown,
    });
    expect(again.links.map(linkOf)).toEqual(model.links.map(linkOf));
  });

  test.each(["dhcp-relay.lab.yaml", "loss-and-delay.lab.yaml", "marks.lab.yaml"])(
    "%s has the same digest",
    (file) => {
      const { model, read, tests } = open(file);
      const topology = readGns3Project(archiveOf(model), "lab.gns3project");
      const again = read(writeLabFile({ name: model.name, topology, tests }));
      expect(runLab(again).digest).toBe(runLab(model).digest);
    },
  );
});
