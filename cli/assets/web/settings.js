// Looks that this browser remembers.
import { byId, choiceField, element } from './dom.js';

const THEMES = [['system', 'as the system'], ['light', 'light'], ['dark', 'dark'], ['contrast', 'high contrast']];
const PIECE_SETS = [['figures', 'figures'], ['letters', 'letters']];

/** A remembered text, or what is usual. Pages from a file may have no storage. */
export function remembered(key, usual) {
  try {
    return localStorage.getItem(`chakart-${key}`) ?? usual;
  } catch {
    return usual;
  }
}

/** Remembers a text. */
export function remember(key, value) {
  try {
    localStorage.setItem(`chakart-${key}`, value);
  } catch {
    // The look lasts until the page is closed.
  }
}

/** Puts the remembered looks on. */
export function wearLooks() {
  const root = document.documentElement;
  root.dataset.theme = remembered('theme', 'system');
  root.dataset.pieces = remembered('pieces', 'figures');
}

/** The two choices of looks, for the head of a page; `changed` is called after each. */
export function looksForm(changed) {
  const chooser = (id, label, options, usual) => {
    const select = choiceField(id, options, remembered(id, usual));
    select.onchange = () => {
      remember(id, select.value);
      wearLooks();
      changed();
    };
    return element('label', { class: 'look' }, element('span', {}, label), select);
  };
  return element(
    'div',
    { class: 'looks' },
    chooser('theme', 'Theme', THEMES, 'system'),
    chooser('pieces', 'Pieces', PIECE_SETS, 'figures'),
  );
}

/** Puts symbol sheets, as texts in SVG, into the page. */
export function adoptSymbols(sheets) {
  const holder = byId('symbols') ?? document.body.appendChild(element('div', { id: 'symbols', hidden: true }));
  for (const sheet of sheets) {
    const parsed = new DOMParser().parseFromString(sheet, 'image/svg+xml');
    holder.append(document.adoptNode(parsed.documentElement));
  }
}
