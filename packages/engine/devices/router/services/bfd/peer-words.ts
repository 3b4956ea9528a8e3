/** How FRR names a peer: `peer ADDR [multihop] [local-address ADDR] [interface PORT]`. */

/** What makes a session another one. */
export interface PeerName {
  readonly address?: string | null;
  readonly multihop?: boolean | null;
  readonly local?: string | null;
  readonly port?: string | null;
}

export const PEER_SYNTAX = "ADDR [multihop] [local-address ADDR] [interface PORT]";

export const peerWords = ({ address, multihop, local, port }: PeerName): string[] => [
  address ?? "",
  ...(multihop ? ["multihop"] : []),
  ...(local ? ["local-address", local] : []),
  ...(port ? ["interface", port] : []),
];

/** In any order. @returns undefined if a word is wrong. */
export function parsePeer([address, ...words]: readonly string[]): PeerName | undefined {
  if (address === undefined) return undefined;
  const name: { address: string; multihop?: boolean; local?: string; port?: string } = { address };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!.toLowerCase();
    if (word === "multihop") name.multihop = true;
    else {
      at += 1;
      const value = words[at];
      if (value === undefined) return undefined;
      if (word === "local-address") name.local = value;
      else if (word === "interface") name.port = value;
      else return undefined;
    }
  }
  return name;
}
