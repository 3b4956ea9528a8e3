/** The gallery: a card for each example. */
import { useEffect, useState } from "preact/hooks";
import { attempt, report } from "../ui/notices.tsx";
import { labAddress } from "../ui/route.ts";
import { ThemeSwitch } from "../ui/theme.tsx";
import { buildExample, EXAMPLES, type Example, sketchExample } from "./examples.ts";
import type { Sketch } from "./sketch.ts";
import { SketchPicture } from "./sketch-picture.tsx";
import { sizeInWords } from "./words.ts";

/** Shows what is between backquotes as code. */
const withCode = (text: string) =>
  text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));

const Card = ({ example }: { readonly example: Example }) => {
  const [sketch, setSketch] = useState<Sketch | null>(null);
  const [isBuilding, setBuilding] = useState(false);
  useEffect(() => {
    sketchExample(example).then(setSketch, report);
  }, []);
  const build = async () => {
    setBuilding(true);
    try {
      location.hash = labAddress((await buildExample(example)).project_id);
    } finally {
      setBuilding(false);
    }
  };
  return (
    <li class="card">
      <SketchPicture sketch={sketch} />
      <h2>{example.title}</h2>
      <p>{withCode(example.description)}</p>
      <p class="buttons">
        <span class="faint">{sketch && sizeInWords(sketch.nodes.length, sketch.links.length)}</span>
        <button
          type="button"
          aria-label={`Create ${example.title}`}
          disabled={isBuilding}
          onClick={() => attempt(build)}
        >
          {isBuilding ? "Creating…" : "Create"}
        </button>
      </p>
    </li>
  );
};

export const Gallery = () => (
  <main class="labs">
    <header class="bar">
      <a href="#/" class="back" aria-label="All labs">
        ‹ Labs
      </a>
      <h1>Examples</h1>
      <span class="space" />
      <ThemeSwitch />
    </header>
    <p class="lead">
      Each example is a lab with tests. <em>Create</em> makes a copy that is yours: start it, change it, and
      run its tests.
    </p>
    <ul class="cards" aria-label="Examples">
      {EXAMPLES.map((example) => (
        <Card key={example.file} example={example} />
      ))}
    </ul>
  </main>
);
