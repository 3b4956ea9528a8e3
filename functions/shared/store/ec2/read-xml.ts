/** XML of EC2's responses: elements with text or elements. Attributes and namespaces have no meaning there. */
import { SaxesParser } from "saxes";

export interface Xml {
  readonly name: string;
  readonly text: string;
  readonly children: readonly Xml[];
}

interface Open {
  name: string;
  text: string;
  children: Xml[];
}

/** @throws Error for text that is not well-formed. */
export function readXml(text: string): Xml {
  const stack: Open[] = [{ name: "", text: "", children: [] }];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name }) => {
    const element: Open = { name, text: "", children: [] };
    stack.at(-1)!.children.push(element);
    stack.push(element);
  });
  parser.on("text", (part) => {
    stack.at(-1)!.text += part;
  });
  parser.on("closetag", () => {
    stack.pop();
  });
  parser.write(text).close();
  return stack[0]!.children[0]!;
}

/** Returns the element at a path of names, the first of each; undefined where there is none. */
const at = (xml: Xml | undefined, ...path: readonly string[]): Xml | undefined =>
  path.reduce<Xml | undefined>((one, name) => one?.children.find((child) => child.name === name), xml);

/** Returns the text of the element at a path; undefined where there is none, or an empty one. */
export const textAt = (xml: Xml | undefined, ...path: readonly string[]): string | undefined =>
  at(xml, ...path)?.text.trim() || undefined;

/** Returns the members of a list, which EC2 names `item`. */
export const itemsAt = (xml: Xml | undefined, ...path: readonly string[]): readonly Xml[] =>
  (at(xml, ...path)?.children ?? []).filter(({ name }) => name === "item");
