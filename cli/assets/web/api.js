// Requests to the program that serves this page, and its news.

/** What the program answered when something is wrong: what, and what to do about it. */
export class ApiError extends Error {
  constructor(status, message, hint) {
    super(message);
    this.status = status;
    this.hint = hint;
  }

  /** Both in one line. */
  get words() {
    return this.hint ? `${this.message}: ${this.hint}` : this.message;
  }
}

let waiting = 0;

/** Whether an answer is waited for. */
export function isWaiting() {
  return waiting > 0;
}

/** Asks the program; the answer's JSON, or null if it says nothing. */
export async function ask(method, path, body) {
  waiting += 1;
  try {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw refusal(answer.status, text);
    return text ? JSON.parse(text) : null;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(0, 'The program does not answer', "is 'chakart web' still running?");
  } finally {
    waiting -= 1;
  }
}

function refusal(status, text) {
  try {
    const { error, hint } = JSON.parse(text);
    return new ApiError(status, error, hint);
  } catch {
    if (status === 401 || status === 403)
      return new ApiError(status, 'This page is not let in', "open the address that 'chakart web' printed");
    return new ApiError(status, `The program answered with status ${status}`, null);
  }
}

/** The path of something that has a name. */
export function pathOf(kind, name, more = '') {
  return `/api/${kind}/${encodeURIComponent(name)}${more}`;
}

const RETRY_MS = 2000;

/**
 * Listens to news until the page closes: `changed(game)`, `told(game, words)`; `linked(isLinked)` at each break and after
 * it, `closed()` when the program lets the page in no more.
 */
export function listen(heard) {
  const { changed, told, linked, closed } = heard;
  const source = new EventSource('/api/events');
  source.addEventListener('open', () => linked(true));
  source.addEventListener('changed', (event) => changed(JSON.parse(event.data).game));
  source.addEventListener('told', (event) => {
    const { game, words } = JSON.parse(event.data);
    told(game, words);
  });
  source.addEventListener('error', () => {
    linked(false);
    // The browser tries again by itself unless it was refused.
    if (source.readyState !== EventSource.CLOSED) return;
    closed();
    setTimeout(() => listen(heard), RETRY_MS);
  });
}
