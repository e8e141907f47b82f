// Odds and luck as numbers and bars.
import { drawn, element } from './dom.js';

const WIDTH = 240;

/** The outcomes of an action, the likeliest first. */
export function oddsChart({ title, bars }) {
  const rows = bars.map(({ share, words, outcomes }) => element(
    'li',
    {},
    element('span', { class: 'share' }, `${(100 * share).toFixed(1)} %`),
    bar(share),
    element('span', { class: 'words' }, outcomes > 1 ? `${words} (${outcomes} outcomes)` : words),
  ));
  return element('div', { class: 'odds', role: 'group', aria: { label: `Odds of ${title}` } }, element('ul', {}, ...rows));
}

/** The random results of games against what was to be expected. */
export function luckPage(results, heading) {
  const groups = results.groups.map(luckGroup);
  return element(
    'main',
    { class: 'page luck' },
    element('h1', { tabIndex: -1 }, heading),
    element('p', {}, `Games: ${results.games}, random results: ${results.draws}. Each was drawn by both programs together, evenly among its candidates.`),
    element('p', { class: 'small' }, 'A p-value tells how often chance alone is at least as uneven. Below 0.01 is odd if you looked once; who looks at a hundred groups finds one.'),
    ...(groups.length ? groups : [element('p', {}, 'There were no random results yet.')]),
  );
}

function luckGroup({ who, what, draws, p_value: p, sorts }) {
  const most = Math.max(1, ...sorts.flatMap(({ came, expected }) => [came, expected]));
  const rows = sorts.map(({ name, came, expected }) => element(
    'tr',
    {},
    element('th', { scope: 'row' }, name),
    element('td', {}, String(came)),
    element('td', {}, expected.toFixed(1)),
    element('td', {}, bar(came / most, expected / most)),
  ));
  const head = ['', 'came', 'expected', ''].map((words) => element(words ? 'th' : 'td', words ? { scope: 'col' } : {}, words));
  return element(
    'section',
    {},
    element('h2', {}, `${who}: ${what}`),
    element('p', {}, `${draws} results, p = ${p.toFixed(3)}`),
    ...(rows.length ? [element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...rows))] : []),
  );
}

// A bar of a share of the whole; a line where it was to be expected.
function bar(share, expected = null) {
  const drawing = drawn('svg', { class: 'bar', viewBox: `0 0 ${WIDTH} 12`, 'aria-hidden': 'true', preserveAspectRatio: 'none' });
  drawing.append(drawn('rect', { width: Math.max(1, share * WIDTH), height: 12, rx: 2 }));
  if (expected !== null) drawing.append(drawn('path', { d: `M${expected * WIDTH} 0v12`, class: 'expected' }));
  return drawing;
}
