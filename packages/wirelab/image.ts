/** `wirelab image`: builds, lists, removes and uploads the images of Linux nodes. */
import { readFileSync } from "node:fs";
import { removeRecordings } from "@wirelab/linux/guest/recording-folder";
import { DEFAULT_MIRROR } from "@wirelab/linux/image/archive";
import { buildImage } from "@wirelab/linux/image/build-image";
import {
  cacheFolder,
  configuredFolder,
  type ImageFacts,
  imagesFolder,
  listImages,
  removeImage,
} from "@wirelab/linux/image/image";
import { builtInRecipe, parseRecipe, RECIPE_NAMES, type Recipe } from "@wirelab/linux/image/recipe";
import { CommandLineError, parseOptions, type Surroundings } from "./command-line.ts";
import { onFile } from "./file-error.ts";
import type { ImageBucket } from "./image-bucket.ts";

export const help = `Usage: wirelab image build [--mirror URL] [NAME | RECIPE.yaml ...]
       wirelab image list [--stack NAME | --bucket NAME]
       wirelab image remove [--stack NAME | --bucket NAME] NAME ...
       wirelab image push (--stack NAME | --bucket NAME) NAME ...

Builds the images that Linux nodes of labs start from, out of Debian's packages, without root. NAME is one of
${RECIPE_NAMES.join(", ")}; all of them without a NAME. A recipe of your own is a YAML file (docs/linux-nodes.md).
An image whose packages have not changed is left as it is. Needs gpgv, which verifies Debian's signatures.
push uploads images to the bucket of a service, whose Linux nodes start from them.

  --stack NAME   the deployed stack of the service; region and credentials are those of the AWS SDK
  --bucket NAME  the bucket itself; the environment variable WIRELAB_BUCKET when absent, for push
  --mirror URL   a mirror of Debian's archive; default ${DEFAULT_MIRROR}

Images and downloads are in $WIRELAB_CACHE, or else in wirelab in the cache folder of the user.
Exit status: 0 done, 1 an image cannot be built or is not there, 2 wrong usage.
`;

const ACTIONS: Readonly<
  Record<string, (args: string[], surroundings: Surroundings) => Promise<void> | void>
> = { build, list, remove, push };

export async function run(args: string[], surroundings: Surroundings): Promise<void> {
  const [action, ...rest] = args;
  if (action === undefined || !Object.hasOwn(ACTIONS, action))
    throw new CommandLineError(`expected one of the actions ${Object.keys(ACTIONS).join(", ")}`);
  await ACTIONS[action]!(rest, surroundings);
}

async function build(args: string[], { stdout, stderr }: Surroundings): Promise<void> {
  const { values, positionals } = parseOptions(args, { mirror: { type: "string" } });
  const mirror = (values.mirror ?? DEFAULT_MIRROR).replace(/\/+$/, "");
  const recipes = (positionals.length > 0 ? positionals : RECIPE_NAMES).map(findRecipe);
  for (const recipe of recipes) {
    const report = (step: string, share: number): void => {
      if (stderr.isTTY) stderr.write(`${ERASE_LINE}${recipe.name}: ${bar(share)} ${step}`);
    };
    const facts = await buildImage(recipe, { cache: cacheFolder(process.env), mirror, report });
    if (stderr.isTTY) stderr.write(ERASE_LINE);
    stdout.write(line(facts));
  }
}

const ERASE_LINE = "\r\u001b[K";
const BAR_CHARACTERS = 20;
const bar = (share: number): string =>
  `[${"#".repeat(Math.round(share * BAR_CHARACTERS)).padEnd(BAR_CHARACTERS, ".")}]`;

function findRecipe(name: string): Recipe {
  const builtIn = builtInRecipe(name);
  if (builtIn) return builtIn;
  if (/\.ya?ml$/.test(name))
    return parseRecipe(
      onFile("read", name, () => readFileSync(name, "utf8")),
      name,
    );
  throw new CommandLineError(
    `there is no recipe ${name}; the recipes are ${RECIPE_NAMES.join(", ")}, and files that end with .yaml`,
  );
}

const BUCKET_OPTIONS = { stack: { type: "string" }, bucket: { type: "string" } } as const;

async function list(args: string[], { stdout }: Surroundings): Promise<void> {
  const { values, positionals } = parseOptions(args, BUCKET_OPTIONS);
  if (positionals.length > 0) throw new CommandLineError("list takes no argument");
  const bucket = await openBucket(values);
  const images = bucket ? await bucket.list() : listImages(imagesFolder(cacheFolder(process.env)));
  for (const facts of images) stdout.write(line(facts));
}

const line = ({ name, digest, memoryMiB, packages }: ImageFacts): string =>
  `${name.padEnd(12)} ${digest.slice(0, 12)}  ${memoryMiB} MiB  ${packages.length} packages\n`;

async function remove(args: string[], { stdout }: Surroundings): Promise<void> {
  const { values, positionals } = parseOptions(args, BUCKET_OPTIONS);
  if (positionals.length === 0) throw new CommandLineError("remove takes the names of images");
  const bucket = await openBucket(values);
  for (const name of positionals) {
    if (bucket) await bucket.remove(name);
    else {
      const cache = cacheFolder(process.env);
      removeImage(imagesFolder(cache), name);
      removeRecordings(configuredFolder(cache), name);
    }
    stdout.write(`removed ${name}\n`);
  }
}

async function push(args: string[], { stdout }: Surroundings): Promise<void> {
  const { values, positionals } = parseOptions(args, BUCKET_OPTIONS);
  if (positionals.length === 0) throw new CommandLineError("push takes the names of images");
  const bucket = await openBucket({ bucket: process.env.WIRELAB_BUCKET, ...values });
  if (bucket === undefined) throw new CommandLineError("push needs --stack NAME or --bucket NAME");
  for (const name of positionals) {
    const bytes = await bucket.push(imagesFolder(cacheFolder(process.env)), name);
    stdout.write(`pushed ${name}, ${(bytes / 1e6).toFixed(1)} MB\n`);
  }
}

/** @returns undefined without options. */
async function openBucket({
  stack,
  bucket,
}: {
  stack?: string | undefined;
  bucket?: string | undefined;
}): Promise<ImageBucket | undefined> {
  if (stack === undefined && bucket === undefined) return undefined;
  // Loaded on first use, because it loads the SDK.
  return (await import("./image-bucket.ts")).openImageBucket(stack, bucket);
}
