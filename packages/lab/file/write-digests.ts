/** Replaces digests in the text of a lab file, and leaves every other character as it is. */
import { isScalar, parseDocument } from "yaml";

/** @param digests by the position of the expectation in `expect`. */
export function writeDigests(text: string, digests: ReadonlyMap<number, string>): string {
  const document = parseDocument(text);
  const changes = [...digests].flatMap(([index, value]) => {
    const node = document.getIn(["expect", index, "digest"], true);
    return isScalar(node) && node.range ? [{ from: node.range[0], to: node.range[1], value }] : [];
  });
  return changes
    .toSorted((a, b) => b.from - a.from)
    .reduce(
      (changed, { from, to, value }) => `${changed.slice(0, from)}${quote(value)}${changed.slice(to)}`,
      text,
    );
}

/** A digest of digits alone would be read as a number. */
const quote = (digest: string): string => (/[a-df-z]/i.test(digest) ? digest : JSON.stringify(digest));
