/** Texts that name nodes, ports and links: `pc1 -- sw1:0`, `pc1 -> pc2`. */

export interface EndText {
  readonly node: string;
  /** A number or a name; undefined for the lowest free port. */
  readonly port: string | undefined;
}

const LINK = /^\s*([^\s:]+)(?::(\S+))?\s*--\s*([^\s:]+)(?::(\S+))?\s*$/;
const END = /^\s*([^\s:]+)(?::(\S+))?\s*$/;
const ARROW = /^\s*(\S+)\s*->\s*(\S+)\s*$/;

export function parseLinkText(text: string): readonly [EndText, EndText] | undefined {
  const [whole, a, portA, b, portB] = LINK.exec(text) ?? [];
  return whole === undefined
    ? undefined
    : [
        { node: a!, port: portA },
        { node: b!, port: portB },
      ];
}

export function parseEndText(text: string): EndText | undefined {
  const [whole, node, port] = END.exec(text) ?? [];
  return whole === undefined ? undefined : { node: node!, port };
}

/** Parses `a -> b`. */
export function parseArrow(text: string): { readonly from: string; readonly to: string } | undefined {
  const [whole, from, to] = ARROW.exec(text) ?? [];
  return whole === undefined ? undefined : { from: from!, to: to! };
}
