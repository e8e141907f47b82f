// The board: one drawing under 64 buttons.

import { element, shape } from './dom.js';
import { SQUARES, coordinates, letterAt, occupantOf } from './men.js';
import { setting } from './settings.js';

/** Width of a square in the units of the drawing. */
export const UNIT = 48;

const NO_MARKS = { last: [], selected: null, targets: new Map(), proposed: [], movable: new Set() };

/** A board that is looked at and pointed at. `picked(square)` is called for a click, Enter or Space. */
export class Board {
  constructor(picked) {
    this.bottom = 'white';
    this.letters = '.'.repeat(64);
    this.hidden = null;
    this.marks = NO_MARKS;
    this.drawn = new Map();
    this.layers = Object.fromEntries(
      ['ground', 'last', 'under', 'men', 'over'].map((name) => [name, shape('g', { class: name })]),
    );
    this.svg = shape(
      'svg',
      { viewBox: '0 0 384 384', 'aria-hidden': 'true', class: 'drawing' },
      Object.values(this.layers),
    );
    this.grid = element('div', { id: 'board', role: 'grid', 'aria-label': 'Board' });
    this.buttons = new Map(SQUARES.map((square) => [square, squareButton(square)]));
    this.frame = element('div', { class: 'board-frame' }, this.svg, this.grid);
    this.focused = 'e2';
    this.grid.addEventListener('click', (event) => {
      const square = event.target.dataset.square;
      if (square) picked(square);
    });
    this.grid.addEventListener('keydown', (event) => this.#walk(event));
    this.grid.addEventListener('focusin', (event) => this.#rove(event.target.dataset.square));
    this.turn('white');
  }

  /** Puts a colour at the bottom. */
  turn(bottom) {
    this.bottom = bottom;
    this.svg.classList.toggle('turned', bottom === 'black');
    this.layers.ground.replaceChildren(...ground(this));
    this.grid.replaceChildren(...rows(this));
    this.#rove(this.focused);
    this.redraw();
  }

  /** The upper left corner of a square, in units of the drawing. */
  place(square) {
    const { file, rank } = coordinates(square);
    const [column, row] = this.bottom === 'white' ? [file, 7 - rank] : [7 - file, rank];
    return { x: column * UNIT, y: row * UNIT };
  }

  /** The square at a place of the window; null beside the board. */
  squareAt(clientX, clientY) {
    const box = this.svg.getBoundingClientRect();
    const column = Math.floor((8 * (clientX - box.left)) / box.width);
    const row = Math.floor((8 * (clientY - box.top)) / box.height);
    if (column < 0 || column > 7 || row < 0 || row > 7) return null;
    return this.bottom === 'white' ? SQUARES[(7 - row) * 8 + column] : SQUARES[row * 8 + 7 - column];
  }

  /** Draws what stands on the board. */
  show(letters, hidden = null) {
    this.letters = letters;
    this.hidden = hidden;
    for (const square of SQUARES) this.#drawSquare(square);
    this.#label();
  }

  /** Draws everything anew: from another side, or with other pieces. */
  redraw() {
    for (const man of this.drawn.values()) man.node.remove();
    this.drawn.clear();
    this.show(this.letters, this.hidden);
    this.mark(this.marks);
  }

  /** Marks squares: `last` act, `selected`, `targets` (square to 'go' or 'take'), `proposed`, `movable`. */
  mark(marks) {
    this.marks = { ...NO_MARKS, ...marks };
    const { last, selected, targets, proposed, movable } = this.marks;
    this.layers.last.replaceChildren(
      ...last.flatMap((square) => [this.#tile(square, 'last-tile'), corners(this.place(square))]),
    );
    const dots = [...targets].map(([square, kind]) => target(this.place(square), kind));
    this.layers.under.replaceChildren(...(selected ? [this.#tile(selected, 'selected-tile')] : []), ...dots);
    this.layers.over.replaceChildren(...proposed.map((square) => this.#tile(square, 'proposed-tile')));
    for (const [square, node] of this.buttons) {
      node.classList.toggle('movable', movable.has(square));
      node.classList.toggle('target', targets.has(square));
      node.parentNode.setAttribute('aria-selected', String(square === selected));
    }
    this.#label();
  }

  /** What is drawn on a square, to be moved about; null for nothing. */
  nodeAt(square) {
    return this.drawn.get(square)?.node ?? null;
  }

  /** Sets the focus on a square. */
  focus(square = this.focused) {
    this.buttons.get(square).focus();
  }

  #tile(square, kind) {
    const { x, y } = this.place(square);
    return shape('rect', { class: kind, x, y, width: UNIT, height: UNIT });
  }

  #drawSquare(square) {
    const look = this.#look(square);
    const key = look.map((part) => Object.values(part).join(' ')).join();
    const before = this.drawn.get(square);
    if (before?.key === key) return;
    before?.node.remove();
    this.drawn.delete(square);
    if (!look.length) return;
    const { x, y } = this.place(square);
    const node = shape('g', { transform: `translate(${x} ${y})` }, look.map(part));
    this.layers.men.append(node);
    this.drawn.set(square, { key, node });
  }

  /** The symbols of a square, each with its classes. */
  #look(square) {
    const occupant = occupantOf(letterAt(this.letters, square));
    if (occupant) return occupantLook(occupant);
    const queen = this.hidden;
    if (queen?.square === square)
      return [
        { symbol: `${prefix()}queen`, classes: `man ${queen.color} faint` },
        { symbol: 'hidden', classes: `man ${queen.color}` },
      ];
    return queen?.origin === square ? [{ symbol: 'hidden', classes: `man ${queen.color}` }] : [];
  }

  #label() {
    for (const [square, node] of this.buttons) {
      const words = squareWords(square, this);
      if (node.getAttribute('aria-label') !== words) node.setAttribute('aria-label', words);
    }
  }

  #rove(square) {
    if (!square) return;
    this.buttons.get(this.focused).tabIndex = -1;
    this.focused = square;
    this.buttons.get(square).tabIndex = 0;
  }

  #walk(event) {
    const step = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const sense = this.bottom === 'white' ? 1 : -1;
    const { file, rank } = coordinates(this.focused);
    const [toFile, toRank] = [file + sense * step[0], rank + sense * step[1]];
    if (toFile < 0 || toFile > 7 || toRank < 0 || toRank > 7) return;
    this.focus(SQUARES[toRank * 8 + toFile]);
  }
}

function squareButton(square) {
  return element('button', { type: 'button', 'data-square': square, tabindex: '-1' });
}

function rows(board) {
  const ranks = board.bottom === 'white' ? [7, 6, 5, 4, 3, 2, 1, 0] : [0, 1, 2, 3, 4, 5, 6, 7];
  return ranks.map((rank) => {
    const squares = SQUARES.slice(rank * 8, rank * 8 + 8);
    if (board.bottom === 'black') squares.reverse();
    const cells = squares.map((square) => element('div', { role: 'gridcell' }, board.buttons.get(square)));
    return element('div', { role: 'row' }, cells);
  });
}

function ground(board) {
  return SQUARES.flatMap((square) => {
    const { x, y } = board.place(square);
    const { file, rank } = coordinates(square);
    const kind = (file + rank) % 2 ? 'light' : 'dark';
    const parts = [shape('rect', { class: kind, x, y, width: UNIT, height: UNIT })];
    if (x === 0) parts.push(shape('text', { class: `on-${kind}`, x: 2.5, y: y + 9.5 }, square[1]));
    if (y === 7 * UNIT)
      parts.push(
        shape(
          'text',
          { class: `on-${kind}`, x: x + UNIT - 2.5, y: y + UNIT - 3, 'text-anchor': 'end' },
          square[0],
        ),
      );
    return parts;
  });
}

function prefix() {
  return setting('pieces') === 'letters' ? 'letter-' : '';
}

function occupantLook({ symbol, color, held }) {
  if (!color) return [{ symbol, classes: 'object' }];
  const man = { symbol: prefix() + symbol, classes: `man ${color}` };
  return held ? [man, { symbol: 'immobilised', classes: 'held' }] : [man];
}

// Objects are smaller than men, so that a crowded board stays calm.
function part({ symbol, classes }) {
  const inset = classes === 'object' ? 4.5 : 0;
  return shape('use', {
    href: `#${symbol}`,
    x: inset,
    y: inset,
    width: UNIT - 2 * inset,
    height: UNIT - 2 * inset,
    class: classes,
  });
}

/** A shape, not only a colour, so that the last act is seen by everybody. */
function corners({ x, y }) {
  const [a, b, c, d] = [x + 2, x + UNIT - 2, y + 2, y + UNIT - 2];
  const path = `M${a} ${c + 9}V${c}h9M${b - 9} ${c}h9v9M${b} ${d - 9}v9h-9M${a + 9} ${d}H${a}v-9`;
  return shape('path', { class: 'corners', d: path });
}

function target({ x, y }, kind) {
  const radius = kind === 'take' ? 20.5 : 7;
  return shape('circle', {
    class: kind === 'take' ? 'ring' : 'dot',
    cx: x + UNIT / 2,
    cy: y + UNIT / 2,
    r: radius,
  });
}

function squareWords(square, board) {
  const { selected, targets, movable, last } = board.marks;
  const occupant = occupantOf(letterAt(board.letters, square));
  const words = [square, occupant?.words ?? hiddenWords(square, board.hidden) ?? 'empty'];
  if (square === selected) words.push('selected');
  else if (targets.has(square)) words.push(occupant ? 'can go there and take or hit it' : 'can move here');
  else if (!selected && movable.has(square)) words.push('can move');
  if (last.includes(square)) words.push('last act');
  return words.join(', ');
}

function hiddenWords(square, queen) {
  if (queen?.square === square) return 'your queen, hidden';
  return queen?.origin === square ? `${queen.color} queen left from here unseen` : null;
}
