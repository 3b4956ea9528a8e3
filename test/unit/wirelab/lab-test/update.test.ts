import { readFileSync, writeFileSync } from "node:fs";
import { writeDigests } from "@wirelab/lab/file/write-digests";
import { expect, test } from "vitest";
import { GOOD, runTest, writeLabs } from "./labs.ts";

const TEXT = `# A lab with comments.
${GOOD}  # The fingerprint.
  - {digest: "00",   name:   "odd  spacing"}   # kept
  - digest: 11aa
`;

test("--update writes the digests, and keeps comments, spacing and order", async () => {
  const { files } = writeLabs({ digest: TEXT });
  expect((await runTest([files.digest])).code).toBe(1);
  const { code, stderr } = await runTest(["--update", files.digest]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: `wrote the digest to ${files.digest}\n` });
  const written = readFileSync(files.digest, "utf8");
  const digest = /digest: ([0-9a-f]{32})\n/.exec(written)![1]!;
  expect(written).toBe(TEXT.replace('"00"', digest).replace("11aa", digest));
  expect((await runTest([files.digest])).code).toBe(0);
});

test("--update leaves a file alone whose digests hold, or are not chosen", async () => {
  const { files } = writeLabs({ digest: TEXT });
  await runTest(["--update", files.digest]);
  const written = readFileSync(files.digest, "utf8");
  expect((await runTest(["--update", files.digest])).stderr).toBe("");
  writeFileSync(files.digest, TEXT);
  await runTest(["--update", files.digest, "--filter", "odd"]);
  const digest = /[0-9a-f]{32}/.exec(written)![0];
  expect(readFileSync(files.digest, "utf8")).toBe(TEXT.replace('"00"', digest));
});

test("--update reports other failures of the lab", async () => {
  const { files } = writeLabs({ digest: `${TEXT}  - not reach: pc1 -> pc2\n` });
  const { code, stdout } = await runTest(["--update", files.digest]);
  expect(code).toBe(1);
  expect(stdout.toString()).not.toContain("x digest");
});

test("quotes a digest that YAML would read as a number", () => {
  expect(writeDigests("expect:\n  - digest: x\n", new Map([[0, "123e45"]]))).toBe(
    'expect:\n  - digest: "123e45"\n',
  );
});
