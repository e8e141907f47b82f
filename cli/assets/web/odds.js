// What may come of an action, as a small chart.

import { ask, pathOf } from './api.js';
import { element, shape } from './dom.js';

/** The chart of an action of a game, which fills itself. */
export function oddsChart(game, action, hidden) {
  const box = element(
    'div',
    { class: 'odds', 'aria-live': 'polite' },
    element('p', { class: 'quiet' }, 'The odds are being counted.'),
  );
  ask('GET', pathOf('games', game, `/odds?action=${encodeURIComponent(action)}`)).then(
    ({ bars }) =>
      box.replaceChildren(
        chart(bars),
        hidden
          ? element('p', { class: 'quiet' }, 'A queen is hidden: these are the odds as if she were nowhere.')
          : '',
      ),
    (error) => box.replaceChildren(element('p', { class: 'fault' }, error.words)),
  );
  return box;
}

function chart(bars) {
  const rows = bars.map(({ share, words, outcomes }) => {
    const ways = outcomes > 1 ? ` (${outcomes} outcomes)` : '';
    return element(
      'tr',
      {},
      element('td', { class: 'number' }, percent(share)),
      element('td', { class: 'bar' }, bar(share)),
      element('td', {}, words + ways),
    );
  });
  const head = element(
    'tr',
    {},
    ['Share', '', 'What comes of it'].map((words) =>
      words ? element('th', { scope: 'col' }, words) : element('td'),
    ),
  );
  return element('table', {}, element('thead', {}, head), element('tbody', {}, rows));
}

function bar(share) {
  const back = shape('rect', { class: 'bar-back', width: 100, height: 10, rx: 3 });
  const front = shape('rect', { class: 'bar-front', width: Math.max(1, 100 * share), height: 10, rx: 3 });
  return shape(
    'svg',
    { viewBox: '0 0 100 10', 'aria-hidden': 'true', preserveAspectRatio: 'none' },
    back,
    front,
  );
}

function percent(share) {
  if (share >= 0.9995 || share === 0) return `${Math.round(100 * share)} %`;
  return share < 0.001 ? '< 0.1 %' : `${(100 * share).toFixed(1)} %`;
}
