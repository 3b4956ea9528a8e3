/** The type of a node: the service shows some types as containers, by their images. */
import { kindOf } from "@wirelab/engine/devices/find-kind";
import { KINDS, type Kind } from "@wirelab/engine/devices/kinds";

interface Shown {
  readonly node_type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

const nameOf = (image: unknown): string => String(image).replace(/:.*$/, "");

export const kindOfImage = (image: unknown): Kind | undefined =>
  KINDS.find((kind) => kind.image !== undefined && kind.image === nameOf(image));

/** @returns undefined for types that registered computes alone run. */
export const kindOfNode = ({ node_type, properties }: Shown): Kind | undefined =>
  node_type === "docker" ? kindOfImage(properties.image) : kindOf(node_type);
