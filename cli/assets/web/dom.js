// Elements made from code: whatever a player has typed becomes text, never markup.

const SVG_NAMES = 'http://www.w3.org/2000/svg';

/** The element of this id. */
export function byId(id) {
  return document.getElementById(id);
}

/** An HTML element. Attributes `on…` are listeners; false and null leave one out; children are nodes or texts. */
export function element(tag, attributes = {}, ...children) {
  return furnished(document.createElement(tag), attributes, children);
}

/** The same for a shape. */
export function shape(tag, attributes = {}, ...children) {
  return furnished(document.createElementNS(SVG_NAMES, tag), attributes, children);
}

function furnished(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** A button with words. */
export function button(words, attributes = {}) {
  return element('button', { type: 'button', ...attributes }, words);
}

/** A button with a drawn sign; its words are for its label. */
export function signButton(sign, words, attributes = {}) {
  return element(
    'button',
    { type: 'button', class: 'sign', 'aria-label': words, title: words, ...attributes },
    signOf(sign),
  );
}

const SIGNS = {
  first: 'M6 5v14M19 5l-9 7 9 7z',
  back: 'M16 5l-9 7 9 7z',
  play: 'M7 4l12 8-12 8z',
  pause: 'M8 5v14M16 5v14',
  next: 'M8 5l9 7-9 7z',
  last: 'M18 5v14M5 5l9 7-9 7z',
  turn: 'M7 4v13M3 8l4-4 4 4M17 20V7M13 16l4 4 4-4',
  close: 'M6 6l12 12M18 6L6 18',
  good: 'M5 13l5 5 9-12',
  bad: 'M6 6l12 12M18 6L6 18',
  doubt: 'M8 9c0-6 9-5 8 0 0 3-4 3-4 6M12 19v.5',
};

/** A sign of a line or two. */
export function signOf(sign) {
  return shape(
    'svg',
    { viewBox: '0 0 24 24', class: 'drawn', 'aria-hidden': 'true' },
    shape('path', { d: SIGNS[sign] }),
  );
}

/** The first letter as a capital. */
export function capitalised(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const MAX_SAID = 12;

/** Says something to whoever listens to the page instead of looking at it. */
export function announce(words) {
  const live = byId('live');
  live.append(element('p', {}, words));
  while (live.children.length > MAX_SAID) live.firstElementChild.remove();
}

const TOAST_MS = 6000;

/** Shows words for a while, and says them; `kind` is 'news' or 'fault'. */
export function toast(words, kind = 'news') {
  const note = element('div', { class: `toast ${kind}` }, element('span', {}, words));
  const close = () => note.remove();
  note.append(signButton('close', 'Close', { onclick: close }));
  byId('toasts').append(note);
  announce(words);
  setTimeout(close, kind === 'fault' ? 2 * TOAST_MS : TOAST_MS);
}

/** A window over the page, which closes by Esc or its button. */
export function openSheet(title, ...children) {
  const close = () => sheet.close();
  const head = element(
    'header',
    {},
    element('h2', { id: 'sheet-title' }, title),
    signButton('close', 'Close', { onclick: close }),
  );
  const sheet = element(
    'dialog',
    { class: 'sheet', 'aria-labelledby': 'sheet-title' },
    head,
    element('div', { class: 'sheet-body', tabindex: '0' }, ...children),
  );
  sheet.addEventListener('close', () => sheet.remove());
  sheet.addEventListener('click', (event) => event.target === sheet && close());
  document.body.append(sheet);
  sheet.showModal();
  return sheet;
}
