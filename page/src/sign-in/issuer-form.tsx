/** Signing in at an OpenID Connect issuer, on its own page. */
import { useState } from "preact/hooks";
import type { IssuerWay } from "../api/sign-in-way.ts";
import { signInProblem } from "./issuer.ts";

export const IssuerForm = ({ way }: { readonly way: IssuerWay }) => {
  const [isBusy, setBusy] = useState(false);
  const leave = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    signInProblem.value = "";
    try {
      const { goToIssuer } = await import("./oidc.ts");
      await goToIssuer(way);
    } catch (error) {
      signInProblem.value = `${new URL(way.issuer).host} cannot be used to sign in: ${(error as Error).message}`;
      setBusy(false);
    }
  };
  return (
    <form onSubmit={leave}>
      <h1>Sign in to Wirelab</h1>
      {signInProblem.value && <p role="alert">{signInProblem.value}</p>}
      <button type="submit" class="primary" disabled={isBusy}>
        Sign in at {new URL(way.issuer).host}
      </button>
    </form>
  );
};
