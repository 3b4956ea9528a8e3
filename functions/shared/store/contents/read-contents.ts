/** Reads all that a lab consists of. */
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import type { Access } from "../../edge/access.ts";
import { projectKey, table } from "../base/table.ts";
import { withStates } from "../commit/lab-states.ts";
import { FileEntity, type FileItem } from "../file/project-file.ts";
import { DrawingEntity, type DrawingItem } from "../lab/drawing.ts";
import { LinkEntity, type LinkItem } from "../lab/link.ts";
import { NodeEntity, type NodeItem } from "../lab/node.ts";
import { revealed } from "../project/access.ts";
import { ProjectEntity, type ProjectItem } from "../project/project.ts";
import { settled } from "./read.ts";

export interface Contents {
  readonly project: ProjectItem | undefined;
  /** In creation order, like the links and the drawings. */
  readonly nodes: readonly NodeItem[];
  readonly links: readonly LinkItem[];
  readonly drawings: readonly DrawingItem[];
  /** By path. */
  readonly files: readonly FileItem[];
}

/**
 * Reads a project with all its nodes, links, drawings and files in one Query; waits for a pending commit, or makes its changes first.
 * Nodes have the states of
 * their devices. Changes that other requests make during the Query may be in the result in part.
 */
export const readContents = (access: Access, projectId: string): Promise<Contents> =>
  settled(async () => {
    const { Items = [] } = await table
      .build(QueryCommand)
      .query({ partition: projectKey(projectId), range: { between: ["DRAWING#", "NODE#\uffff"] } })
      .entities(ProjectEntity, NodeEntity, LinkEntity, DrawingEntity, FileEntity)
      .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
      .send();
    const stored = Items.find((item) => "filename" in item);
    const project = revealed(access, stored);
    const own = project === undefined ? [] : Items;
    const nodes = own.filter((item) => "wiring" in item);
    return {
      project,
      nodes: byAge(project?.pending === undefined && project ? await withStates(project, nodes) : nodes),
      links: byAge(own.filter((item) => "link_type" in item)),
      drawings: byAge(own.filter((item) => "rotation" in item)),
      files: own.filter((item) => "object_key" in item),
    };
  });

const byAge = <T extends { readonly created_us: number }>(items: readonly T[]): T[] =>
  items.toSorted((one, other) => one.created_us - other.created_us);
