/**
 * Local stacks with settings of their own. The code of the functions is the same for all settings, so they take the bundles of the usual
 * assembly: bundling is four fifths of a synthesis.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "../../../infra/bundle.ts";
import { assemble } from "../../../infra/local/assemble.ts";
import {
  type LocalStack,
  type LocalStackOptions,
  startLocalStack,
} from "../../../infra/local/local-stack.ts";
import { FEW_WORKERS } from "./in-memory.ts";
import { PATIENT } from "./patient.ts";
import { makeStack } from "./stack.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const TEMPLATE = "Wirelab.template.json";

interface Template {
  readonly Resources: Readonly<
    Record<string, { readonly Type: string; readonly Properties?: { readonly Code?: { S3Key?: string } } }>
  >;
}

const readTemplate = (folder: string): Template => JSON.parse(readFileSync(join(folder, TEMPLATE), "utf8"));

/** Writes the assembly of the settings to a new folder. */
async function assembleWith(
  auth: "basic" | "jwt",
  context: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-synth-"));
  await assemble(folder, { settings: { auth: "none", ephemeral: "true" } });
  const usual = readTemplate(folder);
  const made = makeStack({ ...context, auth, ephemeral: "true" }).app.synth().directory;
  const template = readTemplate(made);
  for (const [id, { Type, Properties }] of Object.entries(template.Resources)) {
    if (Type !== "AWS::Lambda::Function" || Properties?.Code?.S3Key === undefined) continue;
    const bundled = usual.Resources[id]?.Properties?.Code?.S3Key;
    if (bundled === undefined && !id.startsWith("Authorizer")) throw new Error(`${id} has no bundle`);
    Properties.Code.S3Key = bundled ?? "authorizer.zip";
  }
  cpSync(made, folder, { recursive: true });
  writeFileSync(join(folder, TEMPLATE), JSON.stringify(template));
  // The usual stack has no authorizer.
  bundle(`${ROOT}functions/authorizer/${auth}.ts`, join(folder, "asset.authorizer"));
  rmSync(made, { recursive: true, force: true });
  return folder;
}

type Options = Omit<LocalStackOptions, "synth" | "auth"> & { readonly auth: "basic" | "jwt" };

/** Starts a stack with authentication and with other settings than those of the usual stacks. */
export async function startStackWith(options: Options): Promise<LocalStack> {
  const { auth, context = {} } = options;
  const synth = await assembleWith(auth, context);
  const removeAssembly = () => rmSync(synth, { recursive: true, force: true });
  try {
    const stack = await startLocalStack({ workers: FEW_WORKERS, environment: PATIENT, ...options, synth });
    return { ...stack, stop: () => stack.stop().finally(removeAssembly) };
  } catch (error) {
    removeAssembly();
    throw error;
  }
}
