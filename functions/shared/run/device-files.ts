/** The files that a device keeps: what `save` writes on a PC, what `write` saves on a router. */

import type { PcState } from "@wirelab/engine/devices/pc/index";
import { pcFiles, refusalOfFile, withPcFile } from "@wirelab/engine/devices/pc/saved-files";
import type { RouterState } from "@wirelab/engine/devices/router/index";
import {
  STARTUP_CONFIG_FILE,
  startupConfigText,
  withStartupConfig,
} from "@wirelab/engine/devices/router/shell/saved-config";
import { failureOf, invalidAt, invalidRequest } from "../edge/errors.ts";
import { NODE_ERRORS } from "../edge/own-errors/node.ts";
import type { NodeItem } from "../store/lab/node.ts";
import { toLabNode } from "./lab-items.ts";

/** Returns the texts by file name. */
export function deviceFiles(node: NodeItem): ReadonlyMap<string, string> {
  const { spec, state } = toLabNode(node);
  if (spec?.type === "vpcs")
    return new Map(Object.entries(pcFiles(spec, state?.device as PcState | undefined)));
  if (spec?.type !== "router") return new Map();
  return new Map([[STARTUP_CONFIG_FILE, startupConfigText(spec, state?.device as RouterState | undefined)]]);
}

/**
 * Returns the node's state with the file in it.
 * @throws ApiError `node.no-such-file` when such a device keeps no file of this name, 400 when it cannot read the text.
 */
export function withDeviceFile(node: NodeItem, name: string, text: string): NonNullable<NodeItem["state"]> {
  const { spec, state } = toLabNode(node);
  if (spec?.type === "vpcs") {
    const before = state?.device as PcState | undefined;
    const refusal = refusalOfFile(before?.files ?? {}, name, text);
    if (refusal !== undefined) throw invalidRequest([{ path: "body", message: refusal }]);
    return { ...state, device: withPcFile(spec, before, name, text) };
  }
  if (spec?.type !== "router" || name !== STARTUP_CONFIG_FILE)
    throw failureOf(NODE_ERRORS, "node.no-such-file", {
      name: node.name,
      node_type: node.document.node_type,
      path: name,
    });
  const changed = withStartupConfig(spec, state?.device as RouterState | undefined, text);
  if (changed.ok) return { ...state, device: changed.state };
  throw invalidAt("body", changed.problems);
}
