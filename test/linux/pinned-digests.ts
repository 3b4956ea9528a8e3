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
  bird: "f6f0fdc4f7be6c016b5308692a45ea3369df6cb77041d1acd980c27ca53d2594",
  debian: "dfb3280dd227c47cb2685ec05debf550646bdd74135d37dde8a3d23243bb3bb2",
  frr: "8eb53d52af7431c8e5f0aa8ebae200a7acf1974d69068dd9fad07af609be716f",
};

/** By lab: the images that it uses, and the digest of its report. */
const LABS: Readonly<Record<string, { readonly images: readonly string[]; readonly digest: string }>> = {
  "ospf-bird": { images: ["bird"], digest: "cb74d5aac3d5ae7e0abfb1b444a9ac8f" },
  "ospf-frr": { images: ["frr"], digest: "cae95aafe43471812d9daf32b8f7b835" },
  ebgp: { images: ["bird", "frr"], digest: "76e99a0a1f78c833dd9ee653eea4eab9" },
  vrrp: { images: ["debian"], digest: "cf69677458573a05707a357e0116dba5" },
  "tcp-loss": { images: ["debian"], digest: "de353d7e9a3dc025540803d68bb0d635" },
  nat: { images: ["debian"], digest: "084abdfe313e367564851daaa6cc149f" },
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
