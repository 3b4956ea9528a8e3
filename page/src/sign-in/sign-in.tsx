/** Asks for the credentials that the service takes. */
import { useEffect, useState } from "preact/hooks";
import { isIssuer, readWay, type Way } from "../api/sign-in-way.ts";
import { BasicForm } from "./basic-form.tsx";
import { IssuerForm } from "./issuer-form.tsx";

export const SignIn = () => {
  const [way, setWay] = useState<Way | null>(null);
  const [problem, setProblem] = useState("");
  const [attempts, setAttempts] = useState(0);
  useEffect(() => {
    readWay().then(setWay, (error: Error) => setProblem(error.message));
  }, [attempts]);
  const again = () => {
    setProblem("");
    setAttempts(attempts + 1);
  };
  return (
    <main class="sign-in" aria-busy={way === null && problem === ""}>
      {problem !== "" && (
        <div>
          <p role="alert">{problem}</p>
          <button type="button" onClick={again}>
            Try again
          </button>
        </div>
      )}
      {way && (isIssuer(way) ? <IssuerForm way={way} /> : way.mode === "iam" ? <IamNote /> : <BasicForm />)}
    </main>
  );
};

const IamNote = () => (
  <div class="message">
    <h1>This service takes signed requests only</h1>
    <p>
      It was deployed with <code>auth=iam</code>: each request needs a signature by an AWS identity. A browser
      has no such identity, and keys of one do not belong into a page, so this page cannot sign in. Use a
      client that signs, or deploy the service with <code>auth=basic</code> or <code>auth=jwt</code>.
    </p>
  </div>
);
