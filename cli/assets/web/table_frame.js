// How the page of a game is laid out, and its words.

import { UNIT } from './board.js';
import { button, capitalised, element } from './dom.js';
import { letterAt, occupantOf, otherColor } from './men.js';

/** The parts of the page of a game. */
export class TableFrame {
  constructor(page) {
    this.page = page;
    this.strips = { top: strip(), bottom: strip() };
    this.standing = element('p', { id: 'standing' });
    this.decide = element('p', { class: 'decide' });
    this.hidden = element('p', { class: 'quiet', hidden: true });
    this.off = button('Off the board', {
      id: 'off',
      title: 'The chosen man leaves the board (x)',
      hidden: true,
      onclick: () => page.pick('off'),
    });
    this.title = element('p', { class: 'game-title' });
    this.facts = element('ul', { id: 'facts', class: 'quiet' });
    this.key = element('p', { id: 'opponent-key', class: 'quiet' });
    this.path = element('span', { id: 'path' });
    this.delivery = element('span', { id: 'delivery' });
    this.heading = element('h1', { class: 'unseen' });
    this.node = element('div', { class: 'table' }, this.heading, this.#play(), this.#panel(), this.#info());
  }

  /** Shows the words of a table. */
  show(table) {
    const { board } = this.page;
    this.standing.textContent = capitalised(table.standing);
    this.standing.classList.toggle('mine', table.legal.length > 0);
    this.decide.textContent = this.choiceWords();
    this.hidden.textContent = hiddenWords(table);
    this.hidden.hidden = !this.hidden.textContent;
    this.off.hidden = !this.page.mayLeave;
    this.title.textContent = table.title;
    this.facts.replaceChildren(...table.facts.map((fact) => element('li', {}, capitalised(fact))));
    this.key.textContent = `Your opponent's key in six words, to compare by telephone: ${table.fingerprint}.`;
    this.heading.textContent = `Game ${table.name}`;
    this.path.textContent = capitalised(table.path);
    this.delivery.textContent = table.delivery;
    fillStrip(this.strips.top, otherColor(board.bottom), table);
    fillStrip(this.strips.bottom, board.bottom, table);
  }

  /** What is to be decided, in words. */
  choiceWords() {
    const { table, from, board, mayLeave, history } = this.page;
    if (!table.position) return 'The board is not set up yet: both programs have to meet once.';
    if (!history.isAtEnd()) return 'This is how it was. Any square leads back to the board as it is.';
    if (table.finished) return 'The game is over. Its transcript can be verified by anybody.';
    if (!table.legal.length) return table.draw_intent ? 'Your next action offers a draw.' : '';
    if (from) {
      const man = occupantOf(letterAt(board.letters, from));
      return `Where does the ${man ? man.words.split(' ')[1].replace(',', '') : 'piece'} on ${from} go? To a marked square${mayLeave ? ', or off the board' : ''}.`;
    }
    const choice = table.position.pending
      ? `${capitalised(table.position.pending)}.`.replace('..', '.')
      : `You are ${capitalised(table.me)}: choose an action.`;
    return [
      choice,
      table.draw_offered && 'A draw is offered.',
      table.draw_intent && 'Your next action offers a draw.',
    ]
      .filter(Boolean)
      .join(' ');
  }

  /** Puts the question over the half of the board with fewer of the squares that it is about. */
  putChoice(squares) {
    const { board, asker } = this.page;
    const upper = [...new Set(squares)].map((square) => (board.place(square).y < 4 * UNIT ? 1 : -1));
    asker.box.classList.toggle('low', upper.reduce((sum, one) => sum + one, 0) > 0);
  }

  #info() {
    return element(
      'aside',
      { class: 'info', 'aria-label': 'Game' },
      element('section', { class: 'card' }, this.title, this.facts, this.key, this.page.deeds.tools),
      this.page.chat.box,
    );
  }

  #play() {
    const { board, asker, history } = this.page;
    const wrap = element('div', { class: 'board-wrap' }, board.frame, asker.box);
    const under = element('div', { class: 'under' }, history.caption, this.off);
    return element(
      'section',
      { class: 'play', 'aria-label': 'Board' },
      this.strips.top,
      wrap,
      this.strips.bottom,
      under,
    );
  }

  #panel() {
    const { history, deeds } = this.page;
    const state = element(
      'div',
      { class: 'card state' },
      this.standing,
      this.decide,
      this.hidden,
      deeds.notice,
      element('p', { class: 'link' }, this.path, ' · ', this.delivery),
    );
    const moves = element('div', { class: 'card acts' }, history.list, history.controls);
    return element('section', { class: 'panel', 'aria-label': 'Game' }, state, moves, deeds.node);
  }
}

function strip() {
  return element('div', { class: 'strip' });
}

function fillStrip(node, color, table) {
  const isMe = table.me === color;
  const name = isMe ? 'You' : table.me ? table.opponent.replace(/^'(.*)'$/s, '$1') : capitalised(color);
  const toAct = !table.finished && table.position?.turn === color;
  const parts = [
    element('span', { class: `side ${color}`, role: 'img', 'aria-label': capitalised(color) }),
    element('span', { class: 'name' }, name),
  ];
  if (toAct)
    parts.push(element('span', { class: 'to-act' }, table.position.pending ? 'to decide' : 'to move'));
  if (toAct && table.time_left) parts.push(element('span', { class: 'clock' }, table.time_left));
  node.replaceChildren(...parts);
  node.classList.toggle('active', toAct);
}

function hiddenWords({ position, me }) {
  const queen = position?.hidden;
  if (!queen) return '';
  if (queen.color === me && queen.square) return `Your queen is hidden on ${queen.square}; only you see her.`;
  return `${capitalised(queen.color)}'s queen is hidden${queen.origin ? `; she left ${queen.origin}` : ''}.`;
}
