/** The property of IOU nodes that a controller chooses. */
import { nextIouNumber } from "../store/base/iou-number.ts";

type Properties = Readonly<Record<string, unknown>>;

/** Returns the properties of a new node of a compute; those of an IOU node with a number of its own, unless the caller has chosen one. */
export async function withIouNumber(
  { node_type, compute_id }: { readonly node_type: string; readonly compute_id: string },
  properties: Properties,
): Promise<Properties> {
  if (node_type !== "iou" || typeof properties.application_id === "number") return properties;
  return { ...properties, application_id: await nextIouNumber(compute_id) };
}
