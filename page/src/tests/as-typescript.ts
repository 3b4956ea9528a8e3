/** A lab with its tests as a test of vitest (docs/testing.md). Pure. */
import { parseYaml } from "@wirelab/lab/file/parse-yaml";

/** @param labFile the text of the lab file. */
export function asTypeScript(name: string, labFile: string): string {
  const lab = JSON.stringify(parseYaml(labFile, name).data, null, 2).replaceAll("\n", "\n  ");
  return `import { expect, test } from "wirelab/vitest";

test(${JSON.stringify(name)}, ({ lab }) => {
  const net = lab(${lab});
  expect(net).toHold();
});
`;
}
