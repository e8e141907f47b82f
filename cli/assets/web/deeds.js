// What may be decided in a game beside actions.
import { button, element } from './dom.js';
import { gamePath } from './api.js';

/** The buttons of what is possible now on the page of a game. */
export function deedButtons(page) {
  const { table } = page;
  const made = [];
  const add = (id, label, onclick, kind = '') => made.push(button(label, onclick, { id, class: kind }));
  if (table.hold) add('confirm', 'Go on …', () => page.askWhatIsDue(), 'main');
  if (table.draw_offered) {
    add('draw', 'Accept the draw', () => page.sure('Accept the draw? It ends the game.', 'Accept it', { deed: 'accept-draw' }), 'main');
  } else if (!table.finished && table.me) {
    const on = !table.draw_intent;
    add('draw', on ? 'Offer a draw' : 'Offer no draw', () => page.carryOut({ deed: 'intend-draw', on }));
  }
  if (table.can.claim) {
    const words = 'Claim that the opponent is out of time? It ends nothing by itself.';
    add('claim', 'Claim time', () => page.sure(words, 'Claim it', { deed: 'claim' }));
  }
  if (table.can.abort) {
    const words = 'Abort this game? Only before both have completed a turn.';
    add('abort', 'Abort', () => page.sure(words, 'Abort it', { deed: 'abort' }));
  }
  if (table.can.resign) add('resign', 'Resign', () => page.sure('Resign this game?', 'Resign', { deed: 'resign' }));
  if (table.can.rematch) {
    const words = 'Offer the opponent another game, colours swapped?';
    add('rematch', 'Rematch', () => page.sure(words, 'Offer it', { deed: 'rematch' }), 'main');
  }
  add('flip', 'Flip', () => page.flip());
  made.push(link('show-luck', 'Luck', `#/luck/${encodeURIComponent(page.name)}`));
  made.push(link('show-rules', 'Rules', `#/rules/${table.variant}`));
  made.push(element('a', { id: 'transcript', class: 'button', href: gamePath(page.name, '/transcript'), download: `${page.name}.chakart` }, 'Transcript'));
  return made;
}

function link(id, words, href) {
  return element('a', { id, class: 'button', href }, words);
}
