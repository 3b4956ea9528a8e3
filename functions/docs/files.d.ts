/** Files that esbuild bundles as bytes. */
declare module "*.html" {
  const bytes: Uint8Array;
  export default bytes;
}
declare module "*.svg" {
  const bytes: Uint8Array;
  export default bytes;
}
declare module "*.pcap" {
  const bytes: Uint8Array;
  export default bytes;
}
declare module "*.gns3project" {
  const bytes: Uint8Array;
  export default bytes;
}
declare module "*.vpc" {
  const bytes: Uint8Array;
  export default bytes;
}
declare module "*/first-request.js" {
  const bytes: Uint8Array;
  export default bytes;
}
declare module "*/start.js" {
  const bytes: Uint8Array;
  export default bytes;
}
declare module "swagger-ui-dist/*" {
  const bytes: Uint8Array;
  export default bytes;
}
declare module "*.yaml" {
  const bytes: Uint8Array;
  export default bytes;
}
