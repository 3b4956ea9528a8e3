/**
 * A map from prefixes to values, searched by the longest prefix of an address: a binary trie whose paths without a branch are one step
 * (Patricia, Morrison 1968).
 *
 *     10.0.0.0/8                    value
 *       +- 10.0.0.0/15              no value: the two below differ in bit 15
 *            +- 10.0.0.0/16         value
 *            +- 10.1.0.0/16         value
 *
 * A node is `words + 3` numbers of one array: the words of its prefix, its length with a mark of a value, and its two children. So n
 * prefixes take less than 2n nodes, of 16 bytes for IPv4 and 28 for IPv6, and no objects. Node 0 is none; its first child is the root.
 *
 * A large trie remembers for the first 16 bits of an address where its search has come with them: the last node whose prefix they contain,
 * and the last with a value. All longer prefixes with these bits are below that node, so only a prefix of at most 16 bits changes it.
 */
import type { AddressFamily } from "./address-family.ts";

const NONE = 0;
const FIRST_NODES = 4;
const LENGTH = 0xff;
const HAS_VALUE = 0x100;
const FIRST_BITS = 16;
/** Where the memory of first bits, half a mebibyte, saves time. */
const LARGE = 16_384;

export class PrefixTrie<A, T> {
  readonly #bits: number;
  readonly #write: AddressFamily<A>["write"];
  /** Where a node has its length; its children follow. */
  readonly #meta: number;
  readonly #stride: number;
  /** The words of the address of the call. */
  readonly #key: Int32Array;
  #nodes: Int32Array;
  /** By node. */
  readonly #values: (T | undefined)[] = [undefined];
  #used = 1;
  /** The first of the freed nodes, each of which names the next as its first child. */
  #freed = NONE;
  #size = 0;
  /** Two nodes for each value of the first bits; `NONE` where no search has come. Undefined in a small trie. */
  #starts: Int32Array | undefined;
  readonly #largeFrom: number;

  /** @param largeFrom the number of prefixes from which the trie is large. */
  constructor({ bits, write }: AddressFamily<A>, largeFrom = LARGE) {
    this.#largeFrom = largeFrom;
    this.#bits = bits;
    this.#write = write;
    this.#meta = bits >>> 5;
    this.#stride = this.#meta + 3;
    this.#key = new Int32Array(this.#meta);
    this.#nodes = new Int32Array(FIRST_NODES * this.#stride);
  }

  /** The number of prefixes. */
  get size(): number {
    return this.#size;
  }

  /** The value of the longest prefix that contains the address. */
  longest(address: A): T | undefined {
    const key = this.#key;
    this.#write(address, key);
    const nodes = this.#nodes;
    const toMeta = this.#meta;
    const starts = this.#starts;
    let found = NONE;
    let word = 0;
    let node = nodes[toMeta + 1] as number;
    if (starts !== undefined) {
      const start = 2 * ((key[0] as number) >>> FIRST_BITS);
      if (starts[start] === NONE) this.#findStart(starts, start);
      // Still none if no prefix is contained in the first bits.
      node = (starts[start] as number) || node;
      found = starts[start + 1] as number;
    }
    while (node !== NONE) {
      const at = node * this.#stride;
      const meta = nodes[at + toMeta] as number;
      const length = meta & LENGTH;
      // The words before `word` are equal, because the prefix of the parent has them too.
      for (const last = length >>> 5; word < last; word++)
        if (nodes[at + word] !== key[word]) return this.#values[found];
      const rest = length & 31;
      const bits = key[word] as number;
      if (rest !== 0 && ((nodes[at + word] as number) ^ bits) >>> (32 - rest) !== 0) break;
      if (meta & HAS_VALUE) found = node;
      if (length === this.#bits) break;
      node = nodes[at + toMeta + 1 + ((bits >>> (31 - rest)) & 1)] as number;
    }
    return this.#values[found];
  }

  /** The values of all prefixes that contain the address, the longest first. */
  matching(address: A): T[] {
    this.#write(address, this.#key);
    const found: T[] = [];
    let node = this.#nodes[this.#meta + 1] as number;
    while (node !== NONE) {
      const length = this.#lengthOf(node);
      if (this.#commonLength(node, length) < length) break;
      const value = this.#values[node];
      if (value !== undefined) found.unshift(value);
      if (length === this.#bits) break;
      node = this.#nodes[this.#childLink(node)] as number;
    }
    return found;
  }

  /** The value of exactly this prefix. */
  get(network: A, length: number): T | undefined {
    this.#write(network, this.#key);
    let node = this.#nodes[this.#meta + 1] as number;
    while (node !== NONE && this.#isAbove(node, length)) node = this.#nodes[this.#childLink(node)] as number;
    return this.#isAt(node, length) ? this.#values[node] : undefined;
  }

  /** @param network its bits after the prefix are 0. */
  set(network: A, length: number, value: T): void {
    this.#write(network, this.#key);
    const node = this.#nodeFor(length);
    const meta = node * this.#stride + this.#meta;
    this.#values[node] = value;
    if ((this.#nodes[meta] as number) & HAS_VALUE) return;
    this.#nodes[meta] = length | HAS_VALUE;
    this.#size += 1;
    this.#forgetStarts(node);
    if (this.#size >= this.#largeFrom) this.#starts ??= new Int32Array(2 << FIRST_BITS);
  }

  /** @returns whether the prefix had a value. */
  delete(network: A, length: number): boolean {
    this.#write(network, this.#key);
    // The places with the number of the parent and of the node.
    let above = NONE;
    let link = this.#meta + 1;
    let node = this.#nodes[link] as number;
    while (node !== NONE && this.#isAbove(node, length)) {
      above = link;
      link = this.#childLink(node);
      node = this.#nodes[link] as number;
    }
    if (!this.#isAt(node, length) || this.#values[node] === undefined) return false;
    this.#size -= 1;
    this.#values[node] = undefined;
    this.#nodes[node * this.#stride + this.#meta] = length;
    this.#forgetStarts(node);
    this.#shorten(link);
    if (above !== NONE) this.#shorten(above);
    return true;
  }

  /** In the order of the addresses, a prefix before the prefixes that it contains. */
  values(): T[] {
    const values: T[] = [];
    const visit = (node: number): void => {
      if (node === NONE) return;
      const value = this.#values[node];
      if (value !== undefined) values.push(value);
      const children = node * this.#stride + this.#meta + 1;
      visit(this.#nodes[children] as number);
      visit(this.#nodes[children + 1] as number);
    };
    visit(this.#nodes[this.#meta + 1] as number);
    return values;
  }

  /** Searches with the first bits of the key. */
  #findStart(starts: Int32Array, start: number): void {
    let node = this.#nodes[this.#meta + 1] as number;
    while (node !== NONE) {
      const length = this.#lengthOf(node);
      if (length > FIRST_BITS || this.#commonLength(node, length) < length) return;
      starts[start] = node;
      if (this.#values[node] !== undefined) starts[start + 1] = node;
      if (length === FIRST_BITS) return;
      node = this.#nodes[this.#childLink(node)] as number;
    }
  }

  /** A node with this prefix begins or ceases to have a value, or ceases to be. */
  #forgetStarts(node: number): void {
    const length = this.#lengthOf(node);
    if (this.#starts === undefined || length > FIRST_BITS) return;
    const first = (this.#nodes[node * this.#stride] as number) >>> FIRST_BITS;
    this.#starts.fill(NONE, 2 * first, 2 * (first + (1 << (FIRST_BITS - length))));
  }

  #lengthOf(node: number): number {
    return (this.#nodes[node * this.#stride + this.#meta] as number) & LENGTH;
  }

  /** Whether the prefix of a node contains the key's prefix of this length, and is shorter. */
  #isAbove(node: number, length: number): boolean {
    const own = this.#lengthOf(node);
    return own < length && this.#commonLength(node, own) === own;
  }

  /** Whether the prefix of a node is the key's prefix of this length. */
  #isAt(node: number, length: number): boolean {
    return node !== NONE && this.#lengthOf(node) === length && this.#commonLength(node, length) === length;
  }

  /** The length of the prefix that the key and a node share, at most `limit`. */
  #commonLength(node: number, limit: number): number {
    const at = node * this.#stride;
    for (let word = 0; 32 * word < limit; word++) {
      const differing = (this.#nodes[at + word] as number) ^ (this.#key[word] as number);
      if (differing !== 0) return Math.min(limit, 32 * word + Math.clz32(differing));
    }
    return limit;
  }

  /** The bit of the key after a prefix of this length. */
  #bitAfter(length: number): number {
    return ((this.#key[length >>> 5] as number) >>> (31 - (length & 31))) & 1;
  }

  /** The place that has the number of the child on the way of the key. */
  #childLink(node: number): number {
    return node * this.#stride + this.#meta + 1 + this.#bitAfter(this.#lengthOf(node));
  }

  /** The node of the key's prefix of this length, made if it is not there. */
  #nodeFor(length: number): number {
    let link = this.#meta + 1;
    let node = this.#nodes[link] as number;
    while (node !== NONE) {
      const own = this.#lengthOf(node);
      const common = this.#commonLength(node, Math.min(own, length));
      if (common < own) return this.#insertAbove(node, link, common, length);
      if (own === length) return node;
      link = this.#childLink(node);
      node = this.#nodes[link] as number;
    }
    return this.#linkNew(link, length);
  }

  /** Puts the node of the key's prefix above a node, or beside it, below a new branch. */
  #insertAbove(node: number, link: number, common: number, length: number): number {
    const upper = this.#linkNew(link, common);
    const side = ((this.#nodes[node * this.#stride + (common >>> 5)] as number) >>> (31 - (common & 31))) & 1;
    const children = upper * this.#stride + this.#meta + 1;
    this.#nodes[children + side] = node;
    return common === length ? upper : this.#linkNew(children + 1 - side, length);
  }

  /** Makes a node of the key's prefix, and writes its number to a place. */
  #linkNew(link: number, length: number): number {
    const node = this.#allocate();
    const at = node * this.#stride;
    const whole = length >>> 5;
    this.#nodes.fill(0, at, at + this.#stride);
    for (let word = 0; word < whole; word++) this.#nodes[at + word] = this.#key[word] as number;
    const rest = length & 31;
    if (rest !== 0) this.#nodes[at + whole] = (this.#key[whole] as number) & -(2 ** (32 - rest));
    this.#nodes[at + this.#meta] = length;
    this.#nodes[link] = node;
    return node;
  }

  #allocate(): number {
    const freed = this.#freed;
    if (freed !== NONE) {
      this.#freed = this.#nodes[freed * this.#stride + this.#meta + 1] as number;
      return freed;
    }
    const node = this.#used++;
    if (this.#used * this.#stride > this.#nodes.length) {
      const larger = new Int32Array(2 * this.#nodes.length);
      larger.set(this.#nodes);
      this.#nodes = larger;
    }
    this.#values.push(undefined);
    return node;
  }

  /** Frees the node at a place if it has no value and no two children: its child, if there is one, takes its place. */
  #shorten(link: number): void {
    const node = this.#nodes[link] as number;
    if (node === NONE || this.#values[node] !== undefined) return;
    const children = node * this.#stride + this.#meta + 1;
    const first = this.#nodes[children] as number;
    const second = this.#nodes[children + 1] as number;
    if (first !== NONE && second !== NONE) return;
    this.#forgetStarts(node);
    this.#nodes[link] = first === NONE ? second : first;
    this.#nodes[children] = this.#freed;
    this.#freed = node;
  }
}
