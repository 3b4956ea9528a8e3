/** What is known of a node type without its code. `kinds.ts` lists the types. */

/** The ports of a switch, hub or cloud: more than labs need, and its `ports_mapping` is a few kilobytes. */
export const MOST_MAPPED_PORTS = 256;

export interface NodeKind {
  /** In the interface. */
  readonly type: string;
  /** In lab files, which take `type` as well. */
  readonly labType: string;
  /** In messages. */
  readonly word: string;
  readonly symbol: string;
  /** What clients expect as the type of its console. Commands are typed at `telnet` only. */
  readonly console: "telnet" | "none" | null;
  /** The time that it takes to process an arrived frame: the order of magnitude of real devices. Never 0, so that a round trip takes time. */
  readonly processingNs: number;
  /** Its MAC addresses derive from a number that is unique in its lab. */
  readonly macs?: MacRange;
  /** Its network card pads short frames with zeros, also those that it forwards. */
  readonly padsFrames?: true;
  /** It runs from its creation; a request for all nodes does not stop it. */
  readonly startsWhenCreated?: true;
  /** The service stores its nodes and does not run them. */
  readonly isRecord?: true;
  /** A guest machine runs it: what the device keeps is a state of the machine. */
  readonly isGuest?: true;
  /** Existing servers refuse to duplicate its nodes. */
  readonly isSingle?: true;
  /** Existing clients reject unknown types: they see it as a container of this image. */
  readonly image?: string;
  /** The template with which the service begins. */
  readonly template: KindTemplate;
}

interface MacRange {
  /** The first address of the node with the number 0. */
  readonly base: number;
  /** How many addresses each node has. */
  readonly perNode: number;
}

interface KindTemplate {
  /** For an image, version 3 of RFC 9562 in the namespace of DNS, from the image. */
  readonly id: string;
  readonly name: string;
  readonly category: "router" | "switch" | "guest" | "firewall";
  readonly nameFormat: string;
  /** The ports of a container. */
  readonly adapters?: number;
}

/** The first MAC address of a node. */
export const macOf = ({ base, perNode }: MacRange, index: number): number => base + index * perNode;
