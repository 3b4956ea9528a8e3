/**
 * The files of a PC, for callers outside of a run. The PC starts with `startup.vpc`, or with its node's script, whichever was
 * changed later (docs/interface.md, section 9.14).
 */
import { fnv1a64 } from "../../base/random.ts";
import { initialPcState, type PcSpec, type PcState } from "./state.ts";

/** The PC runs this file when it starts. */
export const STARTUP_FILE = "startup.vpc";

export const PC_FILES_MAX = 16;
export const PC_FILE_MAX_CHARACTERS = 16_384;
export const PC_FILE_NAME_MAX_CHARACTERS = 64;

/** The node's name replaces this in its script. */
const NODE_NAME_PLACEHOLDER = "%h";

/** Returns the reason why a PC cannot keep the file, in the words of its console; undefined if it can. */
export function refusalOfFile(
  files: Readonly<Record<string, string>>,
  name: string,
  text: string,
): string | undefined {
  if (/^\.{1,2}$/.test(name)) return "Is a directory";
  if (name.includes("/")) return "No such file or directory";
  if (name.length > PC_FILE_NAME_MAX_CHARACTERS) return "File name too long";
  if (text.length > PC_FILE_MAX_CHARACTERS)
    return `A file holds ${PC_FILE_MAX_CHARACTERS} characters at most`;
  const isNew = !Object.hasOwn(files, name);
  if (isNew && Object.keys(files).length >= PC_FILES_MAX) return `There are ${PC_FILES_MAX} files already`;
  return undefined;
}

/** Fingerprint of the node's start-up script. */
export const scriptFingerprint = ({ startupScript }: PcSpec): string =>
  fnv1a64(new TextEncoder().encode(startupScript)).toString(16);

type SavedFiles = Pick<PcState, "files" | "savedOver">;

/** Returns the saved start-up file, unless the node's script was changed after it was saved. */
export function savedStartup(spec: PcSpec, { files, savedOver }: SavedFiles): string | undefined {
  const isLater = savedOver === undefined || savedOver === scriptFingerprint(spec);
  return isLater ? files[STARTUP_FILE] : undefined;
}

/** Returns the node's script with its name in the place of `%h`; empty if it has none. */
export const scriptText = ({ startupScript, name }: PcSpec): string =>
  startupScript.replaceAll(NODE_NAME_PLACEHOLDER, () => name);

/** Returns all files by name, `startup.vpc` as the PC starts with it. @param state undefined for a PC that never ran. */
export function pcFiles(spec: PcSpec, state: PcState | undefined): Record<string, string> {
  const { [STARTUP_FILE]: _saved, ...others } = state?.files ?? {};
  const startup = (state && savedStartup(spec, state)) ?? (scriptText(spec) || undefined);
  return startup === undefined ? others : { ...others, [STARTUP_FILE]: startup };
}

/** Returns the state with the file in it. The caller checks `refusalOfFile` before. @param state undefined for a PC that never ran. */
export function withPcFile(spec: PcSpec, state: PcState | undefined, name: string, text: string): PcState {
  const before = state ?? initialPcState(spec);
  const files = { ...before.files, [name]: text };
  return { ...before, files, ...(name === STARTUP_FILE && { savedOver: scriptFingerprint(spec) }) };
}
