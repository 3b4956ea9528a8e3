/** The mode `bfd`, and the modes of its profiles and peers. */
import type { Line } from "../../../settings/lines.ts";
import type { Configure } from "../services/base/configuring.ts";
import {
  addPeer,
  addProfile,
  disableBfd,
  editPeer,
  editProfile,
  enableBfd,
  peerNamed,
  removePeer,
  removeProfile,
} from "../services/bfd/configure.ts";
import { PEER_SYNTAX } from "../services/bfd/peer-words.ts";
import { PEER_LINES, PROFILE_LINES } from "../services/bfd/settings.ts";
import type { ConsoleMode } from "./console-mode.ts";
import type { Modal, ModalCommands } from "./modal.ts";

/** Enters a mode after an edit that has no problem. */
const entering =
  (edit: Configure, modeOf: (words: readonly string[]) => ConsoleMode) =>
  (parts: Modal, words: readonly string[]): readonly string[] => {
    const problems = edit(parts, words);
    if (problems.length === 0) parts.session.mode = modeOf(words);
    return problems;
  };

/** In configuration mode. */
export const BFD_HEADS: ModalCommands = [
  { head: "bfd", meaning: "configure BFD", run: entering(enableBfd, () => ({ kind: "bfd" })) },
  { head: "no bfd", meaning: "end BFD", run: disableBfd, unlisted: true },
];

export const BFD_MODE: ModalCommands = [
  {
    head: "profile",
    syntax: "NAME",
    meaning: "configure values that peers and protocols name",
    run: entering(addProfile, ([name = ""]) => ({ kind: "bfd profile", name })),
  },
  { head: "no profile", syntax: "NAME", meaning: "remove a profile", run: removeProfile, unlisted: true },
  {
    head: "peer",
    syntax: PEER_SYNTAX,
    meaning: "configure the session with a neighbour",
    run: entering(addPeer, (words) => ({ kind: "bfd peer", name: peerNamed(words)! })),
  },
  { head: "no peer", syntax: PEER_SYNTAX, meaning: "remove the session", run: removePeer, unlisted: true },
];

type Edit = (line: Line, isNo: boolean, where: string) => Configure;

const linesOf = (lines: readonly Line[], edit: Edit): ModalCommands =>
  lines.flatMap((line) => {
    const run =
      (isNo: boolean) =>
      (parts: Modal, words: readonly string[]): readonly string[] => {
        const { mode } = parts.session;
        return edit(line, isNo, mode !== undefined && "name" in mode ? mode.name : "")(parts, words);
      };
    const { head, syntax, about: meaning } = line;
    return [
      { head, ...(syntax !== undefined && { syntax }), meaning, run: run(false), checksWords: true as const },
      { head: `no ${head}`, meaning, run: run(true), unlisted: true as const },
    ];
  });

export const BFD_PROFILE: ModalCommands = linesOf(PROFILE_LINES, editProfile);
export const BFD_PEER: ModalCommands = linesOf(PEER_LINES, editPeer);
