/** @param data a file of LZMA: properties, the size in 8 bytes, the compressed bytes. */
export function decompress(data: Uint8Array): Uint8Array;
