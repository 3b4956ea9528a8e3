/** The impairments of a link: a preset, the common parameters of each direction, and the whole set as JSON. */
import { PRESETS } from "@wirelab/engine/link/impairments/settings/presets";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { ApiProblem, call, type FieldProblem } from "../api/call.ts";
import type { Impairments } from "../api/types.ts";
import { report } from "../ui/notices.tsx";
import { ImpairmentField } from "./impairment-field.tsx";
import { type Direction, FORM_FIELDS, pathOf, withField, withKey } from "./impairment-fields.ts";
import { ImpairmentJson } from "./impairment-json.tsx";

interface ImpairmentFormProps {
  /** Of the link, below the version prefix. */
  readonly path: string;
  /** The names of the devices at its first and second end. */
  readonly ends: readonly [string, string];
  /** The set is read again when the connection works again. */
  readonly isConnected: boolean;
  /** The set, if the lab knows it: it changes with those of other clients. */
  readonly known: Impairments | undefined;
  /** Called with the set as the service has it, when it was read. */
  readonly onKnown: (settings: Impairments) => void;
  /** Called with the set that this form has stored. */
  readonly onStored: (settings: Impairments, before: Impairments) => void;
}

type Edit = (settings: Impairments) => Impairments;

/** What a refusal says of no field that is shown. */
const textOf = ({ path, message }: FieldProblem): string =>
  [path.replace(/^body\.?/, ""), message].join(" ").trim();

/** The set of a link, with the changes of it that are being stored and those that the service has refused. */
function useImpairments({
  path,
  isConnected,
  known = {},
  onKnown,
  onStored,
}: Omit<ImpairmentFormProps, "ends">) {
  const url = `${path}/impairments`;
  /** The link whose set has been read. */
  const [readUrl, setReadUrl] = useState("");
  /** In order; each is removed when the service has answered. */
  const [pending, setPending] = useState<readonly Edit[]>([]);
  /** The end of the last change: each begins with what the one before has stored. */
  const last = useRef(Promise.resolve());
  const refused = useRef<readonly Edit[]>([]);
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const show = (found: Impairments) => {
    setReadUrl(url);
    onKnown(found);
  };
  useEffect(() => {
    let isCurrent = isConnected;
    if (!isConnected) return;
    call<Impairments>("GET", url).then((found) => isCurrent && show(found), report);
    return () => {
      isCurrent = false;
    };
  }, [url, isConnected]);

  const store = async (edit: Edit) => {
    const edits = [...refused.current, edit];
    try {
      // Another client may have changed the set since it was read.
      const current = await call<Impairments>("GET", url);
      const next = edits.reduce((before, each) => each(before), current);
      if (Object.keys(next).length === 0) await call("DELETE", url);
      else await call("PUT", url, { body: next });
      onStored(next, current);
      refused.current = [];
      setProblems([]);
    } catch (error) {
      const found = error instanceof ApiProblem ? error.problems : [];
      if (found.length === 0) return report(error);
      refused.current = edits;
      setProblems(found);
    }
  };
  const change = (edit: Edit) => {
    setPending((before) => [...before, edit]);
    last.current = last.current
      .then(() => store(edit))
      .finally(() => setPending((before) => before.filter((each) => each !== edit)));
  };
  const edits = [...refused.current, ...pending];
  const shown = readUrl === url ? edits.reduce((before, each) => each(before), known) : null;
  return { settings: shown, problems, change };
}

export const ImpairmentForm = ({ ends: [a, b], ...link }: ImpairmentFormProps) => {
  const { settings, problems, change } = useImpairments(link);
  const id = useId();
  const [direction, setDirection] = useState<Direction>("both");
  if (settings === null) return <p class="faint">Reading the impairments…</p>;
  const preset = typeof settings.preset === "string" ? settings.preset : "";
  const known = PRESETS[preset];
  const shownPaths = new Set(FORM_FIELDS.map((field) => pathOf(direction, field)));
  const others = problems.filter((problem) => !shownPaths.has(problem.path));
  return (
    <section class="impairments" aria-label="Impairments">
      <h3>Impairments</h3>
      <div>
        <label for={`${id}-preset`}>Preset</label>
        <select
          id={`${id}-preset`}
          value={preset}
          onChange={({ currentTarget: { value } }) =>
            change((before) => withKey(before, "preset", value === "" ? undefined : value))
          }
        >
          <option value="">None</option>
          {Object.keys(PRESETS).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      {known && (
        <p class="faint about">
          {known.about}. {a} is the user, {b} the network. Source: {known.source}.
        </p>
      )}
      <div>
        <label for={`${id}-direction`}>Direction</label>
        <select
          id={`${id}-direction`}
          value={direction}
          onChange={({ currentTarget: { value } }) => setDirection(value as Direction)}
        >
          <option value="both">Both ways</option>
          <option value="a_to_b">
            {a} to {b}
          </option>
          <option value="b_to_a">
            {b} to {a}
          </option>
        </select>
      </div>
      <div class="impairment-fields">
        {FORM_FIELDS.map((field) => (
          <ImpairmentField
            key={`${direction} ${field.label}`}
            settings={settings}
            direction={direction}
            field={field}
            problem={problems.find((problem) => problem.path === pathOf(direction, field))?.message}
            onChange={(text) => change((before) => withField(before, direction, field, text))}
          />
        ))}
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={settings.carrier === "down"}
          onChange={({ currentTarget: { checked } }) =>
            change((before) => withKey(before, "carrier", checked ? "down" : undefined))
          }
        />
        Cable pulled: both ends see it
      </label>
      {settings.schedule !== undefined && (
        <p class="faint about">This link has a schedule; each change here begins it anew.</p>
      )}
      {others.length > 0 && (
        <ul class="problems" role="alert">
          {others.map((problem) => (
            <li key={problem.path}>{textOf(problem)}</li>
          ))}
        </ul>
      )}
      <ImpairmentJson settings={settings} onApply={(next) => change(() => next)} />
      <p class="buttons">
        <button
          type="button"
          disabled={Object.keys(settings).length === 0}
          onClick={() => change(() => ({}))}
        >
          Clear impairments
        </button>
      </p>
    </section>
  );
};
