/** The page's style: light and dark by the reader's preference, a contents column where there is room. */
export const STYLE = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1c2430;--soft:#5b6675;--line:#dde3ea;--card:#f6f8fa;--accent:#0b63c5}
@media(prefers-color-scheme:dark){:root{--bg:#12161c;--fg:#e3e8ef;--soft:#98a4b3;--line:#2b333e;--card:#1a2029;--accent:#6db3ff}}
*{box-sizing:border-box}
html{scroll-behavior:smooth}
body{margin:0;font:16px/1.55 system-ui,sans-serif;background:var(--bg);color:var(--fg);display:grid;grid-template-columns:minmax(14rem,19rem) minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.25rem;border-right:1px solid var(--line);font-size:.875rem}
nav ul{list-style:none;margin:.25rem 0 .75rem;padding-left:.9rem}
nav summary{cursor:pointer;font-weight:600}
.brand{font-size:1.15rem;font-weight:700;margin:0 0 1rem}
main{padding:1.5rem clamp(1rem,4vw,3.5rem) 6rem;max-width:62rem}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
h2{margin-top:3rem;border-bottom:1px solid var(--line);padding-bottom:.3rem;text-transform:capitalize}
h3{font-size:1rem;margin:0 0 .5rem;overflow-wrap:anywhere}
h4{font-size:.8rem;margin:1rem 0 .35rem;color:var(--soft)}
#schemas h3{margin-top:2rem}
article{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem 1.25rem;margin:1rem 0}
article p{margin:.3rem 0}
code{font:.875em ui-monospace,monospace}
.method{display:inline-block;min-width:4.2em;text-align:center;font:700 .75rem ui-monospace,monospace;color:#fff;border-radius:.3rem;padding:.2rem .4rem}
.get{background:#1a6fb8}.post{background:#2a7d46}.put{background:#8f5b00}.delete{background:#b3363e}
table{border-collapse:collapse;width:100%;font-size:.875rem}
td{border-top:1px solid var(--line);padding:.3rem .75rem .3rem 0;vertical-align:top;overflow-wrap:anywhere}
td:first-child{white-space:nowrap}
dl{display:grid;grid-template-columns:3.5rem minmax(0,1fr);gap:.25rem .5rem;margin:0;font-size:.875rem}
dt{font:700 .875rem ui-monospace,monospace}dd{margin:0;overflow-wrap:anywhere}
.good{color:#2a7d46}.bad{color:var(--soft)}
.type{color:var(--soft);font-size:.875rem;margin:.2rem 0}
@media(max-width:52rem){body{display:block}nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line)}nav details{display:inline-block;margin-right:1rem}nav details ul{display:none}td:first-child{white-space:normal}}
`;
