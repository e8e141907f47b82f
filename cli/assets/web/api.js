// What the server is asked, and what it tells.
import { byId } from './dom.js';

/** Something went wrong that the person is told. */
export class Refused extends Error {
  constructor(message, hint, status) {
    super(message);
    Object.assign(this, { hint, status });
  }
}

let waiting = 0;

/** Whether an answer is waited for. */
export function isWaiting() {
  return waiting > 0;
}

/** Asks the server; the answer, or a `Refused`. */
export async function asked(path, { method = 'GET', body } = {}) {
  const options = { method, headers: body === undefined ? {} : { 'content-type': 'application/json' } };
  if (body !== undefined) options.body = JSON.stringify(body);
  waiting += 1;
  try {
    const answer = await fetch(path, options).catch(() => {
      throw new Refused('chakart does not answer', 'It may have been ended: start ‘chakart web’ again.', 0);
    });
    return await read(answer);
  } finally {
    waiting -= 1;
  }
}

async function read(answer) {
  const text = await answer.text();
  if (answer.ok) return text === '' ? null : JSON.parse(text);
  if (answer.status === 401 || answer.status === 403) {
    throw new Refused('This page is not let in.', 'Open the address that ‘chakart web’ printed last.', answer.status);
  }
  const { error = `the server says ${answer.status}`, hint = null } = text === '' ? {} : JSON.parse(text);
  throw new Refused(error, hint, answer.status);
}

/** Sends something. */
export function sent(path, body) {
  return asked(path, { method: 'POST', body });
}

/** The path of a game, for the server. */
export function gamePath(name, rest = '') {
  return `/api/games/${encodeURIComponent(name)}${rest}`;
}

/** Buys the cookie with the token in the address, if there is one there, and takes it out of sight. */
export async function enter() {
  const token = location.hash.slice(1);
  if (!/^[0-9a-f]{64}$/.test(token)) return;
  history.replaceState(null, '', '/#/');
  await sent('/api/session', { token });
}

/** Listens to news for as long as the page is open; a lost connection is tried again by the browser. */
export function listen(onNews) {
  const news = new EventSource('/api/events');
  const heard = (event) => onNews(JSON.parse(event.data));
  news.addEventListener('changed', heard);
  news.addEventListener('told', heard);
  news.onopen = () => {
    // What happened while nobody listened is unknown.
    if (!byId('offline').hidden) onNews({ game: null, words: null });
    byId('offline').hidden = true;
  };
  news.onerror = () => {
    byId('offline').hidden = false;
    // Refused for good, as by a server with another cookie: only another address helps.
    if (news.readyState === EventSource.CLOSED) setTimeout(() => listen(onNews), 3000);
  };
}
