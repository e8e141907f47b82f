// What chance gave both sides, against what was to be expected.

import { ask, pathOf } from './api.js';
import { capitalised, element, shape } from './dom.js';

/** The luck of a game, or of all games if none is named; it fills itself. */
export function luckPanel(game) {
  const box = element(
    'div',
    { class: 'luck' },
    element('p', { class: 'quiet' }, 'The results are being counted.'),
  );
  const path = game ? pathOf('games', game, '/luck') : '/api/luck';
  ask('GET', path).then(
    (luck) => box.replaceChildren(...panel(luck)),
    (error) => box.replaceChildren(element('p', { class: 'fault' }, error.words)),
  );
  return box;
}

function panel({ games, draws, groups }) {
  const count = `${draws} random ${draws === 1 ? 'result' : 'results'} in ${games} ${games === 1 ? 'game' : 'games'}, each made by both players together.`;
  if (!draws) return [element('p', {}, `${count} Nothing to count yet.`)];
  const note =
    'The p-value says how often chance alone is at least as uneven: below 0.01 is odd, if you looked once; who looks at a hundred groups finds one.';
  const sides = [...new Set(groups.map((group) => group.who))];
  return [
    element('p', {}, count),
    legend(),
    ...sides.map((who) =>
      side(
        who,
        groups.filter((group) => group.who === who),
      ),
    ),
    element('p', { class: 'quiet' }, note),
  ];
}

function legend() {
  return element(
    'p',
    { class: 'legend' },
    element('span', { class: 'swatch came' }),
    'came',
    element('span', { class: 'swatch expected' }),
    'was to be expected',
  );
}

function side(who, groups) {
  return element(
    'section',
    {},
    element('h2', {}, capitalised(who)),
    element('div', { class: 'groups' }, groups.map(group)),
  );
}

function group({ what, draws, p_value: pValue, sorts }) {
  const title = element('h3', {}, capitalised(what));
  const numbers = element(
    'p',
    { class: 'quiet' },
    `${draws} ${draws === 1 ? 'result' : 'results'}, p = ${pValue.toFixed(pValue < 0.01 ? 4 : 2)}`,
  );
  return element('div', { class: 'card group' }, title, numbers, sorts.length ? table(sorts) : null);
}

function table(sorts) {
  const most = Math.max(1, ...sorts.flatMap((sort) => [sort.came, sort.expected]));
  const head = element(
    'tr',
    {},
    element('td'),
    element('td'),
    element('th', { scope: 'col' }, 'came'),
    element('th', { scope: 'col' }, 'expected'),
  );
  const rows = sorts.map((sort) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, sort.name),
      element('td', { class: 'bar' }, plot(sort, most)),
      element('td', { class: 'number' }, String(sort.came)),
      element('td', { class: 'number' }, sort.expected.toFixed(1)),
    ),
  );
  return element('table', {}, element('thead', {}, head), element('tbody', {}, rows));
}

/** A bar for what came, a line where it was to be expected. */
function plot({ came, expected }, most) {
  const wide = (count) => (96 * count) / most;
  const back = shape('rect', { class: 'bar-back', width: 100, height: 12, rx: 2 });
  const front = shape('rect', { class: 'bar-front', y: 2, width: wide(came), height: 8, rx: 1 });
  const line = shape('rect', { class: 'bar-mark', x: wide(expected), width: 2, height: 12 });
  return shape(
    'svg',
    { viewBox: '0 0 100 12', 'aria-hidden': 'true', preserveAspectRatio: 'none' },
    back,
    front,
    line,
  );
}
