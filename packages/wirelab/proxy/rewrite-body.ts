/** Rewrites the JSON of responses: whole bodies, and the lines of streams that do not end. */
import { Transform } from "node:stream";

export type Rewrite = (value: unknown) => Promise<unknown>;

/** Returns the text unchanged if it is no JSON. */
export async function rewriteText(text: string, rewrite: Rewrite): Promise<string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  return JSON.stringify(await rewrite(value));
}

/** A stream of JSON lines, in their order. */
export function rewriteLines(rewrite: Rewrite): Transform {
  let rest = "";
  return new Transform({
    decodeStrings: false,
    defaultEncoding: "utf8",
    transform(chunk: string, _encoding, done) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      Promise.all(lines.map((line) => rewriteText(line, rewrite)))
        .then((texts) => done(null, texts.map((text) => `${text}\n`).join("")))
        .catch(done);
    },
    flush(done) {
      rewriteText(rest, rewrite).then((text) => done(null, text), done);
    },
  });
}
