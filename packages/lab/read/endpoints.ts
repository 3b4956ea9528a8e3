/** Texts that name nodes, ports and links: `pc1 -- sw1:0`, `pc1 -> pc2`. */

export interface EndText {
  readonly node: string;
  /** A number or a name; undefined for the lowest free port. */
  readonly port: string | undefined;
}

/** More than two names and two ports have. The expressions below take time that is quadratic in the length of a text. */
const MOST_CHARACTERS = 400;
const LINK = /^\s*([^\s:]+)(?::(\S+))?\s*--\s*([^\s:]+)(?::(\S+))?\s*$/;
const END = /^\s*([^\s:]+)(?::(\S+))?\s*$/;
const ARROW = /^\s*(\S+)\s*->\s*(\S+)\s*$/;

const execShort = (pattern: RegExp, text: string): RegExpExecArray | null =>
  text.length > MOST_CHARACTERS ? null : pattern.exec(text);

export function parseLinkText(text: string): readonly [EndText, EndText] | undefined {
  const [whole, a, portA, b, portB] = execShort(LINK, text) ?? [];
  return whole === undefined
    ? undefined
    : [
        { node: a!, port: portA },
        { node: b!, port: portB },
      ];
}

export function parseEndText(text: string): EndText | undefined {
  const [whole, node, port] = execShort(END, text) ?? [];
  return whole === undefined ? undefined : { node: node!, port };
}

/** Parses `a -> b`. */
export function parseArrow(text: string): { readonly from: string; readonly to: string } | undefined {
  const [whole, from, to] = execShort(ARROW, text) ?? [];
  return whole === undefined ? undefined : { from: from!, to: to! };
}
