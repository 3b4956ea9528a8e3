import { defineConfig } from "vite";

export default defineConfig({
  // The path of the route group `page`; names are flat because a route's variable has no slash.
  base: "/v2/page/",
  build: {
    target: "es2023",
    assetsDir: "",
    assetsInlineLimit: 0,
    manifest: "manifest.json",
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
