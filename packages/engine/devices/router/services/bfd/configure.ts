/** The commands that configure BFD, in its mode and the modes inside of it: the words of FRR. */

import { formatAnyAddress, parseAnyAddress } from "../../../../net/address/prefix.ts";
import type { Line } from "../../../../settings/lines.ts";
import type { RouterProperties } from "../base/config.ts";
import type { Configure, Configuring } from "../base/configuring.ts";
import { PEER_SYNTAX, parsePeer, peerWords } from "./peer-words.ts";

type Own = Readonly<Record<string, unknown>>;

/** The JSON form. */
interface Peer {
  readonly address?: string;
  readonly multihop?: boolean;
  readonly local_address?: string;
  readonly interface?: string;
}
interface Bfd {
  readonly profiles?: Readonly<Record<string, Own>>;
  readonly peers?: readonly Peer[];
}
type Edited = Bfd | string;

const PEER_USAGE = `Usage: peer ${PEER_SYNTAX}`;
const noSuchLine = (...words: readonly string[]): string => `There is no such line: ${words.join(" ")}`;

const edit = (parts: Configuring, edited: (bfd: Bfd) => Edited): readonly string[] =>
  parts.change((properties) => {
    const bfd = edited((properties.bfd ?? {}) as Bfd);
    return typeof bfd === "string"
      ? bfd
      : { ...properties, bfd: bfd as NonNullable<RouterProperties["bfd"]> };
  });

export const enableBfd: Configure = (parts) => edit(parts, (bfd) => bfd);

export const disableBfd: Configure = (parts) =>
  parts.change(({ bfd, ...others }) => (bfd === undefined ? "BFD is not configured" : others));

/** Returns the words of a peer with its address in the usual spelling; undefined if they are wrong. */
export function peerNamed(words: readonly string[]): string | undefined {
  const name = parsePeer(words);
  if (name === undefined) return undefined;
  const spelled = (text: string | null | undefined): string => {
    const address = text == null ? null : parseAnyAddress(text);
    return address === null ? (text ?? "") : formatAnyAddress(address);
  };
  const { local } = name;
  return peerWords({ ...name, address: spelled(name.address), ...(local && { local: spelled(local) }) }).join(
    " ",
  );
}

const nameOf = ({ address = "", multihop = false, local_address: local, interface: port }: Peer): string =>
  peerWords({ address, multihop, ...(local && { local }), ...(port && { port }) }).join(" ");

const withPeer = (bfd: Bfd, words: string, edited: (peer: Peer) => Peer | string): Edited => {
  const { peers = [] } = bfd;
  const index = peers.findIndex((each) => nameOf(each) === words);
  if (index === -1) return noSuchLine("peer", words);
  const peer = edited(peers[index]!);
  return typeof peer === "string" ? peer : { ...bfd, peers: peers.with(index, peer) };
};

export const addPeer: Configure = (parts, words) => {
  const name = peerNamed(words);
  if (name === undefined) return [PEER_USAGE];
  return edit(parts, (bfd) => {
    const { peers = [] } = bfd;
    if (peers.some((each) => nameOf(each) === name)) return bfd;
    const { address, multihop, local, port } = parsePeer(name.split(" "))!;
    const added = {
      address: address!,
      ...(multihop && { multihop }),
      ...(local && { local_address: local }),
      ...(port && { interface: port }),
    };
    return { ...bfd, peers: [...peers, added] };
  });
};

export const removePeer: Configure = (parts, words) => {
  const name = peerNamed(words);
  if (name === undefined) return [PEER_USAGE];
  return edit(parts, (bfd) => {
    const { peers = [] } = bfd;
    const kept = peers.filter((each) => nameOf(each) !== name);
    return kept.length === peers.length ? noSuchLine("peer", name) : { ...bfd, peers: kept };
  });
};

export const addProfile: Configure = (parts, [name = ""]) =>
  edit(parts, (bfd) => ({ ...bfd, profiles: { ...bfd.profiles, [name]: bfd.profiles?.[name] ?? {} } }));

export const removeProfile: Configure = (parts, [name = ""]) =>
  edit(parts, (bfd) => {
    const { [name]: profile, ...profiles } = bfd.profiles ?? {};
    return profile === undefined ? noSuchLine("profile", name) : { ...bfd, profiles };
  });

const set = (line: Line, own: Own, words: readonly string[]): Own | string =>
  line.set(own, words) ?? `Usage: ${[line.head, line.syntax].filter(Boolean).join(" ")}`;
const unset = (line: Line, own: Own): Own | string => line.unset(own, []) ?? noSuchLine(line.head);

/** Edits the profile or the peer of the console's mode. @param where its name, or its words. */
export const editProfile =
  (line: Line, isNo: boolean, where: string): Configure =>
  (parts, words) =>
    edit(parts, (bfd) => {
      const own = (bfd.profiles?.[where] ?? {}) as Own;
      const edited = isNo ? unset(line, own) : set(line, own, words);
      return typeof edited === "string" ? edited : { ...bfd, profiles: { ...bfd.profiles, [where]: edited } };
    });

export const editPeer =
  (line: Line, isNo: boolean, where: string): Configure =>
  (parts, words) =>
    edit(parts, (bfd) =>
      withPeer(
        bfd,
        where,
        (peer) => (isNo ? unset(line, peer as Own) : set(line, peer as Own, words)) as Peer | string,
      ),
    );
