// Elements and texts. Nothing here takes markup: what other people wrote can only become text.

const SVG = 'http://www.w3.org/2000/svg';

/** An element with properties, `data` and `aria` members, listeners (`onclick`) and children. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === 'data') Object.assign(made.dataset, value);
    else if (key === 'aria') for (const [aria, text] of Object.entries(value)) made.setAttribute(`aria-${aria}`, text);
    else if (key === 'class') made.className = value;
    else if (key === 'role' || key === 'for') made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** An element of SVG with attributes and children. */
export function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** The element of an id. */
export function byId(id) {
  return document.getElementById(id);
}

/** A button that does something. */
export function button(label, onclick, properties = {}) {
  return element('button', { type: 'button', onclick, ...properties }, label);
}

/** A labelled field of a form. */
export function field(label, control) {
  return element('label', { class: 'field' }, element('span', {}, label), control);
}

/** A choice among texts, each with its words. */
export function choiceField(id, options, chosen) {
  const select = element('select', { id });
  for (const [value, words] of options) {
    select.append(element('option', { value, selected: value === chosen }, words));
  }
  return select;
}

/** Says something to a screen reader, without moving the focus. */
export function announce(words) {
  const live = byId('live');
  if (live) live.append(element('p', {}, words));
  while (live && live.childElementCount > 12) live.firstElementChild.remove();
}

/** Whether the person wants little motion. */
export function wantsStillness() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
