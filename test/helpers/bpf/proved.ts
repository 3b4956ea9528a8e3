/** How much of the comparison with tcpdump runs: all of it after a change of the compiler, a sample before. */
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { drawOf, takesAll } from "../cases/draw.ts";

/** The digest of the compiler's sources when all tests of test/unit/engine/bpf last passed in full (`npm run test:filters`). */
const PROVED = "d40a090a49f63919a04570da673a8cde21f09ca5375a57acba80c42e07b73272";

const root = new URL("../../../", import.meta.url);
const sources = globSync("packages/engine/bpf/**/*.ts", { cwd: root }).sort();

/** SHA-256 of the sources, in hexadecimal digits. */
const sourcesDigest = sources
  .reduce((hash, name) => hash.update(name).update(readFileSync(new URL(name, root))), createHash("sha256"))
  .digest("hex");

/** One in so many expressions is compared. */
export const THINNING = process.env.ORACLE || takesAll || sourcesDigest !== PROVED ? 1 : 8;

const drawn = drawOf(THINNING);
export const draw =
  sourcesDigest === PROVED
    ? drawn
    : { ...drawn, note: ` (all, because the compiler has changed: ${sourcesDigest})` };
