/** Types for the part of seek-bzip in use; the package has none. */
declare module "seek-bzip" {
  const Bunzip: {
    /** @throws Error if the output is longer or shorter than the buffer. */
    readonly decode: (packed: Uint8Array, output: Buffer) => Buffer;
  };
  export default Bunzip;
}
