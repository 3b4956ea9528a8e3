/**
 * What the labs of examples/linux give, byte for byte: on each machine, with any load and any number of processors. It depends on the packages of
 * Debian that the images have, so it is compared when the images' states are those of the table. `node test/linux/pinned-digests.ts` prints
 * the table of now.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder, imagesFolder } from "@wirelab/linux/image/image";
import { loadLabFile, runLab } from "../../packages/wirelab/index.ts";

/** SHA-256 of the state with which guests of an image begin. */
const STATES: Readonly<Record<string, string>> = {
  bird: "1a61bf04aee13cac3991236dea91c95aac7822335acb93a2b4d6a6122b3a69df",
  debian: "45afc27143f0f31e3c5b41f392d28799f9cd1c847d09dc1619092708de189013",
  frr: "f886d765af33ea1863b9141ca643a00d6b31f76888d79a2eae6de176ba4f5d40",
};

/** By lab: the images that it uses, and the digest of its report. */
const LABS: Readonly<Record<string, { readonly images: readonly string[]; readonly digest: string }>> = {
  "ospf-bird": { images: ["bird"], digest: "8b45fcecd446025dae90e2fcfc6c6c53" },
  "ospf-frr": { images: ["frr"], digest: "12ef07d97381c8a44a59aed75008cd8b" },
  ebgp: { images: ["bird", "frr"], digest: "affb23a5b794386bb2c87f794bf11743" },
  vrrp: { images: ["debian"], digest: "f5fda5fe24224435547f6ada98049659" },
  "tcp-loss": { images: ["debian"], digest: "25649c9a78ab55de4f2fe6a8e2abdabb" },
  nat: { images: ["debian"], digest: "4330154d9f3036ab0475bc1aa549c68c" },
};

const stateOf = (image: string): string =>
  createHash("sha256")
    .update(readFileSync(join(imagesFolder(cacheFolder(process.env)), image, "state.zst")))
    .digest("hex");

/** @returns undefined if the images here are others. */
export function pinnedDigest(lab: string): string | undefined {
  const { images, digest } = LABS[lab]!;
  return images.every((image) => stateOf(image) === STATES[image]) ? digest : undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const image of Object.keys(STATES)) console.log(image, stateOf(image));
  for (const lab of Object.keys(LABS)) {
    const file = fileURLToPath(new URL(`../../examples/linux/${lab}.lab.yaml`, import.meta.url));
    console.log(lab, runLab(loadLabFile(file)).digest);
  }
}
