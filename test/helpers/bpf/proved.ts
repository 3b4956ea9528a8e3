/** How much of the comparison with tcpdump runs: all of it after a change of the compiler, a sample before. */
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { drawOf, takesAll } from "../cases/draw.ts";

/** The digest of the compiler's sources when all tests of test/unit/engine/bpf last passed in full (`npm run test:filters`). */
const PROVED = "65cb619ddb089a36d3f7eacd6a596ae8b5dc737e15281fef8b3194fe95f85c6c";

const root = new URL("../../../", import.meta.url);
const sources = globSync("packages/engine/bpf/**/*.ts", { cwd: root }).sort();

/** SHA-256 of the sources, in hexadecimal digits. */
const sourcesDigest = sources
  .reduce((hash, name) => hash.update(name).update(readFileSync(new URL(name, root))), createHash("sha256"))
  .digest("hex");

/** One in so many expressions is compared. */
export const THINNING = process.env.ORACLE || takesAll || sourcesDigest !== PROVED ? 1 : 8;

export const draw = drawOf(THINNING);
