// What can be done in a game beside playing: draws, giving up, and looking things up.

import { ask, pathOf } from './api.js';
import { sureAnswers } from './asking.js';
import { button, element, openSheet, toast } from './dom.js';
import { luckPanel } from './luck.js';

/** The buttons of a game. */
export class Deeds {
  constructor(page) {
    this.page = page;
    this.buttons = {
      draw: button('', { id: 'draw', onclick: () => this.#draw() }),
      claim: button('Claim the time', {
        id: 'claim',
        onclick: () =>
          this.#sure('Say that the opponent is out of time? It ends nothing by itself.', 'say it', {
            deed: 'claim',
          }),
      }),
      abort: button('Abort', {
        id: 'abort',
        onclick: () =>
          this.#sure('Give the game up before both have completed a turn? Nobody wins.', 'abort', {
            deed: 'abort',
          }),
      }),
      resign: button('Resign', {
        id: 'resign',
        class: 'grave',
        onclick: () => this.#sure('Give the game up? It cannot be taken back.', 'resign', { deed: 'resign' }),
      }),
      rematch: button('Rematch', {
        id: 'rematch',
        class: 'main',
        onclick: () => page.carryOut({ deed: 'rematch' }),
      }),
    };
    this.confirm = button('Yes, go on', {
      id: 'confirm',
      class: 'main',
      onclick: () => page.carryOut({ deed: 'confirm' }),
    });
    this.pass = button('Pass', { id: 'pass', class: 'main', onclick: () => page.pass() });
    this.notice = element('div', { class: 'notice', hidden: true });
    this.node = element('div', { class: 'deeds' }, Object.values(this.buttons));
    this.tools = element('div', { class: 'tools' }, this.#tools());
  }

  /** Shows what a table allows. */
  show(table) {
    const { draw, claim, abort, resign, rematch } = this.buttons;
    draw.hidden = table.finished || !table.can.resign;
    draw.textContent = drawWords(table);
    draw.classList.toggle('main', table.draw_offered);
    draw.setAttribute('aria-pressed', String(table.draw_intent));
    claim.hidden = !table.can.claim;
    abort.hidden = !table.can.abort;
    resign.hidden = !table.can.resign;
    rematch.hidden = !table.can.rematch;
    this.#showNotice(table);
  }

  #showNotice({ hold, legal }) {
    const passes = legal.length === 1 && legal[0].ways.length === 0;
    const words = hold
      ? [`Held back: ${hold}. Is that all right?`, this.confirm]
      : passes
        ? ['No action is legal.', this.pass]
        : [];
    const key = String(words[0] ?? '');
    if (this.notice.dataset.key === key) return;
    this.notice.dataset.key = key;
    this.notice.hidden = !words.length;
    this.notice.replaceChildren(
      ...words.map((part) => (part instanceof Node ? part : element('p', {}, part))),
    );
  }

  #draw() {
    const { draw_offered: offered, draw_intent: intended } = this.page.table;
    if (offered) this.#sure('Accept the draw? The game ends with it.', 'accept', { deed: 'accept-draw' });
    else this.page.carryOut({ deed: 'intend-draw', on: !intended });
  }

  #sure(words, yes, deed) {
    this.page.frame.putChoice([]);
    this.page.asker.ask(
      [words],
      sureAnswers(yes, [], () => this.page.carryOut(deed)),
    );
  }

  #tools() {
    const { page } = this;
    const luck = () => openSheet('Luck', luckPanel(page.name));
    const transcript = element(
      'a',
      {
        id: 'transcript',
        class: 'button',
        href: pathOf('games', page.name, '/transcript'),
        download: `${page.name}.chakart`,
      },
      'Transcript',
    );
    return [
      button('Flip', { id: 'flip', title: 'The other side to the bottom (f)', onclick: () => page.flip() }),
      button('Luck', { id: 'show-luck', onclick: luck }),
      button('Rules', { id: 'show-rules', onclick: () => showRules(page.table.variant) }),
      transcript,
      button('Keys', { id: 'show-keys', onclick: showKeys }),
    ];
  }
}

function drawWords({ draw_offered: offered, draw_intent: intended }) {
  if (offered) return 'Accept the draw';
  return intended ? 'Offer no draw after all' : 'Offer a draw';
}

/** Opens the rules of a variant. */
export async function showRules(variant) {
  try {
    const { text } = await ask('GET', pathOf('rules', variant));
    openSheet(`The rules: ${variant}`, element('pre', {}, text));
  } catch (error) {
    toast(error.words, 'fault');
  }
}

const KEYS = [
  ['arrows', 'on the board: from square to square; elsewhere: ← → act by act, ↑ ↓ turn by turn'],
  ['Enter, Space', 'take a man, and go to a square'],
  ['1–9', 'an answer by its number; y and n where something is to be confirmed'],
  ['Esc', 'back, until something is signed'],
  ['[  ]', 'an act back, an act on'],
  ['Home, End', 'the first board, the board as it is'],
  ['f', 'the other side to the bottom'],
  ['o', 'the odds of the action at hand'],
  ['x', 'the chosen man leaves the board (Dynamo)'],
];

function showKeys() {
  const rows = KEYS.map(([key, words]) =>
    element('tr', {}, element('th', { scope: 'row' }, element('kbd', {}, key)), element('td', {}, words)),
  );
  openSheet('Keys', element('table', { class: 'keys' }, element('tbody', {}, rows)));
}
