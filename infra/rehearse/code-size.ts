/**
 * The size of each bundle, which only an assembly with bundles shows.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Of a function's code, unzipped. */
const CODE_BYTES = 262_144_000;

/** Returns a text for each asset of a cloud assembly that Lambda would refuse. */
export const oversizedCode = (assembly: string, most = CODE_BYTES): readonly string[] =>
  readdirSync(assembly, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith("asset."))
    .flatMap(({ name }) => {
      const bytes = readdirSync(join(assembly, name), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
      return bytes > most
        ? [`code: ${name} has ${bytes} bytes unzipped, Lambda takes ${most}: leave data to the bucket`]
        : [];
    });
