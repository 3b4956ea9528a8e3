/** The form for a user's name and password (HTTP Basic). */
import { useState } from "preact/hooks";
import { ApiProblem } from "../api/call.ts";
import { heldUser } from "../api/session.ts";
import { signInByPassword } from "./password.ts";

export const BasicForm = () => {
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    try {
      await signInByPassword(String(form.get("user")), String(form.get("password")));
    } catch (error) {
      const refused = error instanceof ApiProblem && error.status === 401;
      setProblem(refused ? "The name or the password is wrong." : (error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <h1>Sign in to Wirelab</h1>
      {heldUser.value !== null && <p>Your session has ended. What is open here stays as it is.</p>}
      <label>
        Name
        <input name="user" autocomplete="username" required defaultValue={heldUser.value ?? ""} />
      </label>
      <label>
        Password
        <input name="password" type="password" autocomplete="current-password" required />
      </label>
      {problem && <p role="alert">{problem}</p>}
      <button type="submit" class="primary" disabled={isBusy}>
        Sign in
      </button>
    </form>
  );
};
