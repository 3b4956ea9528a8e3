import { expect, test } from "vitest";
import { Execution } from "../../../../packages/lab/template/execute.ts";
import { TemplateFault } from "../../../../packages/lab/template/fault.ts";
import { FUNCTIONS } from "../../../../packages/lab/template/functions.ts";
import { parseTemplate } from "../../../../packages/lab/template/parse-template.ts";
import type { Value } from "../../../../packages/lab/template/values.ts";
import { WrittenText } from "../../../../packages/lab/template/written-text.ts";

const DATA: Value = {
  n: 3n,
  f: 2.5,
  whole: 2,
  s: "leaf",
  e: "",
  list: ["a", "b", "c"],
  m: { x: 1n, w: { z: "deep" }, "a-b": "c" },
  numbers: { 10: "ten", 9: "nine", x: "ex" },
  nodes: [{ name: "r1", links: ["r2"] }, { name: "r2" }],
};

function execute(text: string, data: Value = DATA): string {
  const templates = new Map();
  parseTemplate(text, "x", "x.gotmpl", (name) => Object.hasOwn(FUNCTIONS, name), templates);
  const written = new WrittenText();
  new Execution(templates, FUNCTIONS, written, "x.gotmpl", "x_vars.yaml").run("x", data);
  return written.text;
}

function faultOf(text: string): string {
  try {
    return `wrote ${execute(text)}`;
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error;
    return `${error.spot?.line}:${error.spot?.column} ${error.message}`;
  }
}

// What Go 1.19's text/template writes with containerlab's functions.
test.each([
  ["{{ .n }} {{ .s }}-{{ .f }} {{ .whole }}", "3 leaf-2.5 2"],
  ["{{ .list }} {{ .m }} {{ .numbers }}", "[a b c] map[a-b:c w:map[z:deep] x:1] map[9:nine 10:ten x:ex]"],
  ["{{ range $i, $x := .list }}{{ $i }}={{ $x }} {{ end }}", "0=a 1=b 2=c "],
  ["{{ range $k, $v := .numbers }}{{ $k }}={{ $v }} {{ end }}", "9=nine 10=ten x=ex "],
  ["{{ range .none }}x{{ else }}none{{ end }}", "none"],
  [
    "{{ range .nodes }}{{ .name }}:{{ range .links }}{{ . }}{{ $.s }}{{ else }}-{{ end }} {{ end }}",
    "r1:r2leaf r2:- ",
  ],
  ["{{ if .none }}a{{ else if .n }}b{{ else }}c{{ end }}", "b"],
  ["{{ or .e .s }} {{ and .s .n }} {{ or .none 5 }}", "leaf 3 5"],
  ["{{ with .m.w }}{{ .z }}{{ end }}{{ with $x := .s }}{{ $x }}{{ . }}{{ end }}", "deepleafleaf"],
  [
    '{{ eq .s "leaf" }} {{ eq .n 1 2 3 }} {{ ne .s "x" }} {{ lt 1 2 }} {{ ge .f 2.5 }} {{ eq .none "x" }}',
    "true true true true true false",
  ],
  ['{{ len .list }} {{ len "é" }} {{ len .m }}', "3 2 3"],
  ['{{ index .m "w" "z" }} {{ (index .nodes 0).name }} {{ index .numbers 10 }}', "deep r1 ten"],
  [
    '{{ print 1 2 "a" "b" 3 4 }}|{{ printf "%s-%02d %v %q %x|%5d|%-5d|%05d|%+d" .s 5 .list .s 255 3 3 -3 3 }}',
    '1 2ab3 4|leaf-05 [a b c] "leaf" ff|    3|3    |-0003|+3',
  ],
  ['{{ .s | printf "%s-%s" "a" }} {{ 3 | add 1 | mul 2 }}', "a-leaf 8"],
  [
    '{{ add 1 2.5 }} {{ add "1" "2" }} {{ subtract 5 7 }} {{ div 10 4 }} {{ idiv -7 3 }} {{ rem -7 3 }}',
    "3.5 3 -2 2.5 -2 -1",
  ],
  [
    "{{ seq 3 }} {{ seq 2 5 }} {{ seq 1 10 4 }} {{ seq 5 1 2 }} {{ seq 0 }} {{ seq 1 5 0 }}",
    "[1 2 3] [2 3 4 5] [1 5 9] [5 3 1] [1 0] []",
  ],
  [
    '{{ range strings.Split "-" "a-b" }}<{{ . }}>{{ end }}{{ strings.ReplaceAll "a" "b" "banana" }}{{ conv.Join .list "," }}',
    "<a><b>bbnbnba,b,c",
  ],
  [
    '{{ net.CIDRHost 300 "10.0.0.7/16" }} {{ net.CIDRHost -2 "10.0.0.0/24" }} {{ net.CIDRHost 17 "2001:db8::/64" }}',
    "10.0.1.44 10.0.0.254 2001:db8::11",
  ],
  ['{{ ToJSON .list }} {{ index (slice 1 "a") 1 }} {{ add (conv.ToInt "0x10") 1 }}', '["a","b","c"] a 17'],
  [
    '{{ define "t" }}[{{ . }}{{ $ }}]{{ end }}{{ template "t" .s }}{{ block "b" .n }}<{{ . }}>{{ end }}',
    "[leafleaf]<3>",
  ],
  [
    "{{ $x := 1 }}{{ range seq 3 }}{{ $x = add $x . }}{{ end }}{{ $x }}{{ if true }}{{ $x := 9 }}{{ end }}{{ $x }}",
    "77",
  ],
  [
    "{{ range seq 5 }}{{ if eq . 2 }}{{ continue }}{{ end }}{{ if eq . 4 }}{{ break }}{{ end }}{{ . }}{{ end }}",
    "13",
  ],
  ["a\n  {{- range .list }}\n  - {{ . }}\n  {{- end }}\nb", "a\n  - a\n  - b\n  - c\nb"],
  ['a {{- /* } \n}} */ -}} b{{/* c */}} {{"x\\ty"}} {{`\\n`}} {{\n1\n}}', "ab x\ty \\n 1"],
  [
    "{{ 0x1F }} {{ 017 }} {{ 1_000 }} {{ 1e3 }} {{ .5 }} {{ 1e20 }} {{ 123456789.125 }} {{ 0.00001 }}",
    "31 15 1000 1000 0.5 1e+20 1.23456789125e+08 1e-05",
  ],
])("%s", (text, written) => {
  expect(execute(text)).toBe(written);
});

test.each([
  ["a\n {{ .none.x }}", "2:5 has no value"],
  ["{{ if 1 }}", "1:7 has no {{end}}"],
  ["{{ end }}", "1:1 has {{end}} without its beginning"],
  ["{{ if 1 }}{{ else }}{{ else }}{{ end }}", "1:21 has a second {{else}}"],
  ["x {{ 1", "1:3 has {{ without }}"],
  ["{{ /* x }}", '1:4 has "/"'],
  ["{{ $x }}", "1:4 has $x, which no := declares"],
  ["{{ if 1 }}{{ $x := 1 }}{{ end }}{{ $x }}", "1:36 has $x, which no := declares"],
  ['{{ strings.ToUpper "a" }}', '1:4 has the function "strings.ToUpper", which is not known here'],
  ["{{ .s.x }}", "1:4 asks for .x of a text"],
  ["{{ range .s }}{{ end }}", "1:10 goes through a text"],
  ['{{ template "t" }}', '1:4 names no template: "t"'],
  [
    '{{ define "t" }}{{ template "t" . }}{{ end }}{{ template "t" . }}',
    "1:20 is called by templates more than 100 levels deep",
  ],
  ["{{ index .list 3 }}", "1:4 index: the list has 3 elements, and none at 3"],
  ["{{ eq .n .f }}", "1:4 eq: cannot compare an integer with a floating-point number"],
  ["{{ div 1 0 }}", "1:4 div: divides by 0"],
  ['{{ printf "%d" .s }}', "1:4 printf: has %d for a text"],
  ['{{ printf "%s" }}', "1:4 printf: lacks a value for %s"],
  ["{{ ToJSON .m }}", "1:4 ToJSON: cannot write a map as JSON"],
  [
    '{{ net.CIDRHost 256 "10.0.0.0/24" }}',
    "1:4 net.CIDRHost: 10.0.0.0/24 has no address with the number 256",
  ],
  ["{{ seq 1000001 }}", "1:4 seq: makes 1000001 numbers; the limit is 100000"],
  ["{{ range seq 99999 }}{{ range seq 99999 }}{{ end }}{{ end }}", "takes more than 1000000 steps"],
  ['{{ $s := "0123456789" }}{{ range seq 30 }}{{ $s = print $s $s }}{{ end }}', "print: makes a text of"],
  ["{{ range seq 99999 }}0123456789012{{ end }}", "makes more than 1048576 characters"],
  [`${"{{ if 1 }}".repeat(101)}`, "is nested more than 100 levels deep"],
  ["{{ .s 1 }}", "gives a value to what is no function"],
  ["{{ 1 | 2 }}", "passes a value with | to what is no function"],
  ["{{ break }}", "has {{break}} outside {{range}}"],
])("refuses %s with its place", (text, fault) => {
  expect(faultOf(text)).toContain(fault);
});
