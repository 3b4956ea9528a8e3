/** The form for a user's name and password (HTTP Basic). */
import { useState } from "preact/hooks";
import { ApiProblem, call } from "../api/call.ts";
import { authorization, basicHeader, signIn } from "../api/session.ts";

/**
 * Browsers cannot set headers of a WebSocket, but send the HTTP Basic credentials that they know of its address. A request with the
 * credentials in its URL makes the browser know them.
 */
function rememberForSockets(user: string, password: string): void {
  const request = new XMLHttpRequest();
  request.open("GET", "/v2/projects", true, user, password);
  request.send();
}

export const BasicForm = () => {
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const [user, password] = [String(form.get("user")), String(form.get("password"))];
    setBusy(true);
    const before = authorization.value;
    authorization.value = basicHeader(user, password);
    try {
      await call("GET", "/projects");
      rememberForSockets(user, password);
      signIn(authorization.value);
    } catch (error) {
      authorization.value = before;
      const refused = error instanceof ApiProblem && error.status === 401;
      setProblem(refused ? "The name or the password is wrong." : (error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <h1>Sign in to Wirelab</h1>
      <label>
        Name
        <input name="user" autocomplete="username" required />
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
