/** The addresses of a family as words of 32 bits, the most significant first. */
export interface AddressFamily<A> {
  readonly bits: number;
  /** Writes `bits / 32` words. */
  readonly write: (address: A, words: Int32Array) => void;
}

export const IPV4: AddressFamily<number> = {
  bits: 32,
  write: (address, words) => {
    words[0] = address;
  },
};

const halves = new DataView(new ArrayBuffer(16));

export const IPV6: AddressFamily<bigint> = {
  bits: 128,
  // `setBigUint64` keeps the low 64 bits of its value.
  write: (address, words) => {
    halves.setBigUint64(0, address >> 64n);
    halves.setBigUint64(8, address);
    for (let word = 0; word < 4; word++) words[word] = halves.getInt32(4 * word);
  },
};
