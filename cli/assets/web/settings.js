// What a person has chosen for this browser; nothing of it matters to a game.

import { byId } from './dom.js';

const KEY = 'chakart';
const USUAL = { theme: 'system', pieces: 'figures', unasked: false };
const listeners = [];
const chosen = { ...USUAL, ...stored() };

// A page that is opened from a file may be refused storage: then choices last as long as the page.
function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

/** What is chosen under a name. */
export function setting(name) {
  return chosen[name];
}

/** Chooses something, keeps it, and tells whoever wants to know. */
export function setSetting(name, value) {
  chosen[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(chosen));
  } catch {
    // It is only remembered for the next visit.
  }
  applyTheme();
  for (const listener of listeners) listener(name, value);
}

/** Calls back after each choice, with its name and value. */
export function onSetting(listener) {
  listeners.push(listener);
}

/** Whether things should not move on the screen. */
export function isStill() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** Connects the controls of a page: `#theme`, `#pieces`, and `#unasked` where there is one. */
export function startSettings() {
  applyTheme();
  for (const name of ['theme', 'pieces']) {
    const control = byId(name);
    control.value = chosen[name];
    control.addEventListener('change', () => setSetting(name, control.value));
  }
  const unasked = byId('unasked');
  if (!unasked) return;
  unasked.checked = chosen.unasked;
  unasked.addEventListener('change', () => setSetting('unasked', unasked.checked));
}

// Colours change at once: in between, words could not be read.
function applyTheme() {
  const root = document.documentElement;
  root.classList.add('switching');
  root.dataset.theme = chosen.theme;
  requestAnimationFrame(() => requestAnimationFrame(() => root.classList.remove('switching')));
}
