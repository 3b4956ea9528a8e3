// The types of lzma1 are its sources, which the compiler refuses with this project's settings: lzma.d.ts has the part in use.
export { decompress } from "lzma1";
